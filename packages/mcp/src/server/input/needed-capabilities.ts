import { isObject } from '../../json-object.ts';
import type { Ask } from './ask.ts';

type Capabilities = Readonly<Record<string, unknown>>;

/** Capabilities of a client, as parts of parts: `{ elicitation: { url: {} } }`. */
export type NeededCapabilities = Record<string, Record<string, object>>;

/**
 * What a client of that revision lacks for `ask`; `undefined` if nothing.
 *
 * @param capabilities - as the client listed them, in its envelope or in `initialize`.
 */
export function missingFor(
  ask: Ask,
  version: string,
  capabilities: Capabilities,
): NeededCapabilities | undefined {
  const name = CAPABILITY_OF[ask.method];
  const has = capabilities[name];
  const parts = neededParts(ask, version, isObject(has) ? has : undefined);
  return parts === undefined ? undefined : { [name]: parts };
}

/** Adds `more` to what is missing already. */
export function addMissing(missing: NeededCapabilities, more: NeededCapabilities): void {
  for (const [name, parts] of Object.entries(more)) missing[name] = { ...missing[name], ...parts };
}

const CAPABILITY_OF = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
} as const;

/** Parts of the capability that are not there; `{}` if it has no part for this ask and is missing itself. */
function neededParts(
  { method, params }: Ask,
  version: string,
  has: Capabilities | undefined,
): Record<string, object> | undefined {
  if (method === 'roots/list') return has === undefined ? {} : undefined;
  // Dates: they sort as text.
  const knowsParts = version >= '2025-11-25';
  if (method === 'elicitation/create') {
    const part = params['mode'] === 'url' ? 'url' : 'form';
    const isKnown = part === 'url' ? knowsParts : version >= '2025-06-18';
    const isListed =
      has !== undefined &&
      (isObject(has[part]) || (part === 'form' && (!knowsParts || has['url'] === undefined)));
    return isKnown && isListed ? undefined : { [part]: {} };
  }
  const parts: Record<string, object> = {};
  if (
    (params['tools'] !== undefined || params['toolChoice'] !== undefined) &&
    !(knowsParts && isObject(has?.['tools']))
  ) {
    parts['tools'] = {};
  }
  // In the legacy revisions this is advice at most, and clients without it may well understand the member.
  const context = params['includeContext'];
  const isModern = version >= '2026';
  if (isModern && context !== undefined && context !== 'none' && !isObject(has?.['context']))
    parts['context'] = {};
  return has === undefined || Object.keys(parts).length > 0 ? parts : undefined;
}
