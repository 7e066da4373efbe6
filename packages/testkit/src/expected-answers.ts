import { type CallMix, plannedCall } from './call-plan.ts';
import {
  callAnswer,
  callLine,
  type Era,
  initializeAnswer,
  initializeLine,
  notificationLine,
  type RpcAnswer,
} from './rpc-lines.ts';

/** The answers that must come back, each once, in any order. */
export interface ExpectedAnswers {
  /** How many. */
  readonly count: number;
  /** The place of an id from 0 to `count - 1`, or -1 for an id nobody asked with. `1` and `"1"` are two ids. */
  indexOf(id: string | number): number;
  /** The answer at a place; made on demand, so a million answers cost no memory. */
  answerAt(index: number): RpcAnswer;
}

/** The answers written in a file, one JSON line each. Held in memory. */
export function answersFromText(text: string): ExpectedAnswers {
  const answers = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RpcAnswer);
  return answersFromList(answers);
}

export function answersFromList(answers: readonly RpcAnswer[]): ExpectedAnswers {
  const places = new Map<string | number, number>();
  for (const [index, answer] of answers.entries()) {
    if (places.has(answer.id))
      throw new Error(`two expected answers have the id ${JSON.stringify(answer.id)}`);
    places.set(answer.id, index);
  }
  return {
    count: answers.length,
    indexOf: (id) => places.get(id) ?? -1,
    answerAt: (index) => answers[index] as RpcAnswer,
  };
}

/** A stream of planned calls: what goes in and what must come out. */
export interface CallStream {
  readonly era: Era;
  readonly mix: CallMix;
  /** Calls only, without the handshake. */
  readonly callCount: number;
}

const handshakeId = 0;

/**
 * The lines of a stream in pieces of about 64 KiB. Legacy: `initialize` with id 0, `notifications/initialized`, then
 * calls with ids 1 … callCount. Modern: the calls alone.
 */
export function* callStreamChunks(stream: CallStream): Generator<Buffer<ArrayBuffer>, void, undefined> {
  let text =
    stream.era === 'legacy'
      ? initializeLine(handshakeId) + notificationLine('notifications/initialized')
      : '';
  for (let n = 0; n < stream.callCount; n++) {
    text += callLine(n + 1, plannedCall(n, stream.mix), stream.era);
    if (text.length >= 65_536) {
      yield Buffer.from(text);
      text = '';
    }
  }
  if (text !== '') yield Buffer.from(text);
}

/** The answers to {@link callStreamChunks}, computed by id. */
export function callStreamAnswers(stream: CallStream): ExpectedAnswers {
  const { era, mix, callCount } = stream;
  const firstId = era === 'legacy' ? handshakeId : 1;
  return {
    count: callCount + 1 - firstId,
    indexOf: (id) =>
      typeof id === 'number' && Number.isInteger(id) && id >= firstId && id <= callCount ? id - firstId : -1,
    answerAt(index) {
      const id = index + firstId;
      return id === handshakeId
        ? initializeAnswer(id)
        : callAnswer(id, plannedCall(id - 1, mix).outcome, era);
    },
  };
}
