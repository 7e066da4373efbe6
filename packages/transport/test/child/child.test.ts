import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type CloseReason, spawnChild } from '../../src/index.ts';
import { listen, ping, READINGS, spawn, spawnFixture, spawnNode } from '../support/child-harness.ts';
import { groupMembers, isAlive, until } from '../support/process-state.ts';
import { nodeFixture, shell } from '../support/shell.ts';

describe.each(READINGS)('a child process, read by %s,', (reading) => {
  beforeEach(() => {
    vi.stubEnv('LINEWIRE_READING', reading);
  });

  test('(p16) answers what is sent, and ends in milliseconds when it is closed', async () => {
    const child = spawnFixture('p16');
    const heard = listen(child);
    for (let id = 0; id < 100; id++) child.send(ping(id));
    await until(() => heard.ids.length === 100);
    expect(heard.ids).toEqual(Array.from({ length: 100 }, (_, id) => String(id)));
    const started = performance.now();
    const reason = await child.close();
    expect(performance.now() - started).toBeLessThan(1000);
    expect(reason).toEqual({ kind: 'closed', exitCode: 0, signal: null, stderrTail: '' });
    expect(heard.calls).toEqual(['close']);
    expect(child.stats).toMatchObject({ framesIn: 100, framesOut: 100, faults: 0, droppedBytes: 0 });
  });

  test('(p16) that gets the end of its input by end() answers the rest and exits by itself', async () => {
    const child = spawnFixture('p16');
    const heard = listen(child);
    for (let id = 0; id < 10; id++) child.send(ping(id));
    child.end();
    expect(() => child.send(ping(11))).toThrow(expect.objectContaining({ code: 'SEND_AFTER_CLOSE' }));
    expect(await child.closed).toMatchObject({ kind: 'exit', exitCode: 0 });
    expect(heard.ids).toHaveLength(10);
    expect(heard.calls).toEqual(['end', 'close']);
  });

  test('(p01) that floods stderr is never blocked by it, and its tail is kept', async () => {
    const child = spawnFixture('p01', [], { stderrTailBytes: 100 });
    const heard = listen(child);
    child.send(ping(1));
    child.send(ping(2));
    await until(() => heard.ids.length === 2);
    await until(() => heard.stderr.length === 2 * 1024 * 1024);
    expect(child.stderrTail).toBe('e'.repeat(100));
    expect((await child.close()).stderrTail).toBe('e'.repeat(100));
  });

  test('(p02) that ignores the end of its input and SIGTERM is killed, and the end is real', async () => {
    const child = spawnFixture('p02', [], { closeTimeoutMs: 150, termTimeoutMs: 150 });
    listen(child);
    const { pid } = child;
    // It ignores SIGTERM before it begins to read, and more than the pipe holds can only go when it reads.
    child.sendEncoded(`"${'x'.repeat(4 << 20)}"`);
    await until(() => child.queuedBytes === 0, 20_000);
    const reason = await child.close();
    expect(reason).toMatchObject({ kind: 'closed', exitCode: null, signal: 'SIGKILL' });
    expect(isAlive(pid ?? 0)).toBe(false);
  });

  test('(p03) that dies in the middle of a frame tells its exit code, its stderr and a truncated frame', async () => {
    const child = spawnFixture('p03');
    const heard = listen(child);
    child.send(ping(1));
    const reason = await child.closed;
    expect(reason).toEqual({ kind: 'exit', exitCode: 3, signal: null, stderrTail: 'fatal: out of luck\n' });
    expect([heard.kinds, heard.codes]).toEqual([['fault'], ['FRAME_TRUNCATED']]);
    expect(heard.calls).toEqual(['end', 'close']);
  });

  test('(p03) leaves nothing of its half frame to the next child', async () => {
    const first = spawnFixture('p03');
    listen(first);
    first.send(ping(1));
    await first.closed;
    const second = spawnFixture('p16');
    const heard = listen(second);
    second.send(ping(2));
    await until(() => heard.kinds.length > 0);
    expect([heard.kinds, heard.ids]).toEqual([['result'], ['2']]);
  });

  test('(p05) that never reads makes send() say false, drains nothing, and drops what is left when it goes', async () => {
    const child = spawnFixture('p05', ['1500'], { highWaterBytes: 100_000 });
    const heard = listen(child);
    const frame = `{"jsonrpc":"2.0","method":"x","params":{"t":"${'x'.repeat(10_000)}"}}`;
    let sent = 0;
    while (child.send(frame) && sent < 1000) sent++;
    await new Promise((resolve) => setTimeout(resolve, 50));
    while (child.send(frame) && sent < 1000) sent++;
    expect(sent).toBeLessThan(100);
    expect(child.queuedBytes).toBeGreaterThan(100_000);
    expect(child.queuedBytes).toBeLessThan(100_000 + 2 * 10_100);
    const reason = await child.closed;
    expect(reason).toMatchObject({ kind: 'exit', exitCode: 0 });
    expect(child.queuedBytes).toBe(0);
    expect(child.stats.droppedBytes).toBeGreaterThan(100_000);
    expect(heard.calls).toEqual(['end', 'close']);
  });

  test('that reads slowly gets everything, with one drain for each stall', async () => {
    const slow = `let n=0;process.stdin.on('data',b=>{n+=b.length;process.stdin.pause();setTimeout(()=>process.stdin.resume(),1)}).on('end',()=>console.log(JSON.stringify({jsonrpc:'2.0',id:n,result:{}})))`;
    const child = spawnNode(slow, { highWaterBytes: 200_000, lowWaterBytes: 50_000 });
    const frame = JSON.stringify({ t: 'é'.repeat(5000) });
    let left = 300;
    const heard: string[] = [];
    let peak = 0;
    const fill = (): void => {
      while (left > 0) {
        if (child.send(frame) === 0) return;
        left--;
        peak = Math.max(peak, child.queuedBytes);
      }
      child.end();
    };
    let drains = 0;
    child.start({
      onFrames(batch) {
        heard.push(batch.idText(0) ?? '');
      },
      onDrain() {
        drains++;
        expect(child.queuedBytes).toBeLessThanOrEqual(50_000);
        fill();
      },
    });
    fill();
    expect(await child.closed).toMatchObject({ kind: 'exit', exitCode: 0 });
    expect(heard).toEqual([String(300 * (Buffer.byteLength(frame) + 1))]);
    expect(drains).toBe(child.stats.stalls);
    expect(drains).toBeGreaterThan(0);
    expect(peak).toBeLessThan(200_000 + Buffer.byteLength(frame) + 1);
  });

  test.each([
    ['cut off', [], 'fault'],
    ['whole', ['flush'], 'result'],
  ])('(p07) that exits after a big answer gives it as far as it came: %s', async (_, args, kind) => {
    const child = spawnFixture('p07', args);
    const heard = listen(child);
    child.send(ping(1));
    expect(await child.closed).toMatchObject({ kind: 'exit', exitCode: 0 });
    expect(heard.kinds).toEqual([kind]);
  });

  test('(p18) that prints noise between its answers costs faults and nothing else', async () => {
    const child = spawnFixture('p18');
    const heard = listen(child);
    for (let id = 0; id < 5; id++) child.send(ping(id));
    await until(() => heard.ids.length === 5);
    expect(heard.kinds.filter((kind) => kind === 'fault' || kind === 'invalid').length).toBeGreaterThan(5);
    expect(await child.close()).toMatchObject({ kind: 'closed', exitCode: 0 });
  });

  test('sends and gets 8 MiB in both directions at once', async () => {
    const echo = 'process.stdin.pipe(process.stdout)';
    const child = spawnNode(echo, { highWaterBytes: 16 * 1024 * 1024 });
    const text = 'z'.repeat(1024 * 1024);
    let bytes = 0;
    child.start({
      onFrames(batch) {
        for (let index = 0; index < batch.count; index++)
          bytes += (batch.payload(index) as { text: string }).text.length;
      },
    });
    for (let id = 0; id < 8; id++)
      child.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'echo', params: { text } }));
    child.end();
    expect(await child.closed).toMatchObject({ kind: 'exit', exitCode: 0 });
    expect(bytes).toBe(8 * 1024 * 1024);
  });

  test('that was killed by a signal has ended, though its exit code is null', async () => {
    const child = spawnFixture('p16');
    listen(child);
    process.kill(child.pid ?? 0, 'SIGTERM');
    expect(await child.closed).toMatchObject({ kind: 'exit', exitCode: null, signal: 'SIGTERM' });
  });

  test('that closes its stdin and lives on is ended by the ladder, as a peer that left', async () => {
    const child = spawn({
      command: 'sh',
      args: ['-c', 'exec 0<&-; trap "" TERM; sleep 5 & wait'],
      closeTimeoutMs: 100,
      termTimeoutMs: 100,
      exitDrainMs: 50,
    });
    listen(child);
    await new Promise((resolve) => setTimeout(resolve, 200));
    child.send(ping(1));
    const reason = await child.closed;
    expect(reason).toMatchObject({ kind: 'peer-closed', error: { code: 'PEER_CLOSED' } });
  });

  test('that is closed at its end by its owner has still ended by itself', async () => {
    const child = spawnFixture('p03');
    child.start({ onFrames() {}, onEnd: () => void child.close() });
    child.send(ping(1));
    expect(await child.closed).toMatchObject({
      kind: 'exit',
      exitCode: 3,
      stderrTail: 'fatal: out of luck\n',
    });
  });

  test('that sends no more but does not go is ended, and that was its end of input', async () => {
    const child = spawn({ command: 'sh', args: ['-c', 'exec 1>&-; exec sleep 5'], closeTimeoutMs: 50 });
    child.start({ onFrames() {}, onEnd: () => void child.close() });
    expect(await child.closed).toMatchObject({ kind: 'eof', signal: 'SIGTERM' });
  });

  test('is not held up by an owner that paused, once it is closed', async () => {
    const child = spawnNode(
      `setInterval(()=>process.stdout.write('{"a":1}\\n'.repeat(20000)),1);process.stdin.on('end',()=>process.exit(5)).resume()`,
    );
    let batches = 0;
    child.start({
      onFrames() {
        batches++;
        child.pause();
      },
    });
    await until(() => batches === 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(batches).toBe(1);
    expect(await child.close()).toMatchObject({ kind: 'closed', exitCode: 5 });
  });

  test('that ended while its owner had paused still gives every frame, before its end', async () => {
    const child = spawnNode(`process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{}}\\n'.repeat(50000))`);
    const calls: string[] = [];
    let frames = 0;
    child.start({
      onFrames(batch) {
        frames += batch.count;
        child.pause();
        setTimeout(() => child.resume(), 1);
      },
      onEnd: () => calls.push(`end after ${frames}`),
      onClose: () => calls.push('close'),
    });
    await child.closed;
    expect(calls).toEqual(['end after 50000', 'close']);
  });

  test('that is closed before it was started ends all the same, and tells so when it is started', async () => {
    const child = spawnFixture('p16');
    expect(await child.close()).toMatchObject({ kind: 'closed', exitCode: 0 });
    const reason = await new Promise<CloseReason>((resolve) =>
      child.start({ onFrames() {}, onClose: resolve }),
    );
    expect(reason.kind).toBe('closed');
  });

  test('that ends before it is started keeps its frames and stderr for the start', async () => {
    const child = spawnNode(`console.error('early');console.log('{"jsonrpc":"2.0","id":7,"result":{}}')`);
    await until(() => child.stderrTail === 'early\n' && !isAlive(child.pid ?? 0));
    const heard = listen(child);
    expect(await child.closed).toMatchObject({ kind: 'exit', exitCode: 0 });
    expect([heard.ids, heard.stderr, heard.calls]).toEqual([['7'], 'early\n', ['end', 'close']]);
  });

  test('gets its arguments as they are, without a shell', async () => {
    const words = ['a b', '$HOME', '"quoted"', "it's", '*', '&& false', 'ü'];
    const child = spawnNode(
      'console.log(JSON.stringify({jsonrpc:"2.0",id:1,result:{words:process.argv.slice(1)}}))',
      {
        args: [
          '-e',
          'console.log(JSON.stringify({jsonrpc:"2.0",id:1,result:{words:process.argv.slice(1)}}))',
          '--',
          ...words,
        ],
      },
    );
    let got: unknown;
    child.start({
      onFrames(batch) {
        got = batch.payload(0);
      },
    });
    await child.closed;
    expect(got).toEqual({ words });
  });

  test('cannot be started twice, nor sent to after close()', async () => {
    const child = spawnFixture('p16');
    listen(child);
    expect(() => child.start({ onFrames() {} })).toThrow(
      expect.objectContaining({ code: 'ALREADY_STARTED' }),
    );
    const closing = child.close();
    expect(child.close()).toBe(closing);
    expect(() => child.send(ping(1))).toThrow(expect.objectContaining({ code: 'SEND_AFTER_CLOSE' }));
    await closing;
    expect(() => child.send(ping(1))).toThrow(expect.objectContaining({ code: 'SEND_AFTER_CLOSE' }));
  });

  test('leaves no process, descriptor, handle, timer or listener behind, started and ended 50 times and more, and no host that cannot end', async () => {
    const { code, stdout, stderr } = await shell(nodeFixture('rounds'));
    expect([code, stderr]).toEqual([0, '']);
    const { before, after, pids } = JSON.parse(stdout) as { before: unknown; after: unknown; pids: number[] };
    expect(after).toEqual(before);
    expect(pids).toHaveLength(81);
    await until(() => pids.flatMap(groupMembers).length === 0);
  });
});

