import { constants } from 'node:buffer';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isFramingError } from '../../src/index.ts';
import { createSimdjsonValidator } from '../../src/simdjson/index.ts';
import { loadAddon, type Requiring } from '../../src/simdjson/load-addon.ts';
import { joined } from '../support/events.ts';
import { simdjsonMissing, simdjsonNote } from '../support/simdjson.ts';

describe.skipIf(simdjsonMissing !== undefined)(`the validator${simdjsonNote}`, () => {
  it('says whether bytes or a string are one JSON text, newlines and white space included', () => {
    const validator = createSimdjsonValidator();
    for (const text of ['{"a":[1,"é",null]}', ' [\n1\r\n]\t', '"ทดสอบ 😀"', '0', 'true']) {
      expect([text, validator.isValid(text), validator.isValid(joined(text))]).toEqual([text, true, true]);
    }
    for (const text of ['', ' ', '{', '[1,]', '01', '1 2', '"\n"', '\ufeff[]', '[]\0', '{"a":1}\n{"a":2}']) {
      expect([text, validator.isValid(text), validator.isValid(joined(text))]).toEqual([text, false, false]);
    }
  });

  it('refuses bytes that are not UTF-8, which a string would hide', () => {
    const validator = createSimdjsonValidator();
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe0, 0xb8]])
      expect(validator.isValid(joined('"', bytes, '"'))).toBe(false);
  });

  it('checks the bytes of a view and no others', () => {
    expect(createSimdjsonValidator().isValid(joined('x[1]x').subarray(1, 4))).toBe(true);
  });

  it('refuses what is neither bytes nor a string', () => {
    const validator = createSimdjsonValidator();
    expect(codeOf(() => validator.isValid(42 as unknown as string))).toBe('OPTION_INVALID');
  });

  it('refuses more bytes than a string can have characters, with both numbers', () => {
    const tooLong = new Uint8Array(constants.MAX_STRING_LENGTH + 1);
    expect(() => createSimdjsonValidator().isValid(tooLong)).toThrowError(
      expect.objectContaining({
        code: 'OPTION_RANGE',
        limit: constants.MAX_STRING_LENGTH,
        actual: tooLong.length,
      }),
    );
  });
});

describe('simdjson that cannot be used', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'linewire-simdjson-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const requiring = (): Requiring => createRequire(join(folder, 'main.js'));
  const put = (file: string, text: string): void => {
    const path = join(folder, 'node_modules/simdjson', file);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  };

  it('because it is not installed is told with the command that installs it', () => {
    expect(() => loadAddon(requiring())).toThrowError(
      expect.objectContaining({
        code: 'SIMDJSON_UNAVAILABLE',
        message: expect.stringContaining('npm install simdjson@0.9.2'),
      }),
    );
  });

  it('because its addon was not built is told with what building takes', () => {
    put('package.json', '{"name":"simdjson"}');
    expect(() => loadAddon(requiring())).toThrowError(
      expect.objectContaining({
        code: 'SIMDJSON_UNAVAILABLE',
        message: expect.stringMatching(/not built.*C\+\+17.*allowScripts.*npm rebuild simdjson/),
      }),
    );
  });

  it('because its addon is for another runtime is told with the reason, in one line', () => {
    put('package.json', '{"name":"simdjson"}');
    put('build/Release/simdjson.node', 'not\nan addon');
    expect(() => loadAddon(requiring())).toThrowError(
      expect.objectContaining({
        code: 'SIMDJSON_UNAVAILABLE',
        message: expect.stringMatching(
          /^.*does not load in this runtime \(.*simdjson\.node.*\).*npm rebuild simdjson$/,
        ),
        cause: expect.any(Error),
      }),
    );
  });

  it('because it is something else is told', () => {
    const require = Object.assign(() => ({}), { resolve: (id: string) => `/${id}` });
    expect(() => loadAddon(require)).toThrowError(
      '/simdjson/build/Release/simdjson.node has no function isValid',
    );
  });

  it('because the runtime has no modules of Node is told', () => {
    vi.stubGlobal('process', undefined);
    const code = codeOf(createSimdjsonValidator);
    vi.unstubAllGlobals();
    expect(code).toBe('SIMDJSON_UNAVAILABLE');
  });
});

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (isFramingError(error)) return error.code;
    throw error;
  }
  return 'no error';
}
