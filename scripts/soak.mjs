// npm run soak: set-up, then the soak of children with the given arguments (`npm run soak -- --kills 500`).
import { run } from './processes.mjs';
import { setUp } from './setup.mjs';

await setUp();

const { code } = await run('npm', [
  'run',
  'soak',
  '--workspace',
  'benchmarks',
  '--',
  ...process.argv.slice(2),
]);
process.exitCode = code;