describe('a child', () => {
  test.each([
    ['an empty command', { command: '' }, 'OPTION_INVALID'],
    ['arguments that are no strings', { command: 'cat', args: [1 as unknown as string] }, 'OPTION_INVALID'],
    ['an empty cwd', { command: 'cat', cwd: '' }, 'OPTION_INVALID'],
    ['an unknown inheritEnv', { command: 'cat', inheritEnv: 'all' as 'minimal' }, 'OPTION_INVALID'],
    [
      'a variable that is no string',
      { command: 'cat', env: { A: 1 as unknown as string } },
      'OPTION_INVALID',
    ],
    ['an unknown group', { command: 'cat', group: 'new' as 'own' }, 'OPTION_INVALID'],
    [
      'an orphanGuard that is no boolean',
      { command: 'cat', orphanGuard: 1 as unknown as true },
      'OPTION_INVALID',
    ],
    ['an unknown use of stderr', { command: 'cat', stderr: 'pipe' as 'tail' }, 'OPTION_INVALID'],
    ['a signal that is none', { command: 'cat', signal: {} as AbortSignal }, 'OPTION_INVALID'],
    ['a time out of range', { command: 'cat', closeTimeoutMs: -1 }, 'OPTION_RANGE'],
    ['a size out of range', { command: 'cat', stderrTailBytes: 2 ** 31 }, 'OPTION_RANGE'],
    ['a low water above high water', { command: 'cat', highWaterBytes: 1, lowWaterBytes: 2 }, 'OPTION_RANGE'],
    ['a reader option out of range', { command: 'cat', maxDepth: 0 }, 'OPTION_RANGE'],
  ])('because of %s is refused at once', (_, options, code) => {
    expect(() => spawnChild(options)).toThrow(expect.objectContaining({ code }));
  });
});
