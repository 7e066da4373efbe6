import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  expectedFrames,
  installedRuntime,
  printed,
  programPath,
  type StreamFile,
  streamFile,
} from './programs.ts';
import { allStreams } from './streams.ts';

/** Deno gets no permission but to read: the environment is closed to the package. */
const denoArgs = ['run', '--no-prompt', '--no-config', '--no-lock', '--no-remote', '--allow-read'];

const runtimes = [
  { name: 'Node 22', binary: 'node-22/bin/node', args: [] },
  { name: 'Node 24', binary: 'node-24/bin/node', args: [] },
  { name: 'Node 26', binary: 'node-26/bin/node', args: [] },
  { name: 'Deno', binary: '@deno/linux-x64-glibc/deno', args: denoArgs },
  { name: 'Bun', binary: '@oven/bun-linux-x64/bin/bun', args: [] },
].map((runtime) => ({ ...runtime, command: installedRuntime(runtime.binary) }));

describe('the built package', () => {
  let file: StreamFile;
  let expected: Readonly<Record<string, string>>;

  beforeAll(async () => {
    file = streamFile(allStreams());
    expected = await expectedFrames(file);
  });
  afterAll(() => file.remove());

  for (const { name, args, command } of runtimes) {
    const skipped = command === undefined ? ' (SKIPPED: it is not installed; npm ci --prefix runtimes)' : '';

    it.skipIf(command === undefined)(
      `reads the same frames in ${name}, with the wasm engine${skipped}`,
      async () => {
        const all = [...args, programPath('read-in-process.mjs'), file.path];
        const environment = { HOME: file.folder, DENO_DIR: file.folder, DENO_NO_UPDATE_CHECK: '1' };
        const report = await printed(command as string, all, environment);
        expect(report).toMatchObject({ active: { name: 'wasm' }, fallbackFrames: 0 });
        expect(report.frames).toEqual(expected);
      },
    );
  }
});
