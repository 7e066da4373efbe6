import { createFrameReader, type FrameBatch, isFramingError, limits } from '../../src/index.ts';
import { difference } from '../support/slots.ts';
import type { Trial } from './trial.ts';

/** How often a stream is read by one reader: to learn its shapes, to see strings come again, and to meet what was learned. */
const READINGS = 4;

/**
 * Reads the stream several times over with one reader and decodes its frames and payloads, by shapes learned from the frames before.
 * The first that is not what `JSON.parse` makes of its text; undefined when there is none.
 */
export function valueDifference({ bytes, cuts, options }: Trial): string | undefined {
  let found: string | undefined;
  const { envelope, validate, utf8, duplicates, maxDepth, maxIdBytes } = options;
  const reader = createFrameReader({
    ...{ envelope, validate, utf8, duplicates, maxDepth, maxIdBytes },
    maxFrameBytes: Math.max(options.maxFrameBytes, limits.maxFrameBytes.min),
    windowBytes: Math.max(options.windowBytes, limits.windowBytes.min),
    onFrames(batch) {
      for (let index = 0; index < batch.count; index++) found ??= frameDifference(batch, index);
    },
    onError(error) {
      found ??= `onFrames threw ${String(error)}`;
    },
  });
  for (let reading = 0; reading < READINGS; reading++) {
    let from = 0;
    for (const to of [...cuts, bytes.length]) {
      reader.push(bytes.slice(from, to));
      from = to;
    }
    reader.push(Uint8Array.of(0x0a));
  }
  reader.end();
  return found;
}

function frameDifference(batch: FrameBatch, index: number): string | undefined {
  if (batch.kind(index) === 'fault') return undefined;
  const text = batch.text(index);
  const payloadText = batch.payloadText(index);
  return (
    decodedDifference(`payload of ${text}`, payloadText, () => batch.payload(index)) ??
    decodedDifference(`value of ${text}`, text, () => batch.value(index))
  );
}

function decodedDifference(
  what: string,
  text: string | undefined,
  decode: () => unknown,
): string | undefined {
  let expected: unknown;
  let isJson = true;
  try {
    expected = text === undefined ? undefined : JSON.parse(text);
  } catch {
    isJson = false;
  }
  try {
    const actual = decode();
    if (!isJson) return `${what}: decoded, though it is no JSON`;
    const found = difference(actual, expected);
    return found === undefined ? undefined : `${what}: ${found}`;
  } catch (error) {
    return isJson || !isFramingError(error) ? `${what}: threw ${String(error)}` : undefined;
  }
}
