import { encodeJson } from '@linewire/framing';
import { isObject } from '../../json-object.ts';
import type { StateOwner, StateSeal } from './state-seal.ts';

/** Answers by key, as JSON: each handler run gets its own copy. */
export type AnswerTexts = Map<string, string>;

/** Seals what the next round needs: the keys that are asked now, and the answers so far. */
export function sealRound(
  seal: StateSeal,
  owner: StateOwner,
  asked: Iterable<string>,
  answers: AnswerTexts,
): string {
  // Pairs and no object: a key is any text.
  const pairs = [...answers].map(([key, text]) => `[${encodeJson(key)},${text}]`);
  return seal.seal(`{"asked":${encodeJson([...asked])},"answers":[${pairs.join(',')}]}`, owner);
}

/**
 * What is answered by a retry: the sealed answers, and of the new ones those that the last round has asked for. `undefined` for a state that does not
 * open. Without a state nothing was asked, so nothing is answered.
 */
export function openRound(
  seal: StateSeal,
  owner: StateOwner,
  token: unknown,
  responses: Readonly<Record<string, unknown>>,
): AnswerTexts | undefined {
  const answers: AnswerTexts = new Map();
  if (token === undefined) return answers;
  const state = seal.open(token, owner);
  if (state === undefined) return undefined;
  const { asked, answers: earlier } = JSON.parse(state) as SealedRound;
  for (const [key, value] of earlier) answers.set(key, encodeJson(value));
  for (const key of asked) {
    const text = Object.hasOwn(responses, key) ? answerText(responses[key]) : undefined;
    if (text !== undefined) answers.set(key, text);
  }
  return answers;
}

interface SealedRound {
  readonly asked: readonly string[];
  readonly answers: readonly (readonly [string, unknown])[];
}

/** No answer if it is no object, or one that cannot be said again (`1e400`). */
function answerText(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  try {
    return encodeJson(value);
  } catch {
    return undefined;
  }
}
