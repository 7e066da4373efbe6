import { createFrameReader, type FrameBatch, type FrameReaderOptions } from '@linewire/framing';
import type { Corpus } from '@linewire/testkit';
import type { CorpusSide } from '../corpus-sides.ts';
import { pipeReadBytes, slicesOf } from './slices.ts';

/** A side's work. */
export interface Work {
  /** One pass over the corpus; gives the number of messages it saw, so that nothing can be optimised away unseen. */
  pass(): number;
  /** Frames that one engine handed to another so far: none, or the side measures two engines at once. */
  fallbackFrames(): number;
}

/** Makes the work of a side. Readers live on from pass to pass, as they do on a connection; every pass copies its bytes in. */
export function makeWork(side: CorpusSide, corpus: Corpus): Work {
  switch (side) {
    case 'newline':
      return { pass: () => countNewlines(corpus.bytes), fallbackFrames: () => 0 };
    case 'parse':
      return { pass: parsePass(corpus), fallbackFrames: () => 0 };
    case 'frames':
      return readerWork(corpus, { engine: 'wasm', envelope: 'none', validate: 'none' }, ({ count }) => count);
    case 'envelope':
      return readerWork(corpus, { engine: 'wasm', validate: 'envelope' }, countGood);
    case 'full':
      return readerWork(corpus, { engine: 'wasm', validate: 'full' }, countGood);
    case 'route':
      return readerWork(corpus, { engine: 'wasm', validate: 'envelope' }, route);
    case 'decode':
      return readerWork(corpus, { engine: 'wasm', validate: 'envelope' }, decode);
    case 'scalarEnvelope':
      return readerWork(corpus, { engine: 'scalar', validate: 'envelope' }, countGood);
    case 'scalarFull':
      return readerWork(corpus, { engine: 'scalar', validate: 'full' }, countGood);
  }
}

function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}

/** Node's own slices, which its types do not list. */
export interface SlicingBuffer {
  latin1Slice(start?: number, end?: number): string;
  utf8Slice(start?: number, end?: number): string;
}

/** What every peer does at least. latin1Slice is the fastest way to a string, and right for ASCII only. */
function parsePass({ bytes, ascii }: Corpus): () => number {
  const slicing = bytes as unknown as SlicingBuffer;
  const slice = ascii
    ? (start: number, end: number) => slicing.latin1Slice(start, end)
    : (start: number, end: number) => slicing.utf8Slice(start, end);
  return () => {
    let count = 0;
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      const message = JSON.parse(slice(start, end)) as { jsonrpc: string };
      if (message.jsonrpc === '2.0') count++;
      start = end + 1;
    }
    return count;
  };
}

export function readerWork(
  { bytes }: Corpus,
  options: Omit<FrameReaderOptions, 'onFrames'>,
  visit: (batch: FrameBatch) => number,
): Work {
  let count = 0;
  const reader = createFrameReader({
    ...options,
    onFrames(batch) {
      count += visit(batch);
    },
    onError(error) {
      throw error;
    },
  });
  // A pass ends in the middle of the first frame, where the next pass goes on: a stream that rested after each would give the memory
  // for large frames back and fault it in again.
  const middle = bytes.indexOf(10) >> 1;
  reader.push(bytes.subarray(0, middle));
  const turned = Buffer.concat([bytes.subarray(middle), bytes.subarray(0, middle)]);
  const chunks = slicesOf(turned, pipeReadBytes);
  return {
    pass() {
      count = 0;
      for (const chunk of chunks) reader.push(chunk);
      return count;
    },
    fallbackFrames: () => reader.stats().fallbackFrames,
  };
}

function countGood(batch: FrameBatch): number {
  let good = 0;
  for (let i = 0; i < batch.count; i++) {
    const kind = batch.kind(i);
    if (kind !== 'fault' && kind !== 'invalid') good++;
  }
  return good;
}

/** What a proxy needs to know of each message. */
function route(batch: FrameBatch): number {
  let known = 0;
  for (let i = 0; i < batch.count; i++) {
    const kind = batch.kind(i);
    if (kind === 'fault' || kind === 'invalid') continue;
    if (batch.idKey(i) !== undefined || batch.method(i) !== undefined) known++;
  }
  return known;
}

/** What a server needs: the payload as values, the id and the method. */
function decode(batch: FrameBatch): number {
  let decoded = 0;
  for (let i = 0; i < batch.count; i++) {
    if (batch.payload(i) !== undefined || batch.idKey(i) !== undefined || batch.method(i) !== undefined)
      decoded++;
  }
  return decoded;
}
