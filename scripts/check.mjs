// npm run check: every gate, fastest first. All of them run, the output of the failing ones is shown, and the
// exit code is 1 if any failed. `npm run check -- knip publint` runs gates whose name contains a word;
// `--no-build` shows how the gates fail on a checkout that is not built.
import { changesetsGate } from './gates/changesets.mjs';
import { generatedFilesGate } from './gates/generated-files.mjs';
import { builtFilesGate, publishedPackages } from './gates/published-packages.mjs';
import { formatSeconds, run } from './processes.mjs';
import { build, install } from './setup.mjs';

const options = process.argv.slice(2);
const words = options.filter((option) => !option.startsWith('--'));
await install();
const built = options.includes('--no-build') ? { ok: true } : await build();

const packages = publishedPackages();
const withTypes = packages.filter(({ manifest }) => manifest.exports['.'] !== undefined);

const gates = [
  // A gate that reads dist must never pass because there is nothing to read.
  { name: 'build', check: () => (built.ok ? builtFilesGate(packages) : built) },
  {
    name: 'import direction',
    check: () => tools('biome', [['lint', '--only=style/noRestrictedImports', '--error-on-warnings']]),
  },
  { name: 'format and lint (biome)', check: () => tools('biome', [['check', '--error-on-warnings']]) },
  { name: 'changesets', check: () => changesetsGate(packages) },
  { name: 'types of sources and tests (tsc)', check: () => tools('tsc', [['-b', '--pretty', 'false']]) },
  { name: 'unused and undeclared (knip)', check: () => builtTools(packages, 'knip', [[]]) },
  {
    name: 'packages (publint)',
    check: () =>
      builtTools(
        packages,
        'publint',
        forEach(packages, (folder) => ['run', folder, '--strict']),
      ),
  },
  {
    name: 'types for consumers (attw)',
    check: () =>
      builtTools(
        withTypes,
        'attw',
        forEach(withTypes, (folder) => ['--profile', 'esm-only', '--pack', folder]),
      ),
  },
  { name: 'generated files are current', check: generatedFilesGate },
].filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));

const failures = [];
for (const { name, check } of gates) {
  const started = performance.now();
  const { ok, output } = await check();
  const time = formatSeconds((performance.now() - started) / 1000);
  process.stdout.write(`${ok ? 'pass' : 'FAIL'}  ${name.padEnd(36)}${time.padStart(8)}\n`);
  if (!ok) failures.push({ name, output });
}
for (const { name, output } of failures) {
  process.stdout.write(`\n── ${name} ${'─'.repeat(Math.max(3, 76 - name.length))}\n${output.trim()}\n`);
}
process.stdout.write(
  failures.length === 0
    ? `all ${gates.length} gates pass\n`
    : `\n${failures.length} of ${gates.length} gates FAIL: ${failures.map(({ name }) => name).join(', ')}\n`,
);
process.exitCode = failures.length === 0 && gates.length > 0 ? 0 : 1;

/** One tool, once per argument list; fails if any run fails. */
async function tools(command, argumentLists) {
  const runs = [];
  for (const list of argumentLists) runs.push(await run(command, list, { capture: true }));
  const failed = runs.filter(({ code }) => code !== 0);
  return { ok: failed.length === 0, output: failed.map(({ output }) => output).join('\n') };
}

async function builtTools(wanted, command, argumentLists) {
  const built = builtFilesGate(wanted);
  return built.ok ? tools(command, argumentLists) : built;
}

function forEach(wanted, toArguments) {
  return wanted.map(({ folder }) => toArguments(folder));
}
