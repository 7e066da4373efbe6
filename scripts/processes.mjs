// Child processes for the scripts beside this file.
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const binFolder = join(root, 'node_modules', '.bin');

/** Nothing that a tool starts may phone home, nag about updates, or leave a daemon behind. */
const environment = {
  ...process.env,
  PATH: `${binFolder}${delimiter}${process.env.PATH}`,
  TURBO_TELEMETRY_DISABLED: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
  DO_NOT_TRACK: '1',
  npm_config_update_notifier: 'false',
};

/**
 * Runs a command of the workspace (its bins are on PATH) and resolves with its exit code, its output when
 * `capture` is set, and its wall time. A signal counts as failure. After `limitSeconds` (default: none) the
 * command is killed together with everything that it started.
 */
export function run(command, args, { cwd = root, capture = false, limitSeconds } = {}) {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: environment,
      stdio: ['ignore', capture ? 'pipe' : 'inherit', capture ? 'pipe' : 'inherit'],
      shell: process.platform === 'win32',
      // Its own group, so that the limit reaches grandchildren; only then, for Ctrl-C goes to one group.
      detached: limitSeconds !== undefined && process.platform !== 'win32',
    });
    const limit =
      limitSeconds === undefined ? undefined : setTimeout(() => killGroup(child), limitSeconds * 1000);
    const chunks = [];
    child.stdout?.on('data', (chunk) => chunks.push(chunk));
    child.stderr?.on('data', (chunk) => chunks.push(chunk));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(limit);
      resolve({
        code: code ?? 1,
        signal,
        output: Buffer.concat(chunks).toString(),
        seconds: (performance.now() - started) / 1000,
      });
    });
  });
}

function killGroup(child) {
  if (process.platform === 'win32') child.kill();
  else process.kill(-child.pid, 'SIGKILL');
}

export function formatSeconds(seconds) {
  return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
}
