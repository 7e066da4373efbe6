// read-in-workers.mjs STREAMS.json COUNT: prints what each of COUNT worker threads makes of the streams, and the main thread
// meanwhile, as a list. Each thread waits until all are there, so that they read at the same time.
import { readFileSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { readStreams } from './read-frames.mjs';

if (isMainThread) {
  const streams = JSON.parse(readFileSync(process.argv[2], 'utf8'));
  const count = Number(process.argv[3]);
  // A counter of the threads that are there.
  const arrivals = new Int32Array(new SharedArrayBuffer(4));
  const reports = Array.from({ length: count }, () => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { streams, count, arrivals } });
    return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  });
  waitForAll(arrivals, count);
  const own = readStreams(streams);
  process.stdout.write(JSON.stringify([own, ...(await Promise.all(reports))]));
} else {
  const { streams, count, arrivals } = workerData;
  waitForAll(arrivals, count);
  parentPort.postMessage(readStreams(streams));
}

function waitForAll(arrivals, count) {
  if (!isMainThread) Atomics.add(arrivals, 0, 1);
  Atomics.notify(arrivals, 0);
  for (let here = Atomics.load(arrivals, 0); here < count; here = Atomics.load(arrivals, 0)) {
    if (Atomics.wait(arrivals, 0, here, 20_000) === 'timed-out')
      throw new Error(`${here} of ${count} threads came`);
  }
}
