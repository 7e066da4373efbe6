import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Stream } from './streams.ts';

/** What one thread made of the streams: `readStreams` in `read-frames.mjs`. */
export interface Report {
  readonly active?: { readonly name: string; readonly reason: string };
  /** Frames of each stream, one line of text each. */
  readonly frames?: Readonly<Record<string, string>>;
  readonly fallbackFrames?: number;
  /** Instead of the rest: code and message of the error, and the name of its cause. */
  readonly failure?: string;
  readonly cause?: string;
}

/** The streams in a file, in a temporary folder of their own. */
export interface StreamFile {
  readonly folder: string;
  readonly path: string;
  /** Deletes the folder. */
  remove(): void;
}

export function streamFile(streams: readonly Stream[]): StreamFile {
  const folder = mkdtempSync(join(tmpdir(), 'linewire-runtimes-'));
  const path = join(folder, 'streams.json');
  writeFileSync(path, JSON.stringify(streams));
  return {
    folder,
    path,
    // Chromium's last processes may still be writing there.
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}

/** Path of a program in this folder. */
export function programPath(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/**
 * Path of a runtime's binary that `npm ci` put into the folder `runtimes`, by its path in there.
 *
 * @returns undefined where it is not installed
 */
export function installedRuntime(path: string): string | undefined {
  const file = fileURLToPath(new URL(`../../../../runtimes/node_modules/${path}`, import.meta.url));
  return existsSync(file) ? file : undefined;
}

/**
 * Runs a program to its end and parses what it prints as JSON. It gets only the given variables of the environment: what the tests
 * themselves run with must not decide.
 *
 * @throws Error with its stderr when the program fails
 */
export async function printed<Printed = Report>(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Printed> {
  const { PATH = '' } = process.env;
  const child = spawn(command, args, {
    env: { PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: exit code ${code}\n${Buffer.concat(err)}`);
  return JSON.parse(Buffer.concat(out).toString()) as Printed;
}

/** The frames that this Node reads with the scalar engine: what every other way of reading must give. */
export async function expectedFrames({ path }: StreamFile): Promise<Readonly<Record<string, string>>> {
  const { frames } = await printed(process.execPath, [programPath('read-in-process.mjs'), path, 'scalar']);
  if (frames === undefined) throw new Error('the scalar engine failed');
  return frames;
}
