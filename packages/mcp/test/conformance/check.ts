import { describe, it } from 'vitest';
import type { RequirementId } from './requirements.ts';
import { waiting } from './waiting.ts';

/** Time that a check gives to anything that should come, in ms: no figure, only an end. */
const PATIENCE_MS = 10_000;
/** The same for what is not built yet, and hence does not come. */
const WAITING_PATIENCE_MS = 300;

/** A property tests for as long as it is given, and then has to end. */
const TIMEOUT_MS = 60_000;

/** A test that says which requirements it is about. */
export interface Check {
  readonly title: string;
  readonly rules: readonly RequirementId[];
  run(patienceMs: number): void | Promise<void>;
}

/** Makes tests of checks. One that is on the list of those that wait must fail, so that no entry outlives its reason. */
export function runChecks(name: string, checks: readonly Check[]): void {
  describe(name, () => {
    for (const { title, run } of checks) {
      const reason = waiting[title];
      if (reason === undefined) it(title, async () => run(PATIENCE_MS), TIMEOUT_MS);
      else it.fails(`${title} (waits: ${reason})`, async () => run(WAITING_PATIENCE_MS));
    }
  });
}
