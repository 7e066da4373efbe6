// Reads a pipe to its end and writes every byte on as it came: bare, or with the frame table built on the way and nothing
// decoded, as a proxy does that only needs to know where messages begin and of what kind they are.
//   node pass-through.mjs bare | wasm | scalar
// At the end one line on stderr says what went through.
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';

const engine = process.argv[2];
let byteCount = 0;
let frameCount = 0;
let badCount = 0;

/** libuv waits for the next read anyway, and a pipe or /dev/null takes what it is given: nothing is queued. */
function passOn(bytes, count) {
  for (let at = 0; at < count; ) at += writeSync(1, bytes, at, count - at);
  byteCount += count;
}

const input = engine === 'bare' ? bareInput() : await tableInput();
input.on('end', () => {
  process.stderr.write(`${JSON.stringify({ byteCount, frameCount, badCount })}\n`);
});
input.resume();

function bareInput() {
  const buffer = Buffer.allocUnsafe(256 * 1024);
  const callback = (count) => {
    passOn(buffer, count);
    return true;
  };
  return new Socket({ fd: 0, onread: { buffer, callback } });
}

/** Only this way loads the package: its cost belongs to the table. */
async function tableInput() {
  const { createFrameReader } = await import('@linewire/framing');
  const reader = createFrameReader({
    engine,
    validate: 'envelope',
    onFrames(batch) {
      frameCount += batch.count;
      for (let i = 0; i < batch.count; i++) {
        const kind = batch.kind(i);
        if (kind === 'fault' || kind === 'invalid') badCount++;
      }
    },
  });
  const callback = (count, bytes) => {
    // Before `commit`: landed bytes are ours until the reader's next call.
    passOn(bytes, count);
    return reader.commit(count);
  };
  return new Socket({ fd: 0, onread: { buffer: () => reader.reserve(), callback } });
}
