/** One step into a value: the name of an object's member, or an array's index from 0. */
export type PathStep = string | number;

/** The last steps that a message shows: a path may be thousands of steps long. */
const SHOWN_STEPS = 8;
const SHOWN_CHARACTERS = 32;

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * A path for people: `$.params.list[2]["odd name"]`. Takes the steps from the last to the first. Names may come from a peer, so they
 * are cut and escaped.
 */
export function pathText(backwards: Iterable<PathStep>): string {
  let text = '';
  let shown = 0;
  for (const step of backwards) {
    if (shown++ === SHOWN_STEPS) return `…${text}`;
    text = stepText(step) + text;
  }
  return `$${text}`;
}

function stepText(step: PathStep): string {
  if (typeof step === 'number') return `[${step}]`;
  if (step.length <= SHOWN_CHARACTERS && PLAIN_NAME.test(step)) return `.${step}`;
  const rest = step.length > SHOWN_CHARACTERS ? '…' : '';
  return `[${JSON.stringify(step.slice(0, SHOWN_CHARACTERS)).replaceAll(/[^ -~]/g, asEscape)}${rest}]`;
}

function asEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
