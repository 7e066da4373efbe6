import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { jsonExamplesFolder, simdjsonMissing, simdjsonNote } from '../support/simdjson.ts';

const packageFolder = fileURLToPath(new URL('../../', import.meta.url));

/** What a module prints that runs in `folder`, on built packages. */
function printed(folder: string, source: string): unknown {
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', source], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 100_000,
  });
  return JSON.parse(output);
}

it.skipIf(simdjsonMissing !== undefined)(
  `the built entry loads the addon when a validator is made, not when it is imported${simdjsonNote}`,
  () => {
    const source = `
      import { createSimdjsonValidator } from '@linewire/framing/simdjson';
      const isLoaded = () => process.report.getReport().sharedObjects.some((path) => path.endsWith('simdjson.node'));
      const before = isLoaded();
      const valid = createSimdjsonValidator().isValid('[1]');
      console.log(JSON.stringify([before, valid, isLoaded()]));`;
    expect(printed(packageFolder, source)).toEqual([false, true, true]);
  },
);

it('the built entry, where simdjson is not installed, throws the error of the main entry and leaves JSON alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'linewire-simdjson-'));
  try {
    for (const part of ['package.json', 'dist'])
      cpSync(join(packageFolder, part), join(folder, 'node_modules/@linewire/framing', part), {
        recursive: true,
      });
    const source = `
      import { FramingError } from '@linewire/framing';
      import { createSimdjsonValidator } from '@linewire/framing/simdjson';
      try {
        createSimdjsonValidator();
      } catch (error) {
        console.log(JSON.stringify([error instanceof FramingError, error.code, 'isValid' in JSON]));
      }`;
    expect(printed(folder, source)).toEqual([true, 'SIMDJSON_UNAVAILABLE', false]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it.skipIf(simdjsonMissing !== undefined)(
  `the built engines, simdjson and JSON.parse agree that the city lots of San Francisco, 190 MB, are JSON${simdjsonNote}`,
  () => {
    const source = `
      import { readFileSync } from 'node:fs';
      import { gunzipSync } from 'node:zlib';
      import { createFrameReader } from '@linewire/framing';
      import { createSimdjsonValidator } from '@linewire/framing/simdjson';
      const bytes = gunzipSync(readFileSync(${JSON.stringify(join(jsonExamplesFolder() ?? '', 'sf_citylots.json.gz'))}));
      const opinions = [createSimdjsonValidator().isValid(bytes)];
      JSON.parse(bytes.latin1Slice());
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) bytes[at] = 13;
      for (const engine of ['wasm', 'scalar']) {
        const reader = createFrameReader({
          engine,
          envelope: 'none',
          maxFrameBytes: 2 ** 31 - 1,
          onFrames: (batch) => { for (let i = 0; i < batch.count; i++) opinions.push(batch.kind(i)); },
        });
        reader.push(bytes);
        reader.end();
      }
      console.log(JSON.stringify(opinions));`;
    expect(printed(packageFolder, source)).toEqual([true, 'value', 'value']);
  },
  120_000,
);
