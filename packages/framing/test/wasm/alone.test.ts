import { type CorpusName, corpora, createCorpus, handedCases } from '@linewire/testkit';
import { afterEach, expect, it, vi } from 'vitest';
import { createFrameReader, type FrameReaderOptions } from '../../src/index.ts';
import { GrammarMachine } from '../../src/scalar/machine.ts';
import { NewlineScanner } from '../../src/scalar/newline-scanner.ts';
import { ScalarScanner } from '../../src/scalar/scanner.ts';

type Mode = Pick<FrameReaderOptions, 'envelope' | 'validate'>;

const modes: readonly Mode[] = [
  { validate: 'full' },
  { validate: 'envelope' },
  { envelope: 'none', validate: 'full' },
  { envelope: 'none', validate: 'none' },
];

afterEach(() => vi.restoreAllMocks());

/** Every way into the scalar engine, watched. */
function watchScalar() {
  return [
    vi.spyOn(ScalarScanner.prototype, 'scan'),
    vi.spyOn(ScalarScanner.prototype, 'finish'),
    vi.spyOn(NewlineScanner.prototype, 'scan'),
    vi.spyOn(NewlineScanner.prototype, 'finish'),
    vi.spyOn(GrammarMachine.prototype, 'begin'),
    vi.spyOn(GrammarMachine.prototype, 'run'),
  ];
}

/** Reads `bytes` in pieces and gives the number of frames, good and bad. */
function read(engine: 'wasm' | 'scalar', bytes: Uint8Array, mode: Mode): number {
  let frames = 0;
  const reader = createFrameReader({
    ...mode,
    engine,
    onFrames(batch) {
      frames += batch.count;
    },
  });
  for (let at = 0; at < bytes.length; at += 7000) reader.push(bytes.subarray(at, at + 7000));
  reader.end();
  return frames;
}

it.each(modes)(
  'no line of the scalar engine runs when the kernel scans, whatever the frames are, %j',
  (mode) => {
    const calls = watchScalar();
    let frames = 0;
    for (const { bytes } of handedCases()) frames += read('wasm', bytes.subarray(0, 200_000), mode);
    for (const name of Object.keys(corpora) as CorpusName[]) {
      frames += read('wasm', createCorpus(name, { targetBytes: 100_000 }).bytes, mode);
    }
    expect(frames).toBeGreaterThan(1000);
    for (const call of calls) expect(call).not.toHaveBeenCalled();
  },
);

it('and the watch sees it when it does run', () => {
  const calls = watchScalar();
  read('scalar', Buffer.from('{"a":1}\n{"jsonrpc":'), { validate: 'full' });
  read('scalar', Buffer.from('{"a":1}\n'), { envelope: 'none', validate: 'none' });
  for (const call of calls) expect(call).toHaveBeenCalled();
});
