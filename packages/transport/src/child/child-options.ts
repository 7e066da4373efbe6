import type { QueueOptions, ReadingOptions } from '../duplex.ts';
import { TransportError } from '../errors.ts';
import { limitValue } from '../limits.ts';
import { type ChildEnvironment, childEnvironment, type InheritEnv } from './child-env.ts';
import type { StderrUse } from './child-stderr.ts';
import type { LadderTimes } from './close-ladder.ts';
import type { SpawnAttempt } from './command-search.ts';
import { isWindows } from './host-platform.ts';
import type { ChildGroup } from './process-group.ts';

/** What is started. */
export interface SpawnOptions {
  /**
   * A path (anything with a slash), taken from `cwd`, or a name that is searched in the child's PATH. There is no shell: arguments reach
   * the child as they are.
   */
  readonly command: string;
  readonly args?: readonly string[];
  /** Working directory, default that of this process. */
  readonly cwd?: string;
  /** Variables for the child, over the inherited ones; `undefined` removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * Which variables of this process the child sees, never all of them: `minimal` (default) = HOME LOGNAME PATH SHELL TERM USER;
   * `launch` = those and language, temporary folder, time zone, XDG, proxies and certificates; or exactly the given names.
   * PYTHONUTF8 and PYTHONUNBUFFERED are set to 1 unless `env` or the names say otherwise.
   */
  readonly inheritEnv?: InheritEnv;
  /**
   * `own` (default): the child leads a process group and session of its own. Everything that it starts ends with it, also behind a
   * wrapper such as `npx` or `sh -c`, and Ctrl-C in our terminal does not reach it. `inherit`: it stays in our group, so whoever ends our
   * group ends it too; what it has started is not ours to end. Out of reach of both: a descendant that makes a session of its own (a
   * daemon). Windows knows no groups.
   */
  readonly group?: ChildGroup;
  /**
   * Ends the child even when this process is killed by SIGKILL or crashes: a small `sh` process, one for all children of this process,
   * watches from outside. Default false. POSIX only.
   */
  readonly orphanGuard?: boolean;
}

/** What is started, and how it ends. */
export interface ChildOptions extends SpawnOptions, ReadingOptions, QueueOptions {
  /**
   * What becomes of stderr, which is always read and whose last bytes are always kept: `tail` (default) also tells them to `onStderr` of
   * `start()`; `forward` writes them to our own stderr as well; `ignore` does nothing else; a function gets them from the spawn on, as
   * bytes that are its own.
   */
  readonly stderr?: StderrUse;
  /** Aborting it closes the child, as `close()` does. Aborted before: nothing is started. */
  readonly signal?: AbortSignal;
  /** Time for the child to exit after its stdin ended, before SIGTERM: 0 to 2^31−1 ms, default 2,000. */
  readonly closeTimeoutMs?: number;
  /** Time to exit after SIGTERM, before SIGKILL: 0 to 2^31−1 ms, default 2,000. */
  readonly termTimeoutMs?: number;
  /** Time for the rest of stdout and stderr after the exit, when a descendant still holds them: 0 to 2^31−1 ms, default 250. */
  readonly exitDrainMs?: number;
  /** Last bytes of stderr that are kept: 0 to 2 GiB−1, default 16 KiB. */
  readonly stderrTailBytes?: number;
}

/** Checked spawn options. */
export interface SpawnPlan {
  readonly attempt: SpawnAttempt;
  readonly environment: ChildEnvironment;
  readonly group: ChildGroup;
  readonly orphanGuard: boolean;
}

/** @throws TransportError `OPTION_INVALID` */
export function spawnPlan(options: SpawnOptions): SpawnPlan {
  const {
    command,
    args = [],
    cwd,
    env = {},
    inheritEnv = 'minimal',
    group = 'own',
    orphanGuard = false,
  } = options;
  mustHold(typeof command === 'string' && command !== '', 'command must be a string that is not empty');
  mustHold(isStrings(args), 'args must be a list of strings');
  mustHold(
    cwd === undefined || (typeof cwd === 'string' && cwd !== ''),
    'cwd must be a string that is not empty',
  );
  mustHold(typeof env === 'object' && env !== null, 'env must be an object of strings');
  mustHold(
    inheritEnv === 'minimal' || inheritEnv === 'launch' || isStrings(inheritEnv),
    "inheritEnv must be 'minimal', 'launch' or a list of names",
  );
  mustHold(group === 'own' || group === 'inherit', "group must be 'own' or 'inherit'");
  mustHold(typeof orphanGuard === 'boolean', 'orphanGuard must be true or false');
  mustHold(!orphanGuard || !isWindows(), 'orphanGuard is not available on Windows');
  const environment = childEnvironment(inheritEnv, env);
  return {
    attempt: { command, args: [...args], cwd, path: pathOf(environment.variables) },
    environment,
    group,
    orphanGuard,
  };
}

/** Checked times of the end of a child. */
export interface EndTimes extends LadderTimes {
  readonly exitDrainMs: number;
}

/** @throws TransportError `OPTION_RANGE` */
export function endTimes(options: ChildOptions): EndTimes {
  return {
    closeTimeoutMs: limitValue('closeTimeoutMs', options.closeTimeoutMs),
    termTimeoutMs: limitValue('termTimeoutMs', options.termTimeoutMs),
    exitDrainMs: limitValue('exitDrainMs', options.exitDrainMs),
  };
}

/** @throws TransportError `OPTION_INVALID` */
export function checkedSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
  // By what it does: an AbortSignal of another realm is one too.
  mustHold(
    signal === undefined || typeof signal?.addEventListener === 'function',
    'signal must be an AbortSignal',
  );
  return signal;
}

function pathOf(variables: Record<string, string>): string | undefined {
  if (!isWindows()) return variables['PATH'];
  const name = Object.keys(variables).find((key) => key.toUpperCase() === 'PATH');
  return name === undefined ? undefined : variables[name];
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function mustHold(holds: boolean, message: string): void {
  if (!holds) throw new TransportError('OPTION_INVALID', message);
}
