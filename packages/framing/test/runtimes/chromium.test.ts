import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, reportsOfPages } from './chromium.ts';
import { expectedFrames, type Report, type StreamFile, streamFile } from './programs.ts';
import { allStreams } from './streams.ts';

const chromium = findChromium();
const skipped = chromium === undefined ? ' (SKIPPED: no Chromium here; apt-get install chromium)' : '';

describe.skipIf(chromium === undefined)(`the built package in Chromium${skipped}`, () => {
  let file: StreamFile;
  let expected: Readonly<Record<string, string>>;
  let reports: ReadonlyMap<string, Report>;

  beforeAll(async () => {
    file = streamFile(allStreams());
    expected = await expectedFrames(file);
    const pages = [
      { name: 'free', policy: undefined },
      { name: 'wasm-only', policy: "script-src 'self' 'wasm-unsafe-eval'" },
      { name: 'refused', policy: "script-src 'self'" },
    ];
    reports = await reportsOfPages(chromium as string, pages, file);
  });
  afterAll(() => file.remove());

  it.each(['free', 'wasm-only'])(
    'reads with the wasm engine what Node reads with the scalar one: %s',
    (page) => {
      expect(reports.get(page)).toMatchObject({ active: { name: 'wasm' }, fallbackFrames: 0 });
      expect(reports.get(page)?.frames).toEqual(expected);
    },
  );

  it('reads with the scalar engine where a Content-Security-Policy refuses WebAssembly, and says so', () => {
    const { active, frames } = reports.get('refused') ?? {};
    expect(active?.name).toBe('scalar');
    expect(active?.reason).toMatch(
      /^this runtime refuses to compile WebAssembly \(.*Content Security Policy/,
    );
    expect(frames).toEqual(expected);
  });
});
