import { createRequire } from 'node:module';
import { createFrameReader } from '@linewire/framing';
import type { ValidationCase, ValidationSide } from '../validation-sides.ts';
import { type BenchedPasses, benchPasses } from './bench-passes.ts';
import { pipeReadBytes, slicesOf } from './slices.ts';
import { validationFrames } from './validation-frames.ts';

export interface ValidationJob extends ValidationCase {
  readonly kind: 'validation';
  readonly side: ValidationSide;
  readonly timeMs: number;
}

export interface ValidationOutcome extends BenchedPasses {
  readonly frameCount: number;
  /** Of all frames of a pass, newlines included. */
  readonly byteCount: number;
}

/**
 * Measures how long one side takes to find every frame of a pass good.
 *
 * @throws Error when it does not, or when simdjson is not there
 */
export function runValidationJob(job: ValidationJob): ValidationOutcome {
  const frames = validationFrames(job);
  const pass = passes[job.side](frames);
  const name = `${job.side} on ${job.content} of ${job.frameBytes} bytes`;
  const seen = pass();
  if (seen !== frames.length) throw new Error(`${name}: ${seen} of ${frames.length} frames are good`);
  return {
    ...benchPasses(name, pass, job.timeMs),
    frameCount: frames.length,
    byteCount: frames.reduce((sum, { length }) => sum + length, 0),
  };
}

/** Each gives how many frames it found good, so that nothing can be optimised away unseen. */
const passes: Readonly<Record<ValidationSide, (frames: readonly Buffer[]) => () => number>> = {
  parse: (frames) => counting(frames, (text) => JSON.parse(text) !== undefined),
  simdjson: (frames) => {
    const { isValid } = createRequire(import.meta.url)('simdjson') as { isValid(text: string): boolean };
    return counting(frames, isValid);
  },
  full: readerPass,
};

/** Node's own slices, which its types do not list. */
interface SlicingBuffer {
  latin1Slice(start: number, end: number): string;
  utf8Slice(start: number, end: number): string;
}

/** Both take strings. The frame stands whole in one buffer, and what it holds is known: their best case. */
function counting(frames: readonly Buffer[], isGood: (text: string) => boolean): () => number {
  const isAscii = frames.every((frame) => frame.every((byte) => byte < 0x80));
  return () => {
    let good = 0;
    for (const frame of frames) {
      const slicing = frame as unknown as SlicingBuffer;
      const end = frame.length - 1;
      if (isGood(isAscii ? slicing.latin1Slice(0, end) : slicing.utf8Slice(0, end))) good++;
    }
    return good;
  };
}

/** Reads of a pipe, copied in. The stream goes on in the middle of its first frame, so that it never rests between two passes. */
function readerPass(frames: readonly Buffer[]): () => number {
  const bytes = Buffer.concat(frames);
  const middle = (frames[0]?.length ?? 0) >> 1;
  let good = 0;
  const reader = createFrameReader({
    engine: 'wasm',
    validate: 'full',
    onFrames(batch) {
      for (let i = 0; i < batch.count; i++) if (batch.kind(i) !== 'fault') good++;
    },
    onError(error) {
      throw error;
    },
  });
  reader.push(bytes.subarray(0, middle));
  const chunks = slicesOf(Buffer.concat([bytes.subarray(middle), bytes.subarray(0, middle)]), pipeReadBytes);
  return () => {
    good = 0;
    for (const chunk of chunks) reader.push(chunk);
    return good;
  };
}
