import { spawnChild } from '@linewire/transport';
import { expect, it } from 'vitest';
import { serve } from '../../src/server/server-session.ts';
import { exampleServer, INITIALIZE } from '../support/example-server.ts';

const CALLS = 60_000;
const limits = { highWaterBytes: 64 * 1024, lowWaterBytes: 16 * 1024, maxParkedBytes: 256 * 1024 };
/** One answer may be written when the outbox is just below its mark. */
const ANSWER_BYTES = 200;

/**
 * A client in a process of its own: writes all its calls at once and reads nothing before it gets SIGUSR2; then it reads, counts the answers
 * and says on stderr how many there were.
 */
const client = `
const lines = [${JSON.stringify(INITIALIZE)}];
for (let id = 2; id <= ${CALLS} + 1; id++)
  lines.push('{"jsonrpc":"2.0","id":' + id + ',"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello there, number ' + id + '"}}}');
process.stdout.write(lines.join('\\n') + '\\n');
let rest = '', next = 1, wrong = 0;
process.on('SIGUSR2', () => {
  process.stdin.setEncoding('utf8').on('data', (text) => {
    const parts = (rest + text).split('\\n');
    rest = parts.pop();
    for (const part of parts) if (JSON.parse(part).id !== next++) wrong++;
    if (next > ${CALLS} + 1) { process.stderr.write('answers ' + (next - 1) + ' wrong ' + wrong); process.stdin.pause(); process.exit(); }
  });
});
setInterval(() => {}, 1000);
process.stderr.write('ready ');
`;

it('a client that sends 60,000 calls and reads nothing fills no more than the limits; when it reads, it gets every answer in order', async () => {
  const duplex = spawnChild({
    command: process.execPath,
    args: ['-e', client],
    validate: 'envelope',
    ...limits,
  });
  const session = serve(exampleServer(), duplex);
  const seen = { queued: 0, parked: 0, running: 0 };
  const look = (): void => {
    seen.queued = Math.max(seen.queued, duplex.queuedBytes);
    seen.parked = Math.max(seen.parked, duplex.parked.byteCount);
    seen.running = Math.max(seen.running, session.stats.running);
  };
  try {
    // It has stopped reading: both queues are full.
    while (duplex.parked.stalls === 0 || !duplex.isFull || !duplex.stderrTail.includes('ready')) {
      look();
      await new Promise((resolve) => setImmediate(resolve));
    }
    look();
    const { requests } = session.stats;
    expect(requests).toBeLessThan(CALLS);
    process.kill(duplex.pid as number, 'SIGUSR2');
    const turns = setInterval(look, 1);
    const reason = await session.closed.finally(() => clearInterval(turns));
    expect(reason.stderrTail).toContain(`answers ${CALLS + 1} wrong 0`);
    expect(seen.queued).toBeLessThanOrEqual(limits.highWaterBytes + ANSWER_BYTES);
    expect(seen.queued).toBeGreaterThan(limits.highWaterBytes / 2);
    expect(seen.parked).toBeLessThanOrEqual(limits.maxParkedBytes);
    expect(seen.parked).toBeGreaterThan(limits.maxParkedBytes / 2);
  } finally {
    await session.close();
  }
});

it('a client that never reads is let go of at once when the session closes', async () => {
  const duplex = spawnChild({
    command: process.execPath,
    args: ['-e', client],
    validate: 'envelope',
    ...limits,
    closeTimeoutMs: 50,
  });
  const session = serve(exampleServer(), duplex);
  while (duplex.parked.stalls === 0) await new Promise((resolve) => setImmediate(resolve));
  const reason = await session.close();
  expect(reason.kind).toBe('closed');
  expect(duplex.queuedBytes).toBe(0);
  expect(duplex.parked).toMatchObject({ count: 0, byteCount: 0 });
});
