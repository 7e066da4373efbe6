import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, resolve } from 'node:path';
import { isWindows } from './host-platform.ts';

/** What was, or would be, started. */
export interface SpawnAttempt {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  /** PATH of the child: the one that is searched. */
  readonly path: string | undefined;
}

/** What the system searches when there is no PATH. */
const DEFAULT_PATH = '/bin:/usr/bin';

/** Every file that the system tries for a command, in order. A path is tried as it is, from the child's working directory. */
export function candidateFiles({ command, cwd, path }: SpawnAttempt): string[] {
  const base = cwd ?? '.';
  if (isCommandPath(command)) return [resolve(base, command)];
  return (path ?? DEFAULT_PATH).split(delimiter).map((folder) => resolve(base, folder, command));
}

/** A command with a slash is a path; only a bare name is searched in PATH. */
export function isCommandPath(command: string): boolean {
  return isAbsolute(command) || command.includes('/') || (isWindows() && command.includes('\\'));
}

export function isExecutableFile(file: string): boolean {
  return isAccessible(file, constants.X_OK) && kindOfFile(file) === 'file';
}

/** `other`: a device, a socket, a pipe. */
export function kindOfFile(path: string): 'file' | 'folder' | 'other' | undefined {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return 'folder';
    return stats.isFile() ? 'file' : 'other';
  } catch {
    return undefined;
  }
}

/** A folder that may be entered. */
export function isEnterableFolder(path: string): boolean {
  return kindOfFile(path) === 'folder' && isAccessible(path, constants.X_OK);
}

function isAccessible(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
