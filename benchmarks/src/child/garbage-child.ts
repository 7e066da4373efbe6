import { constants, type PerformanceEntry, PerformanceObserver, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFrameReader, type FrameReader } from '@linewire/framing';
import { createCorpus } from '@linewire/testkit';
import { pipeReadBytes, slicesOf } from './slices.ts';

export interface GarbageJob {
  readonly kind: 'garbage';
  readonly engine: 'wasm' | 'scalar';
  /** How bytes go in: `push`, or `reserve` and `commit`, as a pipe's reads land. */
  readonly feed: 'push' | 'commit';
  /** Frames to count collections over, after as many to warm up; whole passes over the corpus. */
  readonly frameCount: number;
}

export interface GarbageOutcome {
  readonly frames: number;
  readonly scavenges: number;
  /** Collections of every other kind. */
  readonly others: number;
  /** Growth of the heap over the counted frames: what they allocated, as long as nothing was collected. */
  readonly allocatedBytes: number;
}

/**
 * Counts the garbage collections while a reader frames a million calls and the callback reads each one's kind. Nothing in
 * the loops below allocates: no iterator, no view, no closure. What is counted is the reader's own.
 *
 * @throws Error when a frame is missing, or when the observer does not see collections that must have happened
 */
export async function runGarbageJob(job: GarbageJob): Promise<GarbageOutcome> {
  const corpus = createCorpus('calls');
  const chunks = slicesOf(corpus.bytes, pipeReadBytes);
  const passCount = Math.ceil(job.frameCount / corpus.messageCount);
  let requests = 0;
  const reader = createFrameReader({
    engine: job.engine,
    validate: 'envelope',
    onFrames(batch) {
      const { count } = batch;
      for (let i = 0; i < count; i++) if (batch.kind(i) === 'request') requests++;
    },
  });
  const run = job.feed === 'push' ? pushPasses : commitPasses;

  const collections: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => {
    collections.push(...list.getEntries());
  });
  observer.observe({ entryTypes: ['gc'] });

  run(reader, chunks, passCount);
  requests = 0;
  const heapBefore = process.memoryUsage().heapUsed;
  const from = performance.now();
  run(reader, chunks, passCount);
  const until = performance.now();
  const allocatedBytes = process.memoryUsage().heapUsed - heapBefore;
  const wanted = passCount * corpus.messageCount;
  if (requests !== wanted) throw new Error(`saw ${requests} of ${wanted} frames`);

  await proveObserver(collections);
  observer.disconnect();
  const counted = collections.filter(({ startTime }) => startTime >= from && startTime <= until);
  const scavenges = counted.filter(isScavenge).length;
  return { frames: wanted, scavenges, others: counted.length - scavenges, allocatedBytes };
}

function pushPasses(reader: FrameReader, chunks: readonly Uint8Array[], passCount: number): void {
  for (let pass = 0; pass < passCount; pass++) {
    for (let at = 0; at < chunks.length; at++) reader.push(chunks[at] as Uint8Array);
  }
}

function commitPasses(reader: FrameReader, chunks: readonly Uint8Array[], passCount: number): void {
  for (let pass = 0; pass < passCount; pass++) {
    for (let at = 0; at < chunks.length; at++) {
      const chunk = chunks[at] as Uint8Array;
      // The window has room for four chunks; less than one would throw here.
      reader.reserve().set(chunk);
      reader.commit(chunk.length);
    }
  }
}

/** The types of Node leave out what the entries of collections carry. */
function isScavenge(entry: PerformanceEntry & { readonly detail?: { readonly kind: number } }): boolean {
  return entry.detail?.kind === constants.NODE_PERFORMANCE_GC_MINOR;
}

/** Entries come by way of the event loop. None at all would also come from an observer that sees nothing, so it is shown some. */
async function proveObserver(collections: readonly PerformanceEntry[]): Promise<void> {
  const from = performance.now();
  let garbage: number[][] = [];
  for (let n = 0; n < 1_000_000; n++) {
    garbage.push([n]);
    if (garbage.length === 1000) garbage = [];
  }
  for (let tries = 0; tries < 20; tries++) {
    await sleep(10);
    if (collections.some((entry) => entry.startTime >= from && isScavenge(entry))) return;
  }
  throw new Error('the observer does not see collections');
}
