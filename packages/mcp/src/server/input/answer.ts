import { isObject } from '../../json-object.ts';
import type { InputMethod, InputResults } from '../api/input.ts';
import { type Ask, isSamplingMessage } from './ask.ts';

/** An answer that a handler may have, or why it may not. */
export type ReadAnswer =
  | { readonly result: InputResults[InputMethod]; readonly problem: undefined }
  | { readonly result: undefined; readonly problem: string };

/** Judges what a client has answered: the bare result of the ask's method, not wrapped in anything. */
export function readAnswer(ask: Ask, value: unknown): ReadAnswer {
  if (!isObject(value)) return bad('is no object');
  switch (ask.method) {
    case 'elicitation/create':
      return readElicited(ask, value);
    case 'sampling/createMessage': {
      if (!isSamplingMessage(value)) return bad('must have role and content');
      if (typeof value['model'] !== 'string') return bad('model must be a string');
      const { stopReason } = value;
      if (stopReason !== undefined && typeof stopReason !== 'string')
        return bad('stopReason must be a string');
      return good(value);
    }
    case 'roots/list': {
      const { roots } = value;
      const isList =
        Array.isArray(roots) && roots.every((root) => isObject(root) && typeof root['uri'] === 'string');
      return isList ? good(value) : bad('roots must be a list of { uri }');
    }
  }
}

function readElicited({ form }: Ask, value: Record<string, unknown>): ReadAnswer {
  // Some clients write `content: null` where there is none.
  const { content: given, ...rest } = value;
  const { action } = rest;
  if (action === 'decline' || action === 'cancel') return good(rest);
  if (action !== 'accept') return bad('action must be accept, decline or cancel');
  if (form === undefined) return good(rest);
  const content = given ?? {};
  if (!isObject(content)) return bad('content must be an object');
  const problem = form.problem(content);
  return problem === undefined ? good({ ...rest, content }) : bad(problem);
}

function good(result: Record<string, unknown>): ReadAnswer {
  return { result: result as unknown as InputResults[InputMethod], problem: undefined };
}

function bad(problem: string): ReadAnswer {
  return { result: undefined, problem };
}
