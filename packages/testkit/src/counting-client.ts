import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { AnswerChecker, type CheckMode, type CheckReport } from './answer-checker.ts';
import type { ExpectedAnswers } from './expected-answers.ts';
import { type ProcessUsage, sampleProcess } from './process-sampler.ts';

export interface CountingOptions {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** What to write to its stdin: a file's path, or pieces of bytes. Absent: stdin is closed at once. */
  readonly input?: string | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  readonly expected: ExpectedAnswers;
  /** Default `value`. */
  readonly mode?: CheckMode;
  /** When to kill it, ms; default 60,000. */
  readonly timeoutMs?: number;
}

export interface CountingReport extends CheckReport {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** The last 4 KiB of its stderr. */
  readonly stderrTail: string;
  readonly usage: ProcessUsage;
}

const stderrTailChars = 4096;

/**
 * Runs a command, feeds it, and checks every answer that comes out of it. Input is written only as fast as the command
 * reads. Its stdin is closed after the input, so a right server answers everything and exits. Never throws for what the
 * command does; throws if it cannot be started. The process is gone when this returns.
 */
export async function runCountingClient(options: CountingOptions): Promise<CountingReport> {
  const child = spawn(options.command, options.args ?? [], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exited = waitForExit(child);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.kill('SIGKILL');
    // A grandchild may hold the pipe open; without a reader it goes too.
    child.stdout.destroy();
  }, options.timeoutMs ?? 60_000);
  try {
    await waitForSpawn(child);
    const sampler = sampleProcess(child.pid as number);
    void exited.then(() => sampler.stop());
    const tail = collectTail(child.stderr);
    // If the command dies early the feeder stops at the broken pipe; what is missing shows in the report.
    const feeding = feed(child.stdin, options.input);
    const checker = new AnswerChecker(options.expected, options.mode);
    try {
      for await (const chunk of child.stdout) checker.push(chunk as Buffer);
    } catch (error) {
      if (!timedOut) throw error;
    }
    const [exitCode, signal] = await exited;
    await feeding;
    return { ...checker.end(), exitCode, signal, timedOut, stderrTail: tail(), usage: sampler.stop() };
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

/** Checks a stream of answers that somebody else makes, for example the output of a shell pipeline. */
export async function checkAnswers(
  stream: AsyncIterable<Uint8Array>,
  expected: ExpectedAnswers,
  mode: CheckMode = 'value',
): Promise<CheckReport> {
  const checker = new AnswerChecker(expected, mode);
  for await (const chunk of stream) checker.push(chunk);
  return checker.end();
}

function waitForSpawn(child: ChildProcessByStdio<Writable, Readable, Readable>): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
}

function waitForExit(
  child: ChildProcessByStdio<Writable, Readable, Readable>,
): Promise<[number | null, string | null]> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve([code, signal]));
  });
}

function collectTail(stderr: Readable): () => string {
  let tail = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-stderrTailChars);
  });
  return () => tail;
}

async function feed(stdin: Writable, input: CountingOptions['input']): Promise<void> {
  let broken = false;
  let wake: (() => void) | undefined;
  const stop = (): void => {
    broken = true;
    wake?.();
  };
  stdin
    .on('error', stop)
    .on('close', stop)
    .on('drain', () => wake?.());
  const pieces = typeof input === 'string' ? createReadStream(input) : (input ?? []);
  for await (const piece of pieces as AsyncIterable<Uint8Array>) {
    if (broken) return;
    if (stdin.write(piece)) continue;
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (broken) resolve();
    });
  }
  if (!broken) stdin.end();
}
