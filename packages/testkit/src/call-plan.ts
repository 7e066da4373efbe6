import { mix32 } from './random.ts';

/** What a right server makes of one planned call. */
export type CallOutcome =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool-error'; readonly text: string }
  | { readonly kind: 'error'; readonly code: number; readonly message: string };

/** One `tools/call`: the params to send and the outcome that must come back. */
export interface PlannedCall {
  readonly params: Record<string, unknown>;
  readonly outcome: CallOutcome;
}

/**
 * - `plain`: every call succeeds, ASCII only, about 105 bytes a line: what the speed figures are about.
 * - `mixed`: every third call fails, in one of nine ways, and texts hold Thai, emoji and escapes: what the correctness
 *   figures are about.
 * - `adds`: the tool `add` alone, with the numbers of `plain`: what servers are compared by that have one tool.
 */
export type CallMix = 'plain' | 'mixed' | 'adds';

const words = [
  'amber',
  'birch',
  'cobalt',
  'dune',
  'ember',
  'fjord',
  'grove',
  'harbor',
  'island',
  'jasper',
  'kelp',
  'lagoon',
];
const foreign = [
  'สวัสดีชาวโลก',
  'ทดสอบกำลัง',
  '🧪 ok 👩‍🔬',
  'naïve café',
  'line\nbreak\ttab',
  'say "hi" \\ back',
  'Tiếng Việt',
  '日本語の文',
];

/**
 * The n-th call, n from 0. A pure function of `(n, mix)`: whoever knows the number knows the answer, so a client checks
 * a million answers without keeping them.
 */
export function plannedCall(n: number, mix: CallMix): PlannedCall {
  const dice = mix32(n + 0x51ed270b);
  if (mix === 'adds') return goodCall(dice & ~3, mix);
  if (mix === 'mixed' && n % 3 === 2) return failingCall(Math.floor(n / 3), dice);
  return goodCall(dice, mix);
}

function goodCall(dice: number, mix: CallMix): PlannedCall {
  // Halves up to 63.5 and integers up to 63: few digits, exact as doubles, so sums and products are exact too.
  const a = ((dice >>> 4) & 127) / 2;
  const b = (dice >>> 14) & 63;
  switch (dice & 3) {
    case 0:
      return succeed('add', { a, b }, String(a + b));
    case 1:
      return succeed('multiply', { a, b }, String(a * b));
    case 2:
      return succeed('divide', { a, b: b + 1 }, String(a / (b + 1)));
    default: {
      const text = echoText(dice, mix);
      return succeed('echo', { text }, text);
    }
  }
}

function echoText(dice: number, mix: CallMix): string {
  const word = words[(dice >>> 4) % words.length] as string;
  const other = words[(dice >>> 9) % words.length] as string;
  if (mix === 'mixed' && (dice >>> 16) % 2 === 0)
    return `${word} ${foreign[(dice >>> 20) % foreign.length] as string}`;
  return `${word} ${other}`;
}

/** The nine ways to fail, in turn: three tool errors by the handler or its schema first, then protocol errors. */
function failingCall(turn: number, dice: number): PlannedCall {
  const a = (dice >>> 4) & 1023;
  switch (turn % 9) {
    case 0:
      return toolError('divide', { a, b: 0 }, 'Cannot divide by zero');
    case 1:
      return toolError('add', { a: String(a), b: 1 }, 'Invalid arguments for tool add: a must be a number');
    case 2:
      return toolError('multiply', { a }, 'Invalid arguments for tool multiply: b is required');
    case 3:
      return toolError('echo', { text: a }, 'Invalid arguments for tool echo: text must be a string');
    case 4:
      return protocolError({ name: 'subtract', arguments: { a, b: 1 } }, 'Unknown tool: subtract');
    case 5:
      return protocolError({ arguments: { a, b: 2 } }, 'Invalid params: name must be a string');
    case 6:
      return protocolError({ name: a, arguments: {} }, 'Invalid params: name must be a string');
    case 7:
      return protocolError({ name: 'add', arguments: [a, 3] }, 'Invalid params: arguments must be an object');
    default:
      return protocolError(
        { name: 'echo', arguments: `text ${a}` },
        'Invalid params: arguments must be an object',
      );
  }
}

function succeed(name: string, args: Record<string, unknown>, text: string): PlannedCall {
  return { params: { name, arguments: args }, outcome: { kind: 'text', text } };
}

function toolError(name: string, args: Record<string, unknown>, text: string): PlannedCall {
  return { params: { name, arguments: args }, outcome: { kind: 'tool-error', text } };
}

function protocolError(params: Record<string, unknown>, message: string): PlannedCall {
  return { params, outcome: { kind: 'error', code: -32602, message } };
}
