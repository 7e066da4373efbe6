import { TransportError } from '../errors.ts';
import { systemProgram } from './windows-env.ts';
import { expandedVariable } from './windows-percent.ts';
import { quoteForBatch, quoteForProgram, quoteProgram } from './windows-quoting.ts';
import { findWindowsCommand, isFullPath } from './windows-search.ts';

/** Characters of a whole command line that CreateProcess takes, its NUL not counted, and that cmd.exe takes. */
const MAX_LINE_CHARS = 32_766;
const MAX_CMD_LINE_CHARS = 8191;

const CONTROL_BUT_TAB = /[^\P{Cc}\t]/u;

/** What is to be started on Windows. */
export interface WindowsSpawnOptions {
  /** A path, taken from `cwd`, or a name, looked for in PATH and nowhere else. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Working directory of the child: absolute, with a drive or as `\\server\share`. */
  readonly cwd: string;
  /** The child's whole environment: PATH, PATHEXT and SystemRoot are read, in any case; names only of the others. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether there is a file (no folder) of this absolute path. The only look at the world. */
  readonly fileExists: (path: string) => boolean;
}

/** How a command is started on Windows: what CreateProcess gets, nothing left to be quoted. */
export interface WindowsSpawnPlan {
  /** `cmd.exe`: it is a batch file, and cmd.exe reads the line before the batch file does. */
  readonly through: 'program' | 'cmd.exe';
  /** The file that was found, absolute. */
  readonly found: string;
  /** The program to start: `found`, or cmd.exe. Absolute, so that nothing is searched. */
  readonly file: string;
  /** The program's name as the first word of the line, quoted. */
  readonly argv0: string;
  /** The other words, quoted: to be handed over as they are, joined with spaces (`windowsVerbatimArguments`). */
  readonly args: readonly string[];
  /** The whole line. */
  readonly commandLine: string;
}

/**
 * Works out how to start a command on Windows so that its arguments arrive unchanged, or refuses. Pure: looks at nothing but its options.
 *
 * Batch files (`.cmd`, `.bat`, so `npx` too) are run by cmd.exe, where quotes do not protect everything: control characters and percent signs
 * that would be replaced by a variable's value are refused. The rules are in `docs/windows.md`.
 *
 * @throws TransportError `SPAWN_NOT_FOUND`, `SPAWN_FAILED` (a file that cannot be started, a line that is too long), `SPAWN_REFUSED`, or
 * `OPTION_INVALID` for a `cwd` that is not absolute. Arguments are never shown in a message; they may be secrets.
 */
export function windowsSpawnPlan(options: WindowsSpawnOptions): WindowsSpawnPlan {
  const { command, args = [], cwd } = options;
  if (!isFullPath(cwd)) {
    throw new TransportError('OPTION_INVALID', `cwd must be an absolute path, not ${JSON.stringify(cwd)}`);
  }
  args.forEach((argument, index) => {
    if (argument.includes('\0')) throw refusedArgument(command, index, 'holds a NUL character');
  });
  const { file, isBatch } = findWindowsCommand(options);
  return isBatch ? batchPlan(options, args, file) : programPlan(command, args, file);
}

function programPlan(command: string, args: readonly string[], file: string): WindowsSpawnPlan {
  const plan = withLine('program', file, file, args.map(quoteForProgram));
  checkLength(command, plan.commandLine.length, MAX_LINE_CHARS, 'Windows');
  return plan;
}

function batchPlan(options: WindowsSpawnOptions, args: readonly string[], script: string): WindowsSpawnPlan {
  const { command, cwd, env } = options;
  if (/^[\\/]{2}/.test(cwd)) {
    throw refused(
      command,
      `it is a batch file, and cmd.exe would run it in the Windows folder instead of ${JSON.stringify(cwd)}: map the share to a drive`,
    );
  }
  args.forEach((argument, index) => {
    if (CONTROL_BUT_TAB.test(argument)) {
      throw refusedArgument(
        command,
        index,
        'holds a line break or another control character, where cmd.exe would cut the line',
      );
    }
  });
  if (/["\p{Cc}]/u.test(script)) throw refused(command, 'cmd.exe cannot be told the name of its batch file');
  const line = [`"${script}"`, ...args.map(quoteForBatch)].join(' ');
  const variable = expandedVariable(line, env);
  if (variable !== undefined) {
    throw refused(
      command,
      `it is a batch file, and cmd.exe would put in the value of the variable ${JSON.stringify(variable)} for what stands between percent signs`,
    );
  }
  checkLength(command, line.length, MAX_CMD_LINE_CHARS, 'cmd.exe');
  // /d: no AutoRun commands of the registry. /v:off: "!" is a character. /s: take off the outermost quotes and nothing else.
  const words = ['/d', '/v:off', '/s', '/c', `"${line}"`];
  return withLine('cmd.exe', script, systemProgram(env, 'cmd.exe'), words);
}

function withLine(
  through: WindowsSpawnPlan['through'],
  found: string,
  file: string,
  args: readonly string[],
): WindowsSpawnPlan {
  const argv0 = quoteProgram(file);
  return { through, found, file, argv0, args, commandLine: [argv0, ...args].join(' ') };
}

function checkLength(command: string, actual: number, limit: number, who: string): void {
  if (actual <= limit) return;
  throw new TransportError(
    'SPAWN_FAILED',
    `cannot start ${JSON.stringify(command)}: its command line has ${actual} characters, ${who} takes ${limit}`,
    { limit, actual },
  );
}

function refused(command: string, why: string): TransportError {
  return new TransportError('SPAWN_REFUSED', `cannot start ${JSON.stringify(command)}: ${why}`);
}

function refusedArgument(command: string, index: number, why: string): TransportError {
  return refused(command, `args[${index}] ${why}`);
}
