import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const DEADLINE_MS = 20_000;

/** How a command line ended, and what it said. */
export interface ShellResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line with `sh`, so that redirections are real. Its own stdin is a socket from this process, as a Node parent makes it. */
export async function shell(
  commandLine: string,
  options: { input?: string | Uint8Array; env?: Record<string, string>; cwd?: string } = {},
): Promise<ShellResult> {
  const child = spawn('sh', ['-c', commandLine], {
    env: { ...process.env, ...options.env },
    cwd: options.cwd,
    stdio: 'pipe',
    detached: true,
  });
  let deadline: NodeJS.Timeout | undefined;
  try {
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
      // Before the test's own time is up: a test that is given up runs no `finally`.
      deadline = setTimeout(() => reject(new Error(`still running: ${commandLine}\n${stderr}`)), DEADLINE_MS);
    });
    return { code, stdout, stderr };
  } finally {
    clearTimeout(deadline);
    endGroup(child.pid);
  }
}

/** Nothing that a test started outlives it. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself, as it should.
  }
}

/** Programs that use the built package; each says at its top what it does. */
const FIXTURES = {
  bridging: new URL('../fixtures/bridging.mjs', import.meta.url),
  echoing: new URL('../fixtures/echoing.mjs', import.meta.url),
  adopting: new URL('../fixtures/adopting.mjs', import.meta.url),
  answering: new URL('../fixtures/answering.mjs', import.meta.url),
  'early-noise': new URL('../fixtures/early-noise.mjs', import.meta.url),
  forwarding: new URL('../fixtures/forwarding.mjs', import.meta.url),
  hosting: new URL('../fixtures/hosting.mjs', import.meta.url),
  exiting: new URL('../fixtures/exiting.mjs', import.meta.url),
  native: new URL('../fixtures/native.mjs', import.meta.url),
  reopening: new URL('../fixtures/reopening.mjs', import.meta.url),
  twice: new URL('../fixtures/twice.mjs', import.meta.url),
  reading: new URL('../fixtures/reading.mjs', import.meta.url),
  spawning: new URL('../fixtures/spawning.mjs', import.meta.url),
  forking: new URL('../fixtures/forking.mjs', import.meta.url),
  logging: new URL('../fixtures/logging.mjs', import.meta.url),
  misusing: new URL('../fixtures/misusing.mjs', import.meta.url),
  noisy: new URL('../fixtures/noisy.mjs', import.meta.url),
  pausing: new URL('../fixtures/pausing.mjs', import.meta.url),
  stalling: new URL('../fixtures/stalling.mjs', import.meta.url),
  relaying: new URL('../fixtures/relaying.mjs', import.meta.url),
  rounds: new URL('../fixtures/rounds.mjs', import.meta.url),
};

/** Absolute path of a fixture. */
export function fixtureFile(name: keyof typeof FIXTURES): string {
  return fileURLToPath(FIXTURES[name]);
}

/** `node FIXTURE ARGS`, quoted for `sh`. */
export function nodeFixture(name: keyof typeof FIXTURES, ...args: string[]): string {
  return [process.execPath, fixtureFile(name), ...args].map((word) => `'${word}'`).join(' ');
}

/** JSON text of `count` requests, one per line. */
export function requestLines(count: number): string {
  return Array.from(
    { length: count },
    (_, id) => `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"n":${id}}}\n`,
  ).join('');
}

/** The ids that were answered, in order. Throws at a line that is not a whole answer. */
export function answeredIds(output: string): number[] {
  const lines = output.split('\n');
  if (lines.pop() !== '') throw new Error('the last line has no newline');
  return lines.map((line) => (JSON.parse(line) as { id: number }).id);
}

/** 0 to count−1. */
export function idsUpTo(count: number): number[] {
  return Array.from({ length: count }, (_, id) => id);
}
