// A child that misbehaves as it is told by its argument, a JSON object (FaultChildPlan in src/fault-child.ts).
// Otherwise it sends every byte of stdin back, and exits when stdin has ended.
import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';

const plan = JSON.parse(process.argv[2] ?? '{}');
let written = 0;

/** Synchronous, so that the death comes after exactly the byte that was asked for. */
function writeAll(fd, bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if (error.code === 'EPIPE') process.exit(0);
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

function sendOut(bytes) {
  const { dieAtByte } = plan;
  const left = dieAtByte === undefined ? bytes.length : Math.min(bytes.length, dieAtByte - written);
  writeAll(1, bytes.subarray(0, left));
  written += left;
  if (written !== dieAtByte) return;
  if (plan.exitCode !== undefined) process.exit(plan.exitCode);
  process.kill(process.pid, 'SIGKILL');
}

if (plan.ignoresSignals) {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
  setInterval(() => {}, 60_000);
}
if (plan.grandchild !== undefined) {
  const holder = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], {
    stdio: 'inherit',
    detached: plan.grandchild === 'setsid',
  });
  holder.unref();
  writeAll(2, Buffer.from(`${holder.pid}\n`));
}
if (plan.stderr !== undefined) writeAll(2, Buffer.from(plan.stderr));
if (plan.stderrBytes !== undefined) writeAll(2, Buffer.alloc(plan.stderrBytes, 'noise\n'));
sendOut(Buffer.from(plan.greeting ?? ''));

if (plan.neverReads) setInterval(() => {}, 60_000);
else {
  process.stdin.on('data', (bytes) => {
    sendOut(bytes);
    if (plan.readDelayMs === undefined) return;
    process.stdin.pause();
    setTimeout(() => process.stdin.resume(), plan.readDelayMs);
  });
}
