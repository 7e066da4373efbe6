import { resolve } from 'node:path';
import type { TransportError } from '../errors.ts';
import type { VariableOrigin } from './child-env.ts';
import { explainSpawnFailure, lacksInterpreter, placeOfNul } from './child-failure.ts';
import { type SpawnOptions, spawnPlan } from './child-options.ts';
import {
  candidateFiles,
  isCommandPath,
  isEnterableFolder,
  isExecutableFile,
  kindOfFile,
  type SpawnAttempt,
} from './command-search.ts';
import type { ChildGroup } from './process-group.ts';

/** One variable of a child; its value is not shown, since it may be a secret. */
export interface DescribedVariable {
  readonly name: string;
  /** `inherited` from this process, `given` by the `env` option, or a `default` of this package. */
  readonly from: VariableOrigin;
}

/** What `spawnChild` would start with the same options. */
export interface SpawnDescription {
  /** As given. */
  readonly command: string;
  /** The file that would run, absolute; undefined when none is found. On Windows extensions (PATHEXT) are not searched. */
  readonly file: string | undefined;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** PATH of the child, in which the command is searched; undefined when it has none, or when the command is a path. */
  readonly pathSearched: string | undefined;
  /** Every variable that the child would see, by name. */
  readonly environment: readonly DescribedVariable[];
  readonly group: ChildGroup;
  readonly orphanGuard: boolean;
  /** Why it would fail, as far as can be seen without starting it; the same error that `closed` would give. */
  readonly problem: TransportError | undefined;
}

/**
 * Tells what `spawnChild` would start, and starts nothing: for a log, a question to the user, or a dry run. Values of variables are not
 * part of it, except for the PATH that is searched; arguments are, so do not print them if they may hold secrets.
 *
 * @example
 * ```ts
 * const { file, environment, problem } = describeSpawn({ command: 'npx', args: ['server'], inheritEnv: 'launch' });
 * ```
 *
 * @throws TransportError `OPTION_INVALID`
 */
export function describeSpawn(options: SpawnOptions): SpawnDescription {
  const { attempt, environment, group, orphanGuard } = spawnPlan(options);
  const candidates = candidateFiles(attempt);
  const file = candidates.find(isExecutableFile);
  const { command, args, cwd, path } = attempt;
  return {
    command,
    file,
    args,
    cwd: resolve(cwd ?? '.'),
    pathSearched: isCommandPath(command) ? undefined : path,
    environment: Object.entries(environment.origins)
      .map(([name, from]) => ({ name, from }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    group,
    orphanGuard,
    problem: problemOf(attempt, candidates, file),
  };
}

function problemOf(
  attempt: SpawnAttempt,
  candidates: readonly string[],
  file: string | undefined,
): TransportError | undefined {
  const isMissing = file === undefined || lacksInterpreter(file);
  const isInFolder = attempt.cwd === undefined || isEnterableFolder(attempt.cwd);
  if (!isMissing && isInFolder && placeOfNul(attempt) === undefined) return undefined;
  // What the system would say: a file that is there and must not be run wins over none at all.
  const isForbidden =
    file === undefined && candidates.some((candidate) => kindOfFile(candidate) !== undefined);
  const code = isForbidden ? 'EACCES' : 'ENOENT';
  return explainSpawnFailure(attempt, Object.assign(new Error(code), { code }));
}
