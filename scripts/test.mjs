// npm test: set-up, then every test on every engine. Arguments go to vitest: `npm test -- packages/framing`,
// `npm test -- --project poison`.
import { run } from './processes.mjs';
import { installRuntimes, setUp } from './setup.mjs';

// A test that blocks its process in a synchronous call is out of reach of vitest's own time-outs. At a desk
// Ctrl-C helps; in CI nobody is there.
const limitSeconds = process.env.CI ? 30 * 60 : undefined;

await setUp();
await installRuntimes();

const reporters = ['--reporter=default', '--reporter=./scripts/count-reporter.mjs'];
const vitest = ['run', ...reporters, ...process.argv.slice(2)];
const { code, signal } = await run('vitest', vitest, { limitSeconds });
if (signal === 'SIGKILL')
  process.stderr.write(`npm test: vitest was killed; its limit is ${limitSeconds} s\n`);
process.exitCode = code;
