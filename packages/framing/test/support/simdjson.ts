import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createSimdjsonValidator } from '../../src/simdjson/index.ts';

/** What tests use of the npm package `simdjson`. */
export interface SimdjsonPackage {
  isValid(text: string): boolean;
  /** Throws an Error for what it refuses. */
  parse(text: string): unknown;
}

const require = createRequire(import.meta.url);

/** Why it cannot be used here; undefined where it can. Its addon is built at install, and a machine that cannot build it does without. */
export const simdjsonMissing: string | undefined = reasonMissing();

/** For titles: says that a test is skipped, and why. */
export const simdjsonNote: string = simdjsonMissing === undefined ? '' : ` (SKIPPED: ${simdjsonMissing})`;

export function simdjsonPackage(): SimdjsonPackage {
  return require('simdjson') as SimdjsonPackage;
}

/** The sample documents that come with the package; undefined where it is not installed. */
export function jsonExamplesFolder(): string | undefined {
  try {
    return join(dirname(require.resolve('simdjson/package.json')), 'jsonexamples');
  } catch {
    return undefined;
  }
}

function reasonMissing(): string | undefined {
  try {
    createSimdjsonValidator();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
