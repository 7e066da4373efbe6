import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SyncSink } from '../../src/writing/sink-sync.ts';
import { until } from '../support/process-state.ts';

let folder: string;
let heard: string[];

const owner = {
  written: () => heard.push('written'),
  failed: (error: Error & { code?: string }) => heard.push(`failed ${error.code}`),
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linewire-sink-'));
  heard = [];
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a synchronous sink', () => {
  test('takes everything at once and appends where the descriptor says so', () => {
    const path = join(folder, 'out');
    writeFileSync(path, 'before ');
    const fd = openSync(path, 'a');
    const sink = new SyncSink(fd, owner);
    expect(sink.write(Buffer.from('one '))).toBe(true);
    expect(sink.write(Buffer.from('two'))).toBe(true);
    closeSync(fd);
    expect([readFileSync(path, 'utf8'), heard]).toEqual(['before one two', []]);
  });

  test('tells a broken descriptor at once', () => {
    const sink = new SyncSink(1_000_000, owner);
    expect(sink.write(Buffer.from('x'))).toBe(false);
    expect(heard).toEqual(['failed EBADF']);
  });

  test('waits for a descriptor that is full, goes on where it stopped, and knows what is unsent meanwhile', async () => {
    // A FIFO opened without blocking stands in for a terminal whose other side is slow.
    const fifo = join(folder, 'fifo');
    await new Promise((resolve) => spawn('sh', ['-c', 'mkfifo "$0"', fifo]).on('exit', resolve));
    const fd = openSync(fifo, 0o4002);
    const sink = new SyncSink(fd, owner);
    try {
      const chunk = Buffer.alloc(200_000, 'abcdefg');
      expect(sink.write(chunk)).toBe(false);
      const unsent = sink.unsent(chunk);
      expect(unsent.length).toBeGreaterThan(0);
      expect(unsent.length).toBeLessThan(chunk.length);
      const reader = spawn('head', ['-c', '200000', fifo]);
      let bytes = 0;
      reader.stdout.on('data', (piece: Buffer) => {
        bytes += piece.length;
      });
      await until(() => bytes === 200_000);
      expect(heard).toEqual(['written']);
      reader.kill('SIGKILL');
    } finally {
      sink.release();
      closeSync(fd);
    }
  });
});
