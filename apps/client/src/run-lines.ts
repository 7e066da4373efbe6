import { createFrameReader, type IdKey } from '@linewire/framing';
import { UsageError } from './command.ts';

/** Bytes that are decoded at a time: one decoder call for some hundred lines. */
const BLOCK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/**
 * The lines of a JSONL file as text, without their newlines, in order; blank ones too, so that what is played is what
 * `cat` would play. A last line without newline counts, nothing after the last newline does not.
 *
 * @throws UsageError if a line is not UTF-8: frames are sent as text.
 */
export function* linesOf(bytes: Uint8Array, name: string): Generator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let line = 1;
  for (let start = 0; start < bytes.length; ) {
    const end = blockEnd(bytes, start);
    let lines: string[];
    try {
      lines = decoder.decode(bytes.subarray(start, end)).split('\n');
    } catch {
      throw new UsageError(`${name} is not UTF-8 behind line ${line}`);
    }
    if (bytes[end - 1] === NEWLINE) lines.pop();
    line += lines.length;
    yield* lines;
    start = end;
  }
}

/** Behind the last newline of the block, or behind the first one if a line is longer than a block. */
function blockEnd(bytes: Uint8Array, start: number): number {
  if (start + BLOCK_BYTES >= bytes.length) return bytes.length;
  const last = bytes.lastIndexOf(NEWLINE, start + BLOCK_BYTES - 1);
  if (last >= start) return last + 1;
  const next = bytes.indexOf(NEWLINE, start + BLOCK_BYTES);
  return next === -1 ? bytes.length : next + 1;
}

/** A frame of a file that has an id. */
export interface FileFrame {
  readonly kind: 'request' | 'answer';
  readonly key: IdKey | undefined;
  readonly idText: string | undefined;
  readonly text: string;
}

/** What a message or answer file holds, as the framing reads it. */
export interface FileFrames {
  readonly requests: FileFrame[];
  readonly answers: FileFrame[];
  /** Number of the first frame (from 1, blank lines not counted) that is neither; undefined if there is none. */
  readonly firstOther: number | undefined;
}

/** Reads a whole file as frames. */
export function framesOf(bytes: Uint8Array): FileFrames {
  const requests: FileFrame[] = [];
  const answers: FileFrame[] = [];
  let firstOther: number | undefined;
  let seen = 0;
  const reader = createFrameReader({
    onFrames(batch) {
      for (let index = 0; index < batch.count; index++) {
        seen++;
        const kind = batch.kind(index);
        if (kind === 'request' || kind === 'result' || kind === 'error') {
          const answer = kind !== 'request';
          (answer ? answers : requests).push({
            kind: answer ? 'answer' : 'request',
            key: batch.idKey(index),
            idText: batch.idText(index),
            text: answer ? batch.text(index) : '',
          });
        } else firstOther ??= seen;
      }
    },
  });
  for (let start = 0; start < bytes.length; start += BLOCK_BYTES)
    reader.push(bytes.subarray(start, start + BLOCK_BYTES));
  reader.end();
  return { requests, answers, firstOther };
}
