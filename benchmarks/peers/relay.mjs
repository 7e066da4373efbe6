// Relays stdin to stdout, to be measured.
//   node relay.mjs bytes | observed | frames
// At the end one line on stderr: what went through, and how long it took from the moment the relay could read. The bytes are waiting by then.
import { relayBytes, relayFrames, stdioEnd } from '@linewire/transport';

const how = process.argv[2];
const own = stdioEnd();
let frameCount = 0;
const observe = (batch) => {
  frameCount += batch.count;
};
const options = { direction: 'a-to-b' };
const startedAt = performance.now();
const relay =
  how === 'frames'
    ? relayFrames(own, own, undefined, options)
    : relayBytes(own, own, how === 'observed' ? { ...options, onFramesFromA: observe } : options);
const { kind } = await relay.closed;
const ms = performance.now() - startedAt;
const { bytesOut, framesOut = frameCount } = relay.stats.fromA;
process.stderr.write(`${JSON.stringify({ kind, byteCount: bytesOut, frameCount: framesOut, ms })}\n`);
