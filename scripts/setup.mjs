// Brings a checkout to the point where everything runs: dependencies as the lock file says, every workspace
// built. Each step says what it does in one line; on a checkout that is ready both take half a second.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatSeconds, root, run } from './processes.mjs';

if (process.argv[1] === fileURLToPath(import.meta.url)) await setUp();

/** Installs and builds what is missing. Without either nothing after it can work, so a failure ends the process. */
export async function setUp() {
  await install();
  const { ok, output } = await build();
  if (!ok) fail(output);
}

export async function install() {
  const reason = installReason(root);
  if (reason === undefined) return;
  const { ok, output } = await step(`npm ci (${reason})`, 'npm', ['ci', '--no-audit', '--no-fund']);
  if (!ok) fail(output);
}

/**
 * Other runtimes for the tests and benchmarks that start them (some 800 MB unpacked). Whatever is not there for this
 * system, or cannot be fetched, is left out: the tests that need it say that they were skipped, and why.
 */
export async function installRuntimes() {
  const reason = installReason(join(root, 'runtimes'));
  if (reason === undefined) return;
  const command = ['ci', '--prefix', 'runtimes', '--no-audit', '--no-fund'];
  await step(`npm ci in runtimes/ (${reason})`, 'npm', command);
}

export function build() {
  return step('turbo run build', 'turbo', ['run', 'build', '--output-logs=errors-only']);
}

async function step(title, command, args) {
  process.stdout.write(`set-up  ${title} … `);
  const { code, output, seconds } = await run(command, args, { capture: true });
  const cached = /Cached:\s+(\d+) cached, (\d+) total/.exec(output);
  const note = cached === null ? '' : `, ${cached[1]} of ${cached[2]} from cache`;
  process.stdout.write(code === 0 ? `done in ${formatSeconds(seconds)}${note}\n` : 'FAILED\n');
  return { ok: code === 0, output };
}

function fail(output) {
  process.stderr.write(output);
  process.exit(1);
}

/**
 * Compares what npm recorded as installed with the lock file, by content: modification times lie after a
 * checkout and after an install that wrote both within one tick.
 */
function installReason(folder) {
  const installed = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return 'node_modules is missing';
  const has = JSON.parse(readFileSync(installed, 'utf8')).packages;
  const wants = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
  for (const [path, { version, link, optional }] of Object.entries(wants)) {
    if (!path.startsWith('node_modules/') || link) continue;
    if (has[path] === undefined ? !optional : has[path].version !== version) {
      return `${path.slice('node_modules/'.length)} differs from package-lock.json`;
    }
  }
  return undefined;
}
