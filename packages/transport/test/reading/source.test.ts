import { spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Intake, Source } from '../../src/reading/source.ts';
import { FileSource } from '../../src/reading/source-file.ts';
import { SocketSource } from '../../src/reading/source-socket.ts';
import { StreamSource } from '../../src/reading/source-stream.ts';
import { until } from '../support/process-state.ts';

/** An intake that says what it is told to say, and remembers. */
class TestIntake implements Intake {
  readonly calls: string[] = [];
  byteCount = 0;
  more = true;

  room(): Uint8Array {
    this.calls.push('room');
    return new Uint8Array(50_000);
  }

  landed(byteCount: number): boolean {
    this.calls.push('landed');
    this.byteCount += byteCount;
    return this.more;
  }

  chunk(bytes: Uint8Array): boolean {
    this.calls.push('chunk');
    this.byteCount += bytes.length;
    return this.more;
  }

  ended(): void {
    this.calls.push('ended');
  }

  failed(error: Error): void {
    this.calls.push(`failed ${error.message}`);
  }
}

const BYTES = 1_000_000;
const aWhile = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));

let folder: string;
let file: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'linewire-source-'));
  file = join(folder, 'file');
  writeFileSync(file, Buffer.alloc(BYTES, 'x'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A FIFO with 60,000 bytes in it, which never ends: the descriptor holds its writing side open, too. */
async function openFifo(): Promise<number> {
  const fifo = join(folder, `fifo-${Math.random()}`);
  await new Promise((resolve) => spawn('sh', ['-c', 'mkfifo "$0"', fifo]).on('exit', resolve));
  const fd = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
  writeSync(fd, Buffer.alloc(60_000, 'x'));
  return fd;
}

function openStream(): Readable {
  return Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(BYTES / 100)));
}

function streamSource(stream: Readable): Source {
  return new StreamSource(stream, {
    pause: () => stream.pause(),
    resume: () => stream.resume(),
    release: () => stream.destroy(),
  });
}

describe('a source', () => {
  test.each([
    ['file', () => new FileSource(openSync(file, 'r'))],
    ['stream', () => streamSource(openStream())],
  ])(
    'over a %s stops when the intake says false, goes on with resume(), and tells the end once',
    async (_, open) => {
      const intake = new TestIntake();
      intake.more = false;
      const source = open();
      source.start(intake);
      await aWhile();
      expect(intake.calls).toEqual(['chunk']);
      source.resume();
      await aWhile();
      expect(intake.calls).toEqual(['chunk', 'chunk']);
      intake.more = true;
      source.resume();
      await until(() => intake.calls.includes('ended'));
      await aWhile();
      expect(intake.byteCount).toBe(BYTES);
      expect(intake.calls.filter((call) => call !== 'chunk')).toEqual(['ended']);
    },
  );

  test('over a pipe stops when the intake says false, and asks for no room that would be stale by then', async () => {
    const fd = await openFifo();
    const intake = new TestIntake();
    intake.more = false;
    const source = new SocketSource(fd);
    source.start(intake);
    await aWhile();
    expect(intake.calls).toEqual(['room', 'landed']);
    intake.more = true;
    source.resume();
    await until(() => intake.byteCount === 60_000);
    writeSync(fd, Buffer.alloc(10));
    await until(() => intake.byteCount === 60_010);
    expect(intake.calls).toEqual(['room', 'landed', 'chunk', 'room', 'landed', 'room']);
    source.stop();
  });

  test.each([
    ['file', async () => new FileSource(openSync(file, 'r'))],
    ['pipe', async () => new SocketSource(await openFifo())],
    ['stream', async () => streamSource(openStream())],
  ])('over a %s that is stopped tells nothing more', async (_, open) => {
    const intake = new TestIntake();
    const source = await open();
    source.start(intake);
    source.stop();
    await aWhile();
    expect(intake.calls.filter((call) => call !== 'room')).toEqual([]);
  });

  test('over a file tells a failure once', async () => {
    const fd = openSync(folder, 'r');
    const intake = new TestIntake();
    new FileSource(fd).start(intake);
    await until(() => intake.calls.length > 0);
    expect(intake.calls).toEqual([expect.stringContaining('failed EISDIR')]);
    closeSync(fd);
  });

  test('over a stream that is destroyed tells the end, or the failure, once', async () => {
    for (const [error, expected] of [
      [undefined, 'ended'],
      [new Error('broken'), 'failed broken'],
    ] as const) {
      const stream = new Readable({ read() {} });
      const intake = new TestIntake();
      streamSource(stream).start(intake);
      stream.destroy(error);
      await aWhile();
      expect(intake.calls).toEqual([expected]);
    }
  });
});
