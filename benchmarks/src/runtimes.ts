import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { runtimesManifest } from './paths.ts';

/** A Node that this run measures on. */
export interface Runtime {
  /** `Node 20` */
  readonly name: string;
  /** `20.20.2` */
  readonly version: string;
  /** What to execute. */
  readonly command: string;
}

/** A Node that a promise names and that is not here. */
export interface MissingRuntime {
  readonly name: string;
  readonly reason: string;
}

/** The promises about the engines hold on both: the oldest supported and the newest. */
const promisedMajors = [20, 26];

const major = (version: string): number => Number.parseInt(version, 10);

/** The Node that runs the benchmarks. */
export const ownRuntime: Runtime = {
  name: `Node ${major(process.versions.node)}`,
  version: process.versions.node,
  command: process.execPath,
};

/**
 * The own Node first, then every other promised one that is installed as the package `node-MAJOR`: not on every system, for
 * there are no binaries for all.
 *
 * @param from a file beside whose `node_modules` the packages are looked up
 */
export function findRuntimes(from: string = runtimesManifest): {
  runtimes: Runtime[];
  missing: MissingRuntime[];
} {
  const runtimes = [ownRuntime];
  const missing: MissingRuntime[] = [];
  for (const wanted of promisedMajors) {
    if (wanted === major(ownRuntime.version)) continue;
    const found = lookUp(wanted, from);
    if ('command' in found) runtimes.push(found);
    else missing.push(found);
  }
  return { runtimes, missing };
}

function lookUp(wanted: number, from: string): Runtime | MissingRuntime {
  const name = `Node ${wanted}`;
  const packageName = `node-${wanted}`;
  try {
    const manifestPath = createRequire(from).resolve(`${packageName}/package.json`);
    const { bin } = JSON.parse(readFileSync(manifestPath, 'utf8')) as { bin: { node: string } };
    const command = join(dirname(manifestPath), bin.node);
    const version = execFileSync(command, ['--version'], { encoding: 'utf8' }).trim().replace(/^v/, '');
    if (major(version) === wanted) return { name, version, command };
    return { name, reason: `package ${packageName} holds Node ${version}` };
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND';
    return {
      name,
      reason: isAbsent ? `package ${packageName} is not installed` : `it does not start: ${String(error)}`,
    };
  }
}
