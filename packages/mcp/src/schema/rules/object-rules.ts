import { isObject } from '../../json-object.ts';
import type { Evaluated } from '../evaluated.ts';
import type { SchemaCheck } from '../schema-check.ts';
import { type Violation, within, wrong } from '../violation.ts';
import type { Rule, UnevaluatedRule } from './rule.ts';

/** What is asked of all members of an object: one pass over its names. */
export class ObjectRules {
  /** The names under `properties`. */
  known: ReadonlySet<string> = new Set();
  patterns: readonly { readonly pattern: RegExp; readonly check: SchemaCheck }[] = [];
  /** For members that neither `known` nor `patterns` names. */
  additional: SchemaCheck | undefined = undefined;
  names: SchemaCheck | undefined = undefined;
  minimum = 0;
  maximum: number = Number.POSITIVE_INFINITY;

  /** Whether a member that `properties` names is nobody's business here. */
  get asksOnlyAdditional(): boolean {
    return (
      this.patterns.length === 0 &&
      this.names === undefined &&
      this.minimum === 0 &&
      this.maximum === Number.POSITIVE_INFINITY
    );
  }

  run(value: Record<string, unknown>): Violation | undefined {
    let count = 0;
    // No list of names is made. What stands on a prototype is no member.
    for (const key in value) {
      if (!Object.hasOwn(value, key)) continue;
      const member = value[key];
      if (member === undefined) continue;
      count++;
      const violation = this.runMember(key, member);
      if (violation !== undefined) return violation;
    }
    if (count < this.minimum) return wrong(`must have at least ${this.minimum} members`);
    if (count > this.maximum) return wrong(`must have at most ${this.maximum} members`);
    return undefined;
  }

  private runMember(key: string, member: unknown): Violation | undefined {
    if (this.names !== undefined) {
      const violation = this.names.run(key, undefined);
      if (violation !== undefined) return within(key, wrong(`has a name that ${violation.text}`));
    }
    let named = this.known.has(key);
    for (const { pattern, check } of this.patterns) {
      if (!pattern.test(key)) continue;
      named = true;
      const violation = check.run(member, undefined);
      if (violation !== undefined) return within(key, violation);
    }
    if (named || this.additional === undefined) return undefined;
    const violation = this.additional.run(member, undefined);
    return violation === undefined ? undefined : within(key, violation);
  }

  note(value: object, seen: Evaluated): void {
    if (this.additional !== undefined) {
      seen.allKeys = true;
      return;
    }
    for (const key of Object.keys(value)) {
      if (this.patterns.some(({ pattern }) => pattern.test(key))) seen.keys.add(key);
    }
  }
}

/** `dependentRequired` */
export class DependentRequired implements Rule {
  readonly inPlace: readonly SchemaCheck[] = [];
  private readonly needs: ReadonlyMap<string, readonly string[]>;

  constructor(needs: ReadonlyMap<string, readonly string[]>) {
    this.needs = needs;
  }

  run(value: unknown): Violation | undefined {
    if (!isObject(value)) return undefined;
    for (const [key, others] of this.needs) {
      if (!hasMember(value, key)) continue;
      const missing = others.find((other) => !hasMember(value, other));
      if (missing !== undefined) return { path: missing, text: `is required beside ${key}` };
    }
    return undefined;
  }
}

/** `dependentSchemas` */
export class DependentSchemas implements Rule {
  readonly inPlace: readonly SchemaCheck[];
  private readonly schemas: ReadonlyMap<string, SchemaCheck>;

  constructor(schemas: ReadonlyMap<string, SchemaCheck>) {
    this.schemas = schemas;
    this.inPlace = [...schemas.values()];
  }

  run(value: unknown, seen: Evaluated | undefined): Violation | undefined {
    if (!isObject(value)) return undefined;
    for (const [key, check] of this.schemas) {
      if (!hasMember(value, key)) continue;
      const violation = check.run(value, seen);
      if (violation !== undefined) return violation;
    }
    return undefined;
  }
}

/** `unevaluatedProperties` */
export class UnevaluatedProperties implements UnevaluatedRule {
  private readonly check: SchemaCheck;

  constructor(check: SchemaCheck) {
    this.check = check;
  }

  runLast(value: unknown, seen: Evaluated): Violation | undefined {
    if (!isObject(value)) return undefined;
    for (const key of Object.keys(value)) {
      if (seen.hasKey(key) || value[key] === undefined) continue;
      const violation = this.check.run(value[key], undefined);
      if (violation !== undefined) return within(key, violation);
    }
    seen.allKeys = true;
    return undefined;
  }
}

function hasMember(value: Record<string, unknown>, key: string): boolean {
  return Object.hasOwn(value, key) && value[key] !== undefined;
}
