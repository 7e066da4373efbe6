import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ChildDuplex } from '../../src/index.ts';
import {
  answer,
  listen,
  ping,
  READINGS,
  spawn,
  spawnFixture,
  spawnNode,
  spawnShell,
} from '../support/child-harness.ts';
import { groupMembers, isAlive, until } from '../support/process-state.ts';

describe.each(READINGS)('a child, read by %s,', (reading) => {
  beforeEach(() => {
    vi.stubEnv('LINEWIRE_READING', reading);
  });

  test('that is killed at any byte of its output gives every whole frame before, in order, and at most one cut one', async () => {
    const counted = `for(let n=0;;n++)require('fs').writeSync(1,'{"jsonrpc":"2.0","id":'+n+',"result":{"t":"'+'x'.repeat(n*37%5000)+'"}}\\n')`;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 3_000_000 }), async (killAtByte) => {
        const child = spawnNode(counted);
        const pid = child.pid ?? 0;
        const ids: number[] = [];
        const codes: (string | undefined)[] = [];
        child.start({
          onFrames(batch) {
            for (let index = 0; index < batch.count; index++) {
              if (batch.kind(index) === 'result') ids.push(Number(batch.idText(index)));
              else codes.push(batch.code(index));
            }
            if (child.stats.bytesIn >= killAtByte && isAlive(pid)) process.kill(pid, 'SIGKILL');
          },
        });
        expect(await child.closed).toMatchObject({ kind: 'exit', exitCode: null, signal: 'SIGKILL' });
        expect(ids).toEqual(ids.map((_, index) => index));
        expect(codes.filter((code) => code !== 'FRAME_TRUNCATED')).toEqual([]);
        expect(codes.length).toBeLessThanOrEqual(1);
        expect(child.stats.framesIn).toBe(ids.length + codes.length);
      }),
      { numRuns: 12 },
    );
  });

  test('that answers half a frame and dies leaves a fault, and the next child begins clean', async () => {
    for (const cut of ['{"jsonrpc":"2.0","id":1,"res', '{', '{"jsonrpc":"2.0","id":1,"result":{"t":"\\303']) {
      const child = spawnShell(`printf '${cut}'; kill -KILL $$`);
      const heard = listen(child);
      expect(await child.closed).toMatchObject({ kind: 'exit', signal: 'SIGKILL' });
      expect([heard.kinds, heard.codes]).toEqual([['fault'], ['FRAME_TRUNCATED']]);
      const next = spawnShell(`echo '${answer(2)}'`);
      const heardNext = listen(next);
      await next.closed;
      expect([heardNext.kinds, heardNext.ids]).toEqual([['result'], ['2']]);
    }
  });

  test('gives more than its pipe holds after its exit, though the host was busy', async () => {
    const child = spawnNode(`process.stdout.write('${answer(1)}\\n'.repeat(5000))`);
    const heard = listen(child);
    await until(() => heard.ids.length > 0, 20_000);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    expect(await child.closed).toMatchObject({ kind: 'exit', exitCode: 0 });
    expect(heard.ids).toHaveLength(5000);
  });

  test('that is read slowly waits, and the host holds no more than its window and one chunk', async () => {
    const child = spawnNode(
      `const l=${JSON.stringify(`${answer(1)}\n`)}.repeat(1000);let n=0;const go=()=>{while(n<400)if(n++,!process.stdout.write(l))return process.stdout.once('drain',go)};go()`,
    );
    let frames = 0;
    let most = 0;
    child.start({
      onFrames(batch) {
        most = Math.max(most, batch.count);
        frames++;
        child.pause();
        setTimeout(() => child.resume(), 0);
        return 1;
      },
    });
    await until(() => frames > 300, 20_000);
    const line = Buffer.byteLength(`${answer(1)}\n`);
    expect(child.stats.bytesIn).toBeLessThan(frames * line + 1024 * 1024);
    expect(await child.close()).toMatchObject({ kind: 'closed' });
    expect(most).toBeGreaterThan(1);
  });

  test('sends and gets 8 MiB in both directions at once, in order', async () => {
    const child = spawnShell('cat', { highWaterBytes: 64 << 20 });
    const heard = listen(child);
    const text = 'é'.repeat(8 * 1024);
    for (let id = 0; id < 512; id++)
      child.sendEncoded(`{"jsonrpc":"2.0","id":${id},"result":{"t":"${text}"}}`);
    await until(() => heard.ids.length === 512, 20_000);
    expect(heard.ids).toEqual(Array.from({ length: 512 }, (_, id) => String(id)));
    expect(await child.close()).toMatchObject({ kind: 'closed', exitCode: 0 });
  });

  test('(p11) that dies at once tells so each time, with its own last words', async () => {
    for (let round = 0; round < 3; round++) {
      const child = spawnFixture('p11');
      listen(child);
      const pid = child.pid ?? 0;
      expect(await child.closed).toMatchObject({ kind: 'exit', exitCode: 1, stderrTail: `boom ${pid}\n` });
    }
  });

  test('is closed while it has not said a word yet, and nothing is left of it', async () => {
    const child = spawnFixture('p02', [], { closeTimeoutMs: 0, termTimeoutMs: 0 });
    expect(await child.close()).toMatchObject({ kind: 'closed', exitCode: null });
    expect(groupMembers(child.pid ?? 0)).toEqual([]);
  });
});

describe('an abort signal', () => {
  test('closes a child as close() does, and is let go of at its end', async () => {
    const controller = new AbortController();
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const child = spawn({ command: 'cat', signal: controller.signal });
    const heard = listen(child);
    child.send(ping(1));
    await until(() => heard.kinds.length === 1);
    controller.abort();
    expect(await child.closed).toMatchObject({ kind: 'closed', exitCode: 0, signal: null });
    expect(removed).toHaveBeenCalledTimes(1);
    expect(() => child.send(ping(2))).toThrow(expect.objectContaining({ code: 'SEND_AFTER_CLOSE' }));
  });

  test('that is aborted before starts nothing', async () => {
    const child = spawn({ command: 'cat', signal: AbortSignal.abort() });
    const heard = listen(child);
    const reason = await child.closed;
    expect([child.pid, reason.kind, reason.exitCode]).toEqual([undefined, 'closed', undefined]);
    expect(heard.calls).toEqual(['close']);
  });

  test('is no concern of a child that has ended', async () => {
    const controller = new AbortController();
    const children: ChildDuplex[] = [];
    for (let round = 0; round < 3; round++) {
      const child = spawn({ command: 'true', signal: controller.signal });
      listen(child);
      await child.closed;
      children.push(child);
    }
    controller.abort();
    expect(await Promise.all(children.map((child) => child.closed))).toEqual(
      children.map(() => expect.objectContaining({ kind: 'exit', exitCode: 0 })),
    );
  });
});
