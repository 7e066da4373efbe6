import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeDescriptor, isSameStream } from '../src/descriptor.ts';

let folder: string;
const open: number[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'linewire-fd-'));
});

afterAll(() => {
  for (const fd of open) closeSync(fd);
  rmSync(folder, { recursive: true, force: true });
});

function opened(path: string): number {
  const fd = openSync(path, 'r+');
  open.push(fd);
  return fd;
}

describe('a descriptor', () => {
  test('is known by its kind', () => {
    const file = join(folder, 'kind');
    writeFileSync(file, '');
    expect(describeDescriptor(opened(file)).kind).toBe('file');
    expect(describeDescriptor(opened('/dev/null')).kind).toBe('device');
    expect(describeDescriptor(1_000_000).kind).toBe('closed');
  });

  test('is the same stream as another one that leads into the same file, and no device is', () => {
    for (const name of ['one', 'two']) writeFileSync(join(folder, name), '');
    const [one, again, two] = ['one', 'one', 'two'].map((name) =>
      describeDescriptor(opened(join(folder, name))),
    );
    if (one === undefined || again === undefined || two === undefined) throw new Error('three files');
    expect(isSameStream(one, again)).toBe(true);
    expect(isSameStream(one, two)).toBe(false);
    const nothing = describeDescriptor(opened('/dev/null'));
    expect(isSameStream(nothing, nothing)).toBe(false);
  });
});
