// npm run test:fuzz: feeds both scan engines the same random streams, and decodes them, until something differs or the time is over.
// `npm run test:fuzz -- --seconds 600 --seed 7`. The input of a difference is kept, made small.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { root } from './processes.mjs';
import { setUp } from './setup.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const seconds = wholeNumber('seconds');
const seed = wholeNumber('seed');

await setUp();
const { fuzz } = await bundled('packages/framing/test/fuzz/fuzz.ts');

console.log(`fuzz    seed ${seed}, ${seconds} s`);
const { runs, seconds: taken, outcomes, failure } = fuzz({ seed, seconds });
if (failure !== undefined) {
  const file = join(tmpdir(), `linewire-fuzz-${seed}.bin`);
  writeFileSync(file, failure.trial.bytes);
  console.error(`${failure.message}\nsaved in ${file}`);
  process.exitCode = 1;
}
console.log(
  `fuzz    ${runs} runs, ${Math.round(runs / taken)} runs/s, ${outcomes} different outcomes, ${failure === undefined ? 'no difference' : 'a DIFFERENCE'}`,
);

function wholeNumber(name) {
  const value = Number(values[name]);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  console.error(`npm run test:fuzz: --${name} must be a whole number, not ${values[name]}`);
  process.exit(1);
}

/** The exports of a TypeScript source and all that it imports, as one file. */
async function bundled(entryPoint) {
  const folder = mkdtempSync(join(tmpdir(), 'linewire-fuzz-'));
  const outfile = join(folder, 'fuzz.mjs');
  // The testkit finds its cases from where its sources are.
  const home = pathToFileURL(join(root, 'packages/testkit/src/index.ts')).href;
  try {
    await build({
      absWorkingDir: root,
      entryPoints: [entryPoint],
      bundle: true,
      conditions: ['@linewire/source'],
      define: { 'import.meta.url': JSON.stringify(home) },
      format: 'esm',
      platform: 'node',
      outfile,
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
