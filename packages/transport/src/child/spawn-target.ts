import { lstatSync, statSync } from 'node:fs';
import { win32 } from 'node:path';
import { errnoOf } from '../errors.ts';
import { isWindows } from './host-platform.ts';
import { windowsSpawnPlan } from './windows-spawn-plan.ts';

/** What is asked for. */
export interface SpawnRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

/** What `child_process.spawn` is given for it. */
export interface SpawnTarget {
  readonly file: string;
  readonly args: readonly string[];
  /** Windows only: the words are quoted already, the program's own name too. */
  readonly options: { readonly windowsVerbatimArguments?: true; readonly argv0?: string };
}

/**
 * POSIX takes a command and its arguments as they are. Windows takes one line, and starts batch files only through cmd.exe.
 *
 * @throws TransportError of `windowsSpawnPlan`
 */
export function spawnTarget({ command, args, cwd, env }: SpawnRequest): SpawnTarget {
  if (!isWindows()) return { file: command, args, options: {} };
  const plan = windowsSpawnPlan({
    command,
    args,
    cwd: win32.resolve(process.cwd(), cwd ?? ''),
    env,
    fileExists: isFile,
  });
  const { file, args: words, argv0 } = plan;
  return { file, args: words, options: { windowsVerbatimArguments: true, argv0 } };
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch (error) {
    return errnoOf(error) !== 'ENOENT' && isAlias(path);
  }
}

/** The aliases of store apps (`python.exe` for one) can be started, but not looked through. */
function isAlias(path: string): boolean {
  try {
    return !lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}
