import { execFileSync } from 'node:child_process';
import { cpus, loadavg, platform, release } from 'node:os';
import { repositoryRoot } from './paths.ts';

/** Where and on what a run took place. */
export interface Machine {
  readonly node: string;
  readonly system: string;
  readonly cpu: string;
  readonly cores: number;
  /** Load averages over 1, 5 and 15 minutes at the start. */
  readonly load: readonly number[];
  readonly commit: string;
  /** Tracked files differ from the commit. */
  readonly dirty: boolean;
}

export function describeMachine(): Machine {
  const processors = cpus();
  return {
    node: process.version,
    system: `${platform()} ${release()}`,
    cpu: processors[0]?.model.trim() || 'unknown',
    cores: processors.length,
    load: loadavg().map((value) => Math.round(value * 100) / 100),
    commit: git('rev-parse', '--short=12', 'HEAD') ?? 'unknown',
    // Result files and the pages they are rendered into do not make the measured code another one.
    dirty:
      (git(
        'status',
        '--porcelain',
        '--untracked-files=no',
        '--',
        '.',
        ':!benchmarks/results',
        ':!README.md',
        ':!benchmarks/REPORT.md',
      ) ?? '?') !== '',
  };
}

function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, {
      cwd: repositoryRoot,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}
