import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectedFrames, printed, programPath, type StreamFile, streamFile } from '../runtimes/programs.ts';
import { fewStreams } from '../runtimes/streams.ts';

/** Node 24 and later do without the ten gigabytes of address space where they cannot have them. */
const reservesAddressSpace = Number.parseInt(process.versions.node, 10) < 24;

const program = programPath('read-in-process.mjs');

/** Ways to take the wasm engine away from a process, with what the process then says. */
const obstacles = [
  {
    name: 'without WebAssembly (--jitless)',
    run: (args: readonly string[]) => [process.execPath, '--jitless', ...args],
    reason: 'this runtime has no WebAssembly',
    applies: true,
  },
  {
    name: 'without SIMD (a processor without SSE 4.1)',
    run: (args: readonly string[]) => [process.execPath, '--no-enable-sse4-1', ...args],
    reason: 'the WebAssembly of this runtime or processor has no SIMD instructions',
    applies: process.arch === 'x64',
  },
  {
    name: 'without address space (ulimit -v)',
    run: (args: readonly string[]) => [
      'bash',
      '-c',
      'ulimit -v 4000000; exec "$0" "$@"',
      process.execPath,
      ...args,
    ],
    reason: 'there is not enough memory or address space for WebAssembly',
    applies: process.platform === 'linux' && reservesAddressSpace,
  },
] as const;

describe('a process', () => {
  let file: StreamFile;
  let expected: Readonly<Record<string, string>>;

  beforeAll(async () => {
    file = streamFile(fewStreams());
    expected = await expectedFrames(file);
  });
  afterAll(() => file.remove());

  it('reads with the wasm engine where nothing stands in its way', async () => {
    const report = await printed(process.execPath, [program, file.path]);
    expect(report.active).toEqual({ name: 'wasm', reason: 'WebAssembly with SIMD works here' });
    expect(report.frames).toEqual(expected);
    expect(report.fallbackFrames).toBe(0);
  });

  for (const { name, run, reason, applies } of obstacles) {
    describe.runIf(applies)(name, () => {
      const start = (args: readonly string[], environment: Readonly<Record<string, string>>) => {
        const [command = '', ...rest] = run(args);
        return printed(command, rest, environment);
      };

      it('reads the same frames with the scalar engine, and says why', async () => {
        const report = await start([program, file.path], { LINEWIRE_ENGINE: 'auto' });
        expect(report.active).toEqual({ name: 'scalar', reason: expect.stringContaining(reason) });
        expect(report.frames).toEqual(expected);
      });

      it('refuses a reader whose options ask for wasm', async () => {
        const report = await start([program, file.path, 'wasm'], {});
        expect(report.failure).toMatch(/^ENGINE_UNAVAILABLE: the wasm engine does not work here: /);
        expect(report.failure).toContain(reason);
      });

      it('refuses every reader under LINEWIRE_ENGINE=wasm that does not ask for scalar', async () => {
        const wasm = { LINEWIRE_ENGINE: 'wasm' };
        expect((await start([program, file.path], wasm)).failure).toContain(reason);
      });
    });
  }

  it('reads the same frames with the scalar engine where code generation is refused, and says why', async () => {
    const args = [
      '--experimental-vm-modules',
      '--no-warnings',
      programPath('read-in-context.mjs'),
      file.path,
    ];
    const report = await printed(process.execPath, args);
    expect(report.active?.name).toBe('scalar');
    expect(report.active?.reason).toMatch(
      /^this runtime refuses to compile WebAssembly \(.+ disallowed by embedder\)$/,
    );
    expect(report.frames).toEqual(expected);
  });
});
