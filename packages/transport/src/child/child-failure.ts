import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, resolve } from 'node:path';
import { errnoOf, isTransportError, TransportError } from '../errors.ts';

/** What was to be started. */
export interface SpawnAttempt {
  readonly command: string;
  readonly cwd: string | undefined;
  /** PATH of the child: the one that is searched. */
  readonly path: string | undefined;
}

/** Says why a command could not be started, in terms of what the caller gave. Environment values other than PATH are never shown. */
export function explainSpawnFailure(attempt: SpawnAttempt, cause: unknown): TransportError {
  const { command, cwd } = attempt;
  // First, because the system reports a missing folder as ENOENT of the command.
  if (cwd !== undefined && !isFolder(cwd)) {
    return new TransportError(
      'SPAWN_CWD',
      `cannot start ${quoted(command)}: the working directory ${quoted(cwd)} does not exist`,
      { cause },
    );
  }
  // The plan of a spawn on Windows has said it already.
  if (isTransportError(cause)) return cause;
  const errno = errnoOf(cause) ?? 'unknown error';
  const at = cwd === undefined ? '' : ` in ${quoted(cwd)}`;
  if (errno !== 'ENOENT') {
    return new TransportError(
      'SPAWN_FAILED',
      `cannot start ${quoted(command)}${at}: ${errno}${hintFor(errno)}`,
      { cause },
    );
  }
  const found = locate(attempt);
  if (found !== undefined) {
    const reason = `${quoted(found)} exists, but the interpreter in its first line (#!) does not`;
    return new TransportError('SPAWN_FAILED', `cannot start ${quoted(command)}${at}: ${reason}`, { cause });
  }
  const where = isPath(command) ? '' : `; PATH searched: ${attempt.path ?? '(not set)'}`;
  return new TransportError(
    'SPAWN_NOT_FOUND',
    `cannot start ${quoted(command)}${at}: no such command${where}`,
    { cause },
  );
}

function hintFor(errno: string): string {
  if (errno === 'EACCES') return ' (not executable, or not permitted)';
  if (errno === 'E2BIG') return ' (arguments and environment are too long)';
  return '';
}

function locate({ command, cwd, path }: SpawnAttempt): string | undefined {
  const base = cwd ?? '.';
  const candidates = isPath(command)
    ? [resolve(base, command)]
    : (path ?? '').split(delimiter).map((folder) => resolve(base, folder, command));
  return candidates.find(isExecutable);
}

function isPath(command: string): boolean {
  return (
    isAbsolute(command) || command.includes('/') || (process.platform === 'win32' && command.includes('\\'))
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
