import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFrameReader, type FrameBatch, isFramingError } from '../../src/index.ts';
import { joined } from '../support/events.ts';
import { lineOf } from '../support/full-scan.ts';
import { type JsonText, jsonCorpora, mutatedText, parsed } from '../support/json-corpora.ts';
import { isSame } from '../support/same-value.ts';
import { holds, seed, timeBoxMs } from '../support/time-box.ts';

/** What a payload became; an error by its code. */
type Outcome = { readonly value: unknown } | { readonly code: string };

/** The payloads of frames that one reader sees one after the other, so that whatever it learns of the first meets the next. */
function payloadsOf(frames: readonly Uint8Array[]): Outcome[] {
  const outcomes: Outcome[] = [];
  const reader = createFrameReader({
    // The payload's own faults are left to whoever decodes it.
    validate: 'envelope',
    duplicates: 'last',
    maxDepth: 16_384,
    onFrames(batch) {
      for (let index = 0; index < batch.count; index++) outcomes.push(outcomeOf(batch, index));
    },
    onError(error) {
      throw error;
    },
  });
  for (const frame of frames) reader.push(frame);
  return outcomes;
}

function outcomeOf(batch: FrameBatch, index: number): Outcome {
  try {
    const code = batch.code(index);
    return code === undefined ? { value: batch.payload(index) } : { code };
  } catch (error) {
    if (!isFramingError(error)) throw error;
    return { code: error.code };
  }
}

/** Looks at answers that carry the texts. A text that is no JSON may make another message of its frame, or none. */
function complaint(texts: readonly JsonText[]): string | undefined {
  const frames = texts.map(({ bytes }) =>
    lineOf(joined('{"jsonrpc":"2.0","id":1,"result":{"text":', bytes, '}}')),
  );
  const outcomes = payloadsOf(frames);
  if (outcomes.length !== texts.length) return `${outcomes.length} of ${texts.length} frames`;
  for (const [index, outcome] of outcomes.entries()) {
    const message = parsed(frames[index] as Uint8Array)?.value as { result?: unknown } | undefined;
    const problem = problemOf(outcome, message);
    if (problem !== undefined) return `${texts[index]?.name}, number ${index}: ${problem}`;
  }
  return undefined;
}

function problemOf(outcome: Outcome, message: { result?: unknown } | undefined): string | undefined {
  if ('code' in outcome) {
    // Messages that are JSON but no answer come of mutations: their envelope is wrong, not their payload.
    const isRight = message === undefined || outcome.code.startsWith('ENVELOPE_');
    return isRight ? undefined : `${outcome.code} where JSON.parse has a value`;
  }
  if (message === undefined) return 'a payload where JSON.parse throws';
  return isSame(outcome.value, message.result) ? undefined : 'another payload than that of JSON.parse';
}

describe('payloads that come again and again', () => {
  for (const { name, missing, texts } of jsonCorpora()) {
    const skipped = missing === undefined ? '' : ` (SKIPPED: ${missing})`;
    it.skipIf(missing !== undefined)(
      `equal JSON.parse on every text of ${name}${skipped}`,
      () => {
        for (const text of texts()) expect(complaint([text, text, text])).toBeUndefined();
      },
      120_000,
    );
  }

  it(
    `equal it on texts that are mutated after they were learned (seed ${seed})`,
    () => {
      holds(
        fc.property(fc.integer(), (mutation) => {
          const changed = mutatedText(mutation);
          const { origin } = changed;
          expect(complaint([origin, origin, changed, changed, origin])).toBeUndefined();
        }),
      );
    },
    timeBoxMs + 20_000,
  );
});
