import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const starter = fileURLToPath(new URL('../bin/start-cached.js', import.meta.url));
const waitMs = 20_000;
let folder = '';
let bundle = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linewire-start-'));
  bundle = join(folder, 'bundle.cjs');
  writeBundle('sum');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Long enough to be worth a cache, and of the same length for words of the same length. */
function writeBundle(word: string): void {
  const functions = Array.from({ length: 50 }, (_, at) => `function f${at}(a, b) { return a + b + ${at}; }`);
  const text = `'use strict';
const { basename } = require('node:path');
${functions.join('\n')}
process.on('exit', () => console.log('bye'));
console.log('${word}', basename(__filename), f1(1, 2) + f49(1, 2));
`;
  writeFileSync(bundle, text);
}

/** Prints on stderr whether the bundle ran from the cache. */
const runner = `
const vm = require('node:vm');
vm.Script = class extends vm.Script {
  constructor(code, options) {
    super(code, options);
    const { cachedData } = options;
    process.stderr.write(cachedData === undefined ? 'compiled' : this.cachedDataRejected ? 'refused' : 'cached');
  }
};
require(${JSON.stringify(starter)})(process.argv[1], process.argv[2] === 'typical');
`;

interface Started {
  readonly how: string;
  readonly output: string;
  readonly status: number | null;
}

interface StartOptions {
  readonly flags?: readonly string[];
  readonly env?: Record<string, string>;
  readonly isTypical?: boolean;
}

const environment = (more: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_DISABLE_COMPILE_CACHE: '',
  NODE_COMPILE_CACHE: join(folder, 'cache'),
  ...more,
});

function start({ flags = [], env = {}, isTypical = true }: StartOptions = {}): Started {
  const args = [...flags, '-e', runner, bundle, isTypical ? 'typical' : 'other'];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    env: environment(env),
    encoding: 'utf8',
    timeout: waitMs,
  });
  return { how: stderr, output: stdout, status };
}

/** Files that the starter has left, the unfinished ones too. */
function cacheFiles(): string[] {
  const cache = join(folder, 'cache');
  if (!existsSync(cache)) return [];
  return readdirSync(cache)
    .filter((name) => name.startsWith('linewire-'))
    .flatMap((name) => readdirSync(join(cache, name)).map((file) => join(cache, name, file)));
}

function onlyCacheFile(): string {
  const files = cacheFiles();
  expect(files).toHaveLength(1);
  return files[0] as string;
}

const right = 'sum bundle.cjs 56\nbye\n';
const compiled = { how: 'compiled', output: right, status: 0 };
const cached = { how: 'cached', output: right, status: 0 };

