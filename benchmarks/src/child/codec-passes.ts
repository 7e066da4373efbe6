import { performance } from 'node:perf_hooks';
import { createFrameReader, type FrameBatch } from '@linewire/framing';
import type { Corpus } from '@linewire/testkit';
import type { CodecSide } from '../codec-sides.ts';
import { encodeInto, stringifyInto, writePass } from './encode-passes.ts';
import type { PassSample } from './pass-samples.ts';
import { makeWork, readerWork, type SlicingBuffer } from './sides.ts';
import { pipeReadBytes, slicesOf } from './slices.ts';

/** Makes the passes of a side over a corpus whose every message has a payload. */
export function makeCodecPass(side: CodecSide, corpus: Corpus): () => PassSample {
  switch (side) {
    case 'parseLines':
      return wholePass(makeWork('parse', corpus).pass);
    case 'decodeLines':
      return wholePass(makeWork('decode', corpus).pass);
    case 'nameLines':
      return wholePass(readerWork(corpus, { engine: 'wasm', validate: 'envelope' }, readNames).pass);
    case 'parse':
      return insidePass(corpus, (batch) => parsePayloads(batch, corpus.ascii));
    case 'payload':
      return insidePass(corpus, (batch) => timed(() => decodePayloads(batch)));
    case 'name':
      return insidePass(corpus, (batch) => timed(() => readNames(batch)));
    case 'stringify':
      return wholePass(writePass(corpus, stringifyInto));
    case 'encode':
      return wholePass(writePass(corpus, encodeInto()));
  }
}

function wholePass(pass: () => number): () => PassSample {
  return () => timed(pass);
}

function timed(work: () => number): PassSample {
  const from = performance.now();
  const messageCount = work();
  return { ms: performance.now() - from, messageCount };
}

/** Visits the batches of a pass; only what the visits say they took counts. */
function insidePass({ bytes }: Corpus, visit: (batch: FrameBatch) => PassSample): () => PassSample {
  let ms = 0;
  let messageCount = 0;
  const reader = createFrameReader({
    engine: 'wasm',
    validate: 'envelope',
    onFrames(batch) {
      const sample = visit(batch);
      ms += sample.ms;
      messageCount += sample.messageCount;
    },
    onError(error) {
      throw error;
    },
  });
  const chunks = slicesOf(bytes, pipeReadBytes);
  return () => {
    ms = 0;
    messageCount = 0;
    for (const chunk of chunks) reader.push(chunk);
    return { ms, messageCount };
  };
}

function decodePayloads(batch: FrameBatch): number {
  let decoded = 0;
  for (let i = 0; i < batch.count; i++) if (batch.payload(i) !== undefined) decoded++;
  return decoded;
}

function readNames(batch: FrameBatch): number {
  let named = 0;
  for (let i = 0; i < batch.count; i++) {
    if (batch.lazyPayload(i)?.get('name').string() !== undefined) named++;
  }
  return named;
}

/** The same bytes where the reader has them, with everything that is not parsing done before the clock starts. */
function parsePayloads(batch: FrameBatch, ascii: boolean): PassSample {
  const { count } = batch;
  const views: Buffer[] = [];
  for (let i = 0; i < count; i++) {
    const view = batch.lazyPayload(i)?.rawView();
    if (view !== undefined) views.push(Buffer.from(view.buffer, view.byteOffset, view.length));
  }
  const slicing = views as unknown as readonly SlicingBuffer[];
  return timed(() => {
    let parsed = 0;
    for (let i = 0; i < slicing.length; i++) {
      const view = slicing[i] as SlicingBuffer;
      const text = ascii ? view.latin1Slice() : view.utf8Slice();
      if (JSON.parse(text) !== undefined) parsed++;
    }
    return parsed;
  });
}
