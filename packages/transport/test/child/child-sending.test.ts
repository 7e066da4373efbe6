import { afterEach, describe, expect, test } from 'vitest';
import { type ChildDuplex, type ChildOptions, spawnChild } from '../../src/index.ts';
import { until } from '../support/process-state.ts';

const open: ChildDuplex[] = [];

afterEach(async () => {
  for (const child of open.splice(0)) await child.close();
});

function spawn(script: string, options: Partial<ChildOptions> = {}): ChildDuplex {
  const child = spawnChild({
    command: process.execPath,
    args: ['-e', script],
    closeTimeoutMs: 100,
    ...options,
  });
  open.push(child);
  child.start({ onFrames() {} });
  return child;
}

/** Lives until it is killed, and reads nothing. */
const DEAF = 'setInterval(() => {}, 1000)';
const frame = JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { t: 'x'.repeat(100_000) } });

/** Sends frames until the pipe and the outbox are full. */
async function fill(child: ChildDuplex): Promise<number[]> {
  const tickets: number[] = [];
  for (let turn = 0; turn < 20; turn++) {
    for (let ticket = child.send(frame); ticket !== 0; ticket = child.send(frame)) tickets.push(ticket);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return tickets;
}

describe('what is sent to a child', () => {
  test('settles when the child is killed while it reads nothing: written to the pipe, or peer-closed', async () => {
    const child = spawn(DEAF, { highWaterBytes: 500_000, lowWaterBytes: 0 });
    const tickets = await fill(child);
    const outcomes = Promise.all(tickets.map((ticket) => child.settled(ticket)));
    expect(child.isFull).toBe(true);
    process.kill(child.pid ?? 0, 'SIGKILL');
    const told = await outcomes;
    await child.closed;
    expect(told).toContain('peer-closed');
    expect(told.lastIndexOf('written')).toBeLessThan(told.indexOf('peer-closed'));
    expect(child.withdraw(tickets.at(-1) as number)).toBe(true);
    expect(child.withdraw(tickets[0] as number)).toBe(false);
  });

  test('can be withdrawn while the child reads nothing; the rest arrives whole, replies first', async () => {
    const later = `process.stdin.on('data', () => {}).pause(); setTimeout(() => {
      let text = ''; process.stdin.setEncoding('utf8').on('data', (d) => { text += d; })
        .on('end', () => { for (const line of text.split('\\n')) if (line) console.log(JSON.stringify({ jsonrpc: '2.0', method: JSON.parse(line).method })); })
        .resume(); }, 200)`;
    const methods: (string | undefined)[] = [];
    const child = spawnChild({ command: process.execPath, args: ['-e', later], highWaterBytes: 2 ** 30 });
    open.push(child);
    child.start({
      onFrames(batch) {
        for (let index = 0; index < batch.count; index++) methods.push(batch.method(index));
      },
    });
    const named = (method: string): string =>
      JSON.stringify({ jsonrpc: '2.0', method, params: { t: 'é'.repeat(400_000) } });
    const tickets = ['a', 'b', 'c', 'd', 'e'].map((method) => child.send(named(method)));
    child.flush();
    expect(child.withdraw(tickets[3] as number)).toBe(true);
    child.sendEncoded(named('reply'));
    child.end();
    expect(await child.closed).toMatchObject({ kind: 'exit', exitCode: 0 });
    expect(methods).toEqual(['a', 'reply', 'b', 'c', 'e']);
  });

  test('ends a child that asks and does not read as OVERLOADED, though it then leaves by itself', async () => {
    const script = `process.stdin.on('data', () => {}).on('end', () => process.exit(0)).pause();
      process.on('SIGUSR2', () => process.stdin.resume()); ${DEAF}; console.error('deaf');`;
    const child = spawn(script, { highWaterBytes: 100_000, reservedBytes: 1000, closeTimeoutMs: 20_000 });
    await until(() => child.stderrTail.includes('deaf'));
    await fill(child);
    const refusal = '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"overloaded"}}';
    let sent = 0;
    while (sent < 1000 && child.sendReserved(refusal)) sent++;
    process.kill(child.pid ?? 0, 'SIGUSR2');
    expect(await child.closed).toMatchObject({ kind: 'error', error: { code: 'OVERLOADED' }, exitCode: 0 });
  });
});
