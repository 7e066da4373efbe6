// npm test: set-up, then every test on every engine. Arguments go to vitest: `npm test -- packages/framing`,
// `npm test -- --project poison`.
import { run } from './processes.mjs';
import { setUp } from './setup.mjs';

await setUp();

const reporters = ['--reporter=default', '--reporter=./scripts/count-reporter.mjs'];
const { code } = await run('vitest', ['run', ...reporters, ...process.argv.slice(2)]);
process.exitCode = code;
