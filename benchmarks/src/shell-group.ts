import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { plainEnvironment } from './environment.ts';

export type Shell = ChildProcessByStdio<Writable, Readable, Readable>;

/** Longest time for one pipeline, ms. */
const pipelineLimitMs = 120_000;

const running = new Set<Shell>();

/**
 * Starts a shell line in a process group of its own, so that an overlong pipeline ends as a whole: a shell that is killed
 * alone leaves its commands running, beside the next measurement.
 *
 * @param line `$0` is the file, `"$@"` the command
 */
export function startShell(
  line: string,
  file: string,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Shell {
  const shell = spawn('sh', ['-c', line, file, ...command], {
    env: { ...plainEnvironment(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  if (running.size === 0) watchForEnd();
  running.add(shell);
  return shell;
}

/**
 * Waits until the shell is gone. stderr is drained all the time.
 *
 * @returns the end of stderr
 * @throws Error with it when the shell fails or takes longer than `limitMs`; the whole group is killed then
 */
export function shellEnd(shell: Shell, name: string, limitMs: number = pipelineLimitMs): Promise<string> {
  return new Promise((resolve, reject) => {
    let stderrTail = '';
    shell.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderrTail = (stderrTail + text).slice(-2000);
    });
    const timer = setTimeout(() => {
      killGroup(shell);
      for (const stream of [shell.stdin, shell.stdout, shell.stderr]) stream.destroy();
      reject(new Error(`${name} took more than ${limitMs / 1000} s\n${stderrTail}`));
    }, limitMs);
    shell.stdin.on('error', () => {});
    shell.once('error', (error) => {
      forget(shell);
      reject(error);
    });
    shell.once('close', (code) => {
      clearTimeout(timer);
      forget(shell);
      // The exit code of a pipeline is that of its last command.
      if (code === 0) resolve(stderrTail);
      else reject(new Error(`${name} ended with exit code ${code}\n${stderrTail}`));
    });
  });
}

function killGroup({ pid }: Shell): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

function forget(shell: Shell): void {
  if (!running.delete(shell) || running.size > 0) return;
  process.off('exit', killAll).off('SIGINT', dieOf).off('SIGTERM', dieOf);
}

/** Groups of their own get no Ctrl-C from the terminal, and nobody else ends them when we fail. */
function watchForEnd(): void {
  process.once('exit', killAll).once('SIGINT', dieOf).once('SIGTERM', dieOf);
}

function killAll(): void {
  for (const shell of running) killGroup(shell);
}

function dieOf(signal: NodeJS.Signals): void {
  killAll();
  // The listener is gone (`once`), so the second time the signal does what it does by default.
  process.kill(process.pid, signal);
}
