// npm run bench: set-up, then the benchmarks with the given arguments (`npm run bench -- --quick`).
import { run } from './processes.mjs';
import { installRuntimes, setUp } from './setup.mjs';

await setUp();
await installRuntimes();

const { code } = await run('npm', [
  'run',
  'bench',
  '--workspace',
  'benchmarks',
  '--',
  ...process.argv.slice(2),
]);
process.exitCode = code;
