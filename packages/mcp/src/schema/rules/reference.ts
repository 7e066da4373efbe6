import { Evaluated } from '../evaluated.ts';
import type { SchemaCheck } from '../schema-check.ts';
import { tooDeep, type Violation } from '../violation.ts';
import { CheckMemory } from './check-memory.ts';
import type { Rule } from './rule.ts';

/** References followed in one check before results are remembered: small values never pay for it. */
const REMEMBER_AFTER = 1_000;

/**
 * The outermost reference of the check that is running, which is at most one in a thread. Recursion beyond the
 * nesting of the schema goes through references only, so this is the place that keeps it from being endless or
 * exponential.
 */
let following = false;
let followed = 0;
let memory: CheckMemory | undefined;

/** `$ref`, and `$dynamicRef`, whose scope was resolved when the schema was compiled. */
export class Reference implements Rule {
  private checks: readonly SchemaCheck[] = [];

  get inPlace(): readonly SchemaCheck[] {
    return this.checks;
  }

  get target(): SchemaCheck {
    return this.checks[0] as SchemaCheck;
  }

  /** Set once, before the first value comes. */
  set target(check: SchemaCheck) {
    this.checks = [check];
  }

  run(value: unknown, seen: Evaluated | undefined): Violation | undefined {
    if (!following) return this.followOutermost(value, seen);
    return ++followed > REMEMBER_AFTER ? this.followOnce(value, seen) : this.target.run(value, seen);
  }

  private followOutermost(value: unknown, seen: Evaluated | undefined): Violation | undefined {
    following = true;
    try {
      return this.target.run(value, seen);
    } catch (error) {
      return tooDeep(error);
    } finally {
      following = false;
      followed = 0;
      memory = undefined;
    }
  }

  /** Alternatives that refer to the same schema would double the work at each level of the value. */
  private followOnce(value: unknown, seen: Evaluated | undefined): Violation | undefined {
    memory ??= new CheckMemory();
    const known = memory.get(this.target, value);
    if (known !== undefined) {
      if (known.violation !== undefined) return known.violation;
      if (seen === undefined) return undefined;
      if (known.seen !== undefined) {
        seen.add(known.seen);
        return undefined;
      }
    }
    const own = seen && new Evaluated();
    const violation = this.target.run(value, own);
    memory.set(this.target, value, { violation, seen: own });
    if (violation === undefined && own !== undefined) seen?.add(own);
    return violation;
  }
}
