import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { errnoOf, isTransportError, TransportError } from '../errors.ts';
import {
  candidateFiles,
  isCommandPath,
  isEnterableFolder,
  isExecutableFile,
  kindOfFile,
  type SpawnAttempt,
} from './command-search.ts';

/** Longest first line of a script that Linux looks at, bytes. */
const SHEBANG_BYTES = 256;

const HINTS: Readonly<Record<string, string>> = {
  EACCES: 'not permitted',
  EPERM: 'not permitted',
  EAGAIN: 'too many processes',
  ENOMEM: 'not enough memory',
  EMFILE: 'this process has too many open descriptors',
  ENFILE: 'the system has too many open descriptors',
  ETXTBSY: 'the file is being written',
  ENOEXEC: 'the file is no program of this system',
};

/** Says why a command could not be started, in terms of what the caller gave. Environment values other than PATH are never shown. */
export function explainSpawnFailure(attempt: SpawnAttempt, cause: unknown): TransportError {
  // First, because the system reports a missing folder as ENOENT of the command.
  return wrongFolder(attempt, cause) ?? wrongCommand(attempt, cause);
}

function wrongFolder(attempt: SpawnAttempt, cause: unknown): TransportError | undefined {
  const { command, cwd } = attempt;
  if (cwd === undefined || cwd.includes('\0')) return undefined;
  if (isEnterableFolder(cwd)) return undefined;
  const kind = kindOfFile(cwd);
  const what =
    kind === undefined ? 'does not exist' : kind === 'folder' ? 'must not be entered' : 'is no folder';
  const message = `cannot start ${quoted(command)}: the working directory ${quoted(cwd)} ${what}`;
  return new TransportError('SPAWN_CWD', message, { cause });
}

function wrongCommand(attempt: SpawnAttempt, cause: unknown): TransportError {
  // The plan of a spawn on Windows has said it already.
  if (isTransportError(cause)) return cause;
  const errno = errnoOf(cause) ?? 'unknown error';
  const failed = (reason: string): TransportError =>
    new TransportError('SPAWN_FAILED', `${whatFailed(attempt)}: ${reason}`, { cause });
  const holdsNul = placeOfNul(attempt);
  if (holdsNul !== undefined)
    return failed(`${holdsNul} holds a NUL byte, which cannot be handed to a program`);
  if (errno === 'E2BIG') return failed(tooLong(attempt));
  const candidates = candidateFiles(attempt);
  if (errno === 'EACCES') return failed(`EACCES (${whyNotPermitted(candidates)})`);
  if (errno !== 'ENOENT') {
    const hint = HINTS[errno];
    return failed(hint === undefined ? errno : `${errno} (${hint})`);
  }
  const script = candidates.find(isExecutableFile);
  if (script !== undefined) return failed(missingInterpreter(script));
  return new TransportError('SPAWN_NOT_FOUND', `${whatFailed(attempt)}: ${whereSearched(attempt)}`, {
    cause,
  });
}

function whatFailed({ command, cwd }: SpawnAttempt): string {
  return `cannot start ${quoted(command)}${cwd === undefined ? '' : ` in ${quoted(cwd)}`}`;
}

function whereSearched(attempt: SpawnAttempt): string {
  const { command, cwd, path } = attempt;
  if (!isCommandPath(command)) {
    const spaces = /\s/.test(command) ? '; there is no shell: arguments belong into args' : '';
    return `no such command; PATH searched: ${path ?? '(not set)'}${spaces}`;
  }
  const [file = command] = candidateFiles(attempt);
  if (file === command) return 'no such command';
  const fromHere = resolve(command);
  const elsewhere =
    cwd !== undefined && kindOfFile(fromHere) === 'file'
      ? `; a path is taken from the child's working directory, and ${quoted(fromHere)} does exist`
      : '';
  return `no such command; the file looked for: ${quoted(file)}${elsewhere}`;
}

/** The first file that stood in the way: the system goes on searching behind it, and reports it when nothing better is found. */
function whyNotPermitted(candidates: readonly string[]): string {
  for (const file of candidates) {
    const kind = kindOfFile(file);
    if (kind === 'folder') return `${quoted(file)} is a folder`;
    if (kind !== undefined && !isExecutableFile(file)) return `${quoted(file)} is not executable`;
  }
  return 'not executable, or not permitted';
}

/** The file is there, and the system says that it is not: it means the interpreter. */
function missingInterpreter(script: string): string {
  const name = interpreterOf(script);
  const reason = `${quoted(script)} exists, but the interpreter in its first line (#!) does not`;
  if (name === undefined)
    return `${quoted(script)} exists, but the loader or a library that it names does not`;
  // A file from Windows asks for "/bin/sh\r".
  const lineEnd = name.endsWith('\r') ? '; the line ends in CR LF' : '';
  return `${reason}: ${quoted(name)}${lineEnd}`;
}

/** True for a script whose first line names an interpreter that is not there. */
export function lacksInterpreter(script: string): boolean {
  const name = interpreterOf(script);
  return name !== undefined && !isExecutableFile(name);
}

function interpreterOf(script: string): string | undefined {
  const head = Buffer.alloc(SHEBANG_BYTES);
  let fd: number | undefined;
  try {
    fd = openSync(script, 'r');
    const text = head.toString('latin1', 0, readSync(fd, head));
    // Only spaces and tabs end the name, so a CR is part of it.
    return /^#![ \t]*([^ \t\n]+)/.exec(text)?.[1];
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** The part that holds a NUL byte, if one does. */
export function placeOfNul({ command, args, cwd }: SpawnAttempt): string | undefined {
  if (command.includes('\0')) return 'the command';
  if (cwd?.includes('\0')) return 'the working directory';
  const index = args.findIndex((arg) => arg.includes('\0'));
  return index < 0 ? undefined : `args[${index}]`;
}

function tooLong({ args }: SpawnAttempt): string {
  const sizes = args.map((arg) => Buffer.byteLength(arg) + 1);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const longest = sizes.indexOf(Math.max(...sizes));
  const which = sizes.length === 0 ? '' : `, args[${longest}] alone ${sizes[longest]}`;
  return `E2BIG: arguments and environment are too long (${total} bytes of arguments${which}; Linux takes 131,072 bytes in one, and a quarter of the stack limit in all)`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