describe('a bundle that is started with a code cache', () => {
  it('runs from the code that the first start has left', () => {
    expect([start(), start()]).toEqual([compiled, cached]);
    onlyCacheFile();
  });

  it('leaves none after a start that is not typical, and uses the one that is there', () => {
    expect([start({ isTypical: false }), cacheFiles()]).toEqual([compiled, []]);
    start();
    expect(start({ isTypical: false })).toEqual(cached);
  });

  it('neither reads nor leaves any when NODE_DISABLE_COMPILE_CACHE is set', () => {
    const env = { NODE_DISABLE_COMPILE_CACHE: '1' };
    expect([start({ env }), cacheFiles()]).toEqual([compiled, []]);
    start();
    expect(start({ env })).toEqual(compiled);
  });

  it('does not take the code of another source of the same length', () => {
    start();
    writeBundle('SUM');
    expect(start().output).toBe(right.replace('sum', 'SUM'));
    expect(start()).toMatchObject({ how: 'cached', output: right.replace('sum', 'SUM') });
  });

  it('keeps one file for each length of the source, so that two versions do not overwrite each other', () => {
    start();
    writeBundle('longer');
    start();
    expect(cacheFiles()).toHaveLength(2);
    writeBundle('sum');
    expect(start()).toEqual(cached);
  });

  it('compiles anew for other flags of V8, which refuses the code', () => {
    start();
    expect(start({ flags: ['--no-opt'] })).toEqual({ ...compiled, how: 'refused' });
  });

  it('does not run code in which one byte is wrong, wherever it is, and replaces it', () => {
    start();
    const file = onlyCacheFile();
    const whole = readFileSync(file);
    const places = Array.from({ length: 12 }, (_, at) => Math.floor((whole.length - 1) * (at / 11)));
    for (const at of places) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] as number) ^ 0x5a;
      writeFileSync(file, bytes);
      expect([at, start()]).toEqual([at, compiled]);
    }
    expect(start()).toEqual(cached);
  });

  it('does not run code of which a part is missing', () => {
    start();
    const file = onlyCacheFile();
    const whole = readFileSync(file);
    const { length: sourceLength } = readFileSync(bundle);
    for (const length of [
      0,
      1,
      sourceLength - 2,
      sourceLength,
      sourceLength + 2,
      whole.length / 2,
      whole.length - 2,
    ]) {
      writeFileSync(file, whole.subarray(0, Math.floor(length)));
      expect([length, start()]).toEqual([length, compiled]);
    }
    writeFileSync(file, Buffer.concat([whole, whole]));
    expect(start()).toEqual(compiled);
  });

  it('does not run code that others can have written: a file open to them, a link', () => {
    start();
    const file = onlyCacheFile();
    for (const mode of [0o620, 0o602]) {
      chmodSync(file, mode);
      expect([mode, start()]).toEqual([mode, compiled]);
    }
    const elsewhere = join(folder, 'elsewhere.bin');
    renameSync(file, elsewhere);
    symlinkSync(elsewhere, file);
    expect(start()).toEqual(compiled);
    expect(start()).toEqual(cached);
  });

  it.skipIf(process.getuid?.() !== 0)('does not run code that belongs to another user', () => {
    start();
    const file = onlyCacheFile();
    spawnSync('chown', ['12345', file]);
    expect(start()).toEqual(compiled);
  });

  it('starts where nothing can be kept: a file in place of the folder, a folder in place of the file, a folder that refuses', () => {
    const inTheWay = join(folder, 'in-the-way');
    writeFileSync(inTheWay, '');
    const places = [inTheWay, ...(process.platform === 'linux' ? ['/proc/linewire'] : [])];
    for (const place of places)
      expect([place, start({ env: { NODE_COMPILE_CACHE: place } })]).toEqual([place, compiled]);
    start();
    const file = onlyCacheFile();
    rmSync(file);
    mkdirSync(file);
    expect([start(), start()]).toEqual([compiled, compiled]);
    // No unfinished file is left behind either.
    expect(cacheFiles()).toEqual([file]);
  });

  it('is started by many at once: each runs, and what is left is whole', async () => {
    const args = ['-e', runner, bundle, 'typical'];
    const outputs = await Promise.all(
      Array.from({ length: 6 }, () => {
        const child = spawn(process.execPath, args, {
          env: environment(),
          stdio: ['ignore', 'pipe', 'ignore'],
          timeout: waitMs,
        });
        return new Promise<string>((resolve, reject) => {
          let output = '';
          child.stdout.setEncoding('utf8').on('data', (text: string) => {
            output += text;
          });
          child.once('error', reject).once('close', () => resolve(output));
        });
      }),
    );
    expect(outputs).toEqual(outputs.map(() => right));
    onlyCacheFile();
    expect(start()).toEqual(cached);
  });

  it('tells errors by the place where they are', () => {
    const stack = "console.log(new Error('here').stack.split('\\n')[1]);";
    writeFileSync(bundle, `'use strict'; ${stack}\n${stack}\n`);
    const plain = [
      process.execPath,
      ['-e', `require(${JSON.stringify(bundle)})`],
      { encoding: 'utf8' },
    ] as const;
    const placesIn = (text: string): readonly string[] => text.match(/bundle\.cjs:\d+:\d+/g) ?? [];
    const places = placesIn(spawnSync(...plain).stdout);
    expect(places).toHaveLength(2);
    for (const how of ['compiled', 'cached']) {
      const started = start();
      expect([started.how, placesIn(started.output)]).toEqual([how, places]);
    }
  });
});

describe('the bundle of the server', () => {
  const text = readFileSync(fileURLToPath(new URL('../dist/main.cjs', import.meta.url)), 'latin1');

  it('is ASCII, and neither imports nor requires what is not built in: else it could not run from the cache', () => {
    expect([...text].findIndex((character) => character > '\x7f')).toBe(-1);
    expect(text).not.toMatch(/\bimport\s*\(/);
    const required = [...text.matchAll(/\brequire\("([^"]*)"\)/g)].map(([, name]) => name as string);
    expect(required.length).toBeGreaterThan(0);
    expect(required.filter((name) => !name.startsWith('node:'))).toEqual([]);
  });

  it('answers the same by the binary with and without a cache, and leaves one on Node 20', () => {
    const bin = fileURLToPath(new URL('../bin/linewire-server.js', import.meta.url));
    const input =
      '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n' +
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow","arguments":{"ms":1}}}\n';
    const run = (...args: string[]): unknown => {
      const options = { env: environment(), input, encoding: 'utf8', timeout: waitMs } as const;
      const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], options);
      return { status, lines: stdout.split('\n').sort(), stderr };
    };
    run('--version');
    expect(cacheFiles()).toEqual([]);
    const first = run();
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(cacheFiles()).toHaveLength(process.versions.node.startsWith('20.') ? 1 : 0);
    expect(run()).toEqual(first);
  });
});
