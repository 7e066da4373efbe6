import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { openChildPipe } from '../../src/reading/child-pipe.ts';
import { SocketSource } from '../../src/reading/source-socket.ts';
import { StreamSource } from '../../src/reading/source-stream.ts';

test('a child of this runtime is read by onread, unless the other way is forced', async () => {
  for (const [reading, kind] of [
    ['auto', SocketSource],
    ['data', StreamSource],
  ] as const) {
    vi.stubEnv('LINEWIRE_READING', reading);
    const child = spawn('true', { stdio: ['ignore', 'pipe', 'ignore'] });
    expect(openChildPipe(child.stdout)).toBeInstanceOf(kind);
    await once(child, 'exit');
    child.stdout.destroy();
  }
});

test('a stream without a handle of Node is read by its data events', async () => {
  const stream = new PassThrough();
  let text = '';
  const ended = new Promise<void>((resolve, reject) => {
    openChildPipe(stream).start({
      room: () => new Uint8Array(0),
      landed: () => true,
      chunk(bytes) {
        text += Buffer.from(bytes).toString();
        return true;
      },
      ended: resolve,
      failed: reject,
    });
  });
  stream.end('words');
  await ended;
  expect(text).toBe('words');
});

test('nothing is read before the start, and the bytes land in the room that was given', async () => {
  const child = spawn('printf', ['some words'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const source = openChildPipe(child.stdout);
  await once(child, 'exit');
  const room = new Uint8Array(100);
  const landed: number[] = [];
  await new Promise<void>((resolve, reject) => {
    source.start({
      room: () => room,
      landed: (byteCount) => landed.push(byteCount) > 0,
      chunk: () => {
        throw new Error('a copy');
      },
      ended: resolve,
      failed: reject,
    });
  });
  expect(landed).toEqual([10]);
  expect(Buffer.from(room.subarray(0, 10)).toString()).toBe('some words');
  source.stop();
  child.stdout.destroy();
});

test('what is stopped stays stopped when the child exits, and all of it comes after resume', async () => {
  const child = spawn('dd', ['if=/dev/zero', 'bs=120000', 'count=1'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // One write, so that the pipe takes it whole and the child can exit.
  const source = openChildPipe(child.stdout);
  const room = new Uint8Array(1000);
  let [reads, bytes, isStopped] = [0, 0, true];
  const take = (byteCount: number): boolean => {
    reads++;
    bytes += byteCount;
    return !isStopped;
  };
  const exited = once(child, 'exit');
  const ended = new Promise<void>((resolve, reject) => {
    source.start({
      room: () => room,
      landed: take,
      chunk: (part) => take(part.length),
      ended: resolve,
      failed: reject,
    });
  });
  await exited;
  await new Promise((resolve) => setTimeout(resolve, 50));
  // One read, and perhaps one that Node had asked for before it was told.
  expect(reads).toBeLessThanOrEqual(2);
  expect(bytes).toBeGreaterThan(0);
  isStopped = false;
  source.resume();
  await ended;
  expect(bytes).toBe(120_000);
  source.stop();
  child.stdout.destroy();
});
