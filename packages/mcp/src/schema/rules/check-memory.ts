import type { Evaluated } from '../evaluated.ts';
import type { SchemaCheck } from '../schema-check.ts';
import type { Violation } from '../violation.ts';

/** Results that are kept, twice: about 100 bytes each. */
const MAX_RESULTS = 50_000;

interface Result {
  readonly violation: Violation | undefined;
  readonly seen: Evaluated | undefined;
}

type Generation = Map<SchemaCheck, Map<unknown, Result>>;

/** What checks said about values. The oldest are forgotten; what is asked for again is kept. */
export class CheckMemory {
  private young: Generation = new Map();
  private old: Generation = new Map();
  private count = 0;

  get(check: SchemaCheck, value: unknown): Result | undefined {
    const result = this.young.get(check)?.get(value);
    if (result !== undefined) return result;
    const older = this.old.get(check)?.get(value);
    if (older !== undefined) this.set(check, value, older);
    return older;
  }

  set(check: SchemaCheck, value: unknown, result: Result): void {
    if (this.count >= MAX_RESULTS) {
      this.old = this.young;
      this.young = new Map();
      this.count = 0;
    }
    let results = this.young.get(check);
    if (results === undefined) {
      results = new Map();
      this.young.set(check, results);
    }
    if (!results.has(value)) this.count++;
    results.set(value, result);
  }
}
