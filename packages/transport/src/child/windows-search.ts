import { win32 } from 'node:path';
import { TransportError } from '../errors.ts';
import { type Variables, windowsVariable } from './windows-env.ts';

/** What CreateProcess can start, directly or through cmd.exe; in the order that Windows prefers. */
const STARTABLE = ['.com', '.exe', '.bat', '.cmd'];

/** What is looked for, and where. */
export interface WindowsSearch {
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  readonly env: Variables;
  /** True for a file, not for a folder; knows no case, as the file systems of Windows. */
  readonly fileExists: (path: string) => boolean;
}

/** A file to start. */
export interface FoundCommand {
  readonly file: string;
  readonly isBatch: boolean;
}

/**
 * Finds the file of a command: a name in the folders of PATH, never in the working directory (a server's folder is no place to take programs
 * from unasked); anything with a slash from the working directory. Endings come from PATHEXT, as far as they can be started.
 *
 * @throws TransportError `SPAWN_NOT_FOUND`; `SPAWN_FAILED` for a file that only a program of its own can run; `SPAWN_REFUSED` for a name that
 * Windows reads as something else.
 */
export function findWindowsCommand(search: WindowsSearch): FoundCommand {
  const { command, cwd, env, fileExists } = search;
  refuseOddNames(command);
  const endings = startableEndings(windowsVariable(env, 'PATHEXT'));
  const isPath = /[\\/:]/.test(command);
  const path = windowsVariable(env, 'PATH');
  const bases = isPath
    ? [win32.resolve(cwd, command)]
    : searchFolders(path).map((folder) => win32.join(folder, command));
  for (const base of bases) {
    const file = candidates(base, endings).find(fileExists);
    if (file !== undefined) return { file, isBatch: /\.(bat|cmd)$/i.test(file) };
  }
  const unstartable = bases.find(fileExists);
  if (unstartable !== undefined) throw notStartable(command, unstartable);
  const tried = isPath
    ? `; the file looked for: ${JSON.stringify(bases[0])}`
    : `; PATH searched: ${path ?? '(not set)'}`;
  throw new TransportError(
    'SPAWN_NOT_FOUND',
    `cannot start ${JSON.stringify(command)}: no such command${tried}, with ${endings.join(' ')}`,
  );
}

/** Absolute with its drive or share: `\\folder` depends on the drive of the moment, `C:folder` on a hidden variable. */
export function isFullPath(path: string): boolean {
  return win32.isAbsolute(path) && win32.parse(path).root.length > 1;
}

/** The endings to try, in order. Those of PATHEXT that CreateProcess cannot start (.js, .py, .vbs) are no help. */
function startableEndings(pathExt: string | undefined): readonly string[] {
  const wanted = (pathExt ?? '').split(';').map((ending) => ending.trim().toLowerCase());
  const usable = wanted.filter(
    (ending, index) => STARTABLE.includes(ending) && wanted.indexOf(ending) === index,
  );
  return usable.length === 0 ? STARTABLE : usable;
}

/** A name as it stands only with a startable ending: npm puts a shell script `npx` beside `npx.cmd`. */
function candidates(base: string, endings: readonly string[]): string[] {
  const appended = endings.map((ending) => base + ending);
  return STARTABLE.includes(win32.extname(base).toLowerCase()) ? [base, ...appended] : appended;
}

/** Absolute folders only: a relative one, or an empty one, would be the working directory. */
function searchFolders(path: string | undefined): string[] {
  // A folder with a semicolon in its name stands in quotes.
  const entries = path?.match(/(?:"[^"]*"?|[^;"])+/g) ?? [];
  return entries.map((entry) => entry.replace(/"/g, '').trim()).filter(isFullPath);
}

function refuseOddNames(command: string): void {
  const refused = (why: string): TransportError =>
    new TransportError('SPAWN_REFUSED', `cannot start ${JSON.stringify(command)}: ${why}`);
  // What `\\?\` and `\\.\` announce is a path with a drive as any other.
  const rest = command.replace(/^\\\\[?.]\\/, '');
  if (/["<>|*?\p{Cc}]/u.test(rest)) throw refused('no file name on Windows can hold such a character');
  if (/^[A-Za-z]:(?![\\/])/.test(rest))
    throw refused('a drive without a folder means a folder that only cmd.exe knows');
  if (/:/.test(rest.replace(/^[A-Za-z]:/, '')))
    throw refused('a colon in a file name means a stream of that file');
  // Windows drops them, so that what is started is not what was looked at: "x.bat." runs as a batch file.
  if (/[. ]$/.test(rest) && !/(^|[\\/])\.{1,2}$/.test(rest))
    throw refused('Windows ignores a dot or space at its end');
}

function notStartable(command: string, file: string): TransportError {
  return new TransportError(
    'SPAWN_FAILED',
    `cannot start ${JSON.stringify(command)}: ${JSON.stringify(file)} exists, but Windows starts only ${STARTABLE.join(' ')}; ` +
      'make the program that runs it the command (node, python) and the file its first argument',
  );
}
