import type { Evaluated } from '../evaluated.ts';
import type { SchemaCheck } from '../schema-check.ts';
import type { Violation } from '../violation.ts';

/** A keyword, or some that belong together, that only some schemas have. It passes every value it is not about. */
export interface Rule {
  /** `seen` is given where somebody wants to know what was looked at. */
  run(value: unknown, seen: Evaluated | undefined): Violation | undefined;
  /** Schemas that are run on the same value: no chain of them may come back to its start. */
  readonly inPlace: readonly SchemaCheck[];
}

/** A rule about what all the others have left. */
export interface UnevaluatedRule {
  runLast(value: unknown, seen: Evaluated): Violation | undefined;
}
