import { canonicalText } from '../equality.ts';
import type { Evaluated } from '../evaluated.ts';
import type { SchemaCheck } from '../schema-check.ts';
import { tooDeep, type Violation, within, wrong } from '../violation.ts';
import type { Rule, UnevaluatedRule } from './rule.ts';

/** `prefixItems` */
export class PrefixItems implements Rule {
  readonly inPlace: readonly SchemaCheck[] = [];
  private readonly checks: readonly SchemaCheck[];

  constructor(checks: readonly SchemaCheck[]) {
    this.checks = checks;
  }

  run(value: unknown, seen: Evaluated | undefined): Violation | undefined {
    if (!Array.isArray(value)) return undefined;
    const count = Math.min(value.length, this.checks.length);
    for (let at = 0; at < count; at++) {
      const violation = (this.checks[at] as SchemaCheck).run(value[at], undefined);
      if (violation !== undefined) return within(`[${at}]`, violation);
    }
    if (seen !== undefined) seen.firstItems = Math.max(seen.firstItems, count);
    return undefined;
  }
}

/** `contains` with `minContains` and `maxContains` */
export class Contains implements Rule {
  readonly inPlace: readonly SchemaCheck[] = [];
  private readonly check: SchemaCheck;
  private readonly minimum: number;
  private readonly maximum: number;

  constructor(check: SchemaCheck, minimum: number, maximum: number) {
    this.check = check;
    this.minimum = minimum;
    this.maximum = maximum;
  }

  run(value: unknown, seen: Evaluated | undefined): Violation | undefined {
    if (!Array.isArray(value)) return undefined;
    let count = 0;
    for (let at = 0; at < value.length; at++) {
      if (this.check.run(value[at], undefined) !== undefined) continue;
      count++;
      seen?.foundItems.add(at);
    }
    if (count < this.minimum)
      return wrong(`must have at least ${this.minimum} items that fit the schema under "contains"`);
    if (count > this.maximum)
      return wrong(`must have at most ${this.maximum} items that fit the schema under "contains"`);
    return undefined;
  }
}

/** `uniqueItems` */
export class UniqueItems implements Rule {
  readonly inPlace: readonly SchemaCheck[] = [];

  run(value: unknown): Violation | undefined {
    if (!Array.isArray(value)) return undefined;
    try {
      return this.findEqual(value);
    } catch (error) {
      return tooDeep(error);
    }
  }

  private findEqual(value: readonly unknown[]): Violation | undefined {
    const plain = new Map<unknown, number>();
    const texts = new Map<string, number>();
    for (let at = 0; at < value.length; at++) {
      const item = value[at];
      const nested = typeof item === 'object' && item !== null;
      const before = nested ? first(texts, canonicalText(item), at) : first(plain, item, at);
      if (before !== at) return { path: `[${at}]`, text: `must not be equal to item ${before}` };
    }
    return undefined;
  }
}

function first<Key>(places: Map<Key, number>, key: Key, at: number): number {
  const before = places.get(key);
  if (before === undefined) places.set(key, at);
  return before ?? at;
}

/** `unevaluatedItems` */
export class UnevaluatedItems implements UnevaluatedRule {
  private readonly check: SchemaCheck;

  constructor(check: SchemaCheck) {
    this.check = check;
  }

  runLast(value: unknown, seen: Evaluated): Violation | undefined {
    if (!Array.isArray(value)) return undefined;
    for (let at = 0; at < value.length; at++) {
      if (seen.hasItem(at)) continue;
      const violation = this.check.run(value[at], undefined);
      if (violation !== undefined) return within(`[${at}]`, violation);
    }
    seen.allItems = true;
    return undefined;
  }
}
