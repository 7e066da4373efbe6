import { Evaluated } from './evaluated.ts';
import { isMultipleOf } from './multiple-of.ts';
import type { PropertyRule } from './property-rule.ts';
import { ObjectRules } from './rules/object-rules.ts';
import type { Rule, UnevaluatedRule } from './rules/rule.ts';
import { bitsOf } from './type-bits.ts';
import { type Violation, within, wrong } from './violation.ts';

/**
 * A schema, ready to be walked. Nothing is generated, and a call with two numbers costs some tens of nanoseconds.
 * What nearly every schema has is a field, set once by `compileSchema` and at its neutral value where the schema
 * says nothing; everything else is a rule in `rules`, which runs after the fields.
 */
export class SchemaCheck {
  /** 0 = any type. */
  typeMask = 0;
  /** The types that fit, if nothing else is asked; else 0. */
  typesAlone = 0;
  /** `a number`, `a string or null`. */
  typeText = '';
  /** Values that are no arrays or objects. */
  allowed: readonly unknown[] | undefined = undefined;
  hasNumberRules = false;
  minimum: number = Number.NEGATIVE_INFINITY;
  maximum: number = Number.POSITIVE_INFINITY;
  exclusiveMinimum: number = Number.NEGATIVE_INFINITY;
  exclusiveMaximum: number = Number.POSITIVE_INFINITY;
  multipleOf = 0;
  hasStringRules = false;
  minLength = 0;
  maxLength: number = Number.POSITIVE_INFINITY;
  pattern: RegExp | undefined = undefined;
  items: SchemaCheck | undefined = undefined;
  /** Where `items` begins: behind `prefixItems`. */
  itemsFrom = 0;
  minItems = 0;
  maxItems: number = Number.POSITIVE_INFINITY;
  properties: readonly PropertyRule[] = [];
  /** What members outside `properties` must be, and how many; `undefined` = anything. */
  objectRules: ObjectRules | undefined = undefined;
  /** `objectRules` ask nothing of members that `properties` names. */
  closed = false;
  /** The schema `false`: no value fits. */
  never = false;
  rules: Rule[] | undefined = undefined;
  /** `unevaluatedProperties` and `unevaluatedItems`: they run last. */
  unevaluated: UnevaluatedRule[] | undefined = undefined;
  // Made by the first value that is wrong so: alternatives fail by type and by `const` all the time.
  private typeViolation: Violation | undefined = undefined;
  private valueViolation: Violation | undefined = undefined;

  addRule(rule: Rule): void {
    this.rules ??= [];
    this.rules.push(rule);
  }

  addUnevaluated(rule: UnevaluatedRule): void {
    this.rules ??= [];
    this.unevaluated ??= [];
    this.unevaluated.push(rule);
  }

  /** Called when all is set. */
  settle(): void {
    const plain =
      !this.never &&
      this.allowed === undefined &&
      !this.hasNumberRules &&
      !this.hasStringRules &&
      this.items === undefined &&
      this.minItems === 0 &&
      this.maxItems === Number.POSITIVE_INFINITY &&
      this.properties.length === 0 &&
      this.objectRules === undefined &&
      this.rules === undefined;
    this.typesAlone = plain ? this.typeMask : 0;
    const members = this.objectRules;
    // A member that is only required is judged by `additionalProperties` all the same.
    this.closed = members?.asksOnlyAdditional === true && members.known.size === this.properties.length;
  }

  /**
   * Whether members are asked for their types at most: a check that takes some tens of nanoseconds, which no
   * generated code would earn back.
   */
  get isFlat(): boolean {
    const plain = this.properties.every(({ check }) => check === undefined || check.typesAlone !== 0);
    const closed = this.objectRules === undefined || this.objectRules.additional?.never === true;
    return plain && closed && this.items === undefined && this.rules === undefined;
  }

  /** The rules for all members, made on first use. */
  forMembers(): ObjectRules {
    this.objectRules ??= new ObjectRules();
    return this.objectRules;
  }

  /**
   * The first violation, or `undefined` if the value fits. Allocates only on failure, also of an alternative, and
   * where the schema says `unevaluatedProperties`, `unevaluatedItems` or `uniqueItems`.
   */
  check(value: unknown): Violation | undefined {
    return this.run(value, undefined);
  }

  /** As `check`. What the schema has looked at is noted in `seen`; of no use if there is a violation. */
  run(value: unknown, seen: Evaluated | undefined): Violation | undefined {
    if (this.typeMask !== 0 && (this.typeMask & bitsOf(value)) === 0) {
      this.typeViolation ??= wrong(`must be ${this.typeText}`);
      return this.typeViolation;
    }
    if (this.never) return wrong('is not allowed');
    if (this.allowed !== undefined && !this.allowed.includes(value)) {
      this.valueViolation ??= notAllowed(this.allowed);
      return this.valueViolation;
    }
    let violation: Violation | undefined;
    if (typeof value === 'number') {
      if (this.hasNumberRules) violation = this.checkNumber(value);
    } else if (typeof value === 'string') {
      if (this.hasStringRules) violation = this.checkString(value);
    } else if (typeof value === 'object' && value !== null) {
      violation = Array.isArray(value)
        ? this.checkArray(value)
        : this.checkObject(value as Record<string, unknown>);
    }
    if (violation !== undefined || (this.rules === undefined && seen === undefined)) return violation;
    return this.runRules(value, seen);
  }

  private checkNumber(value: number): Violation | undefined {
    if (value < this.minimum) return wrong(`must be >= ${this.minimum}`);
    if (value > this.maximum) return wrong(`must be <= ${this.maximum}`);
    if (value <= this.exclusiveMinimum) return wrong(`must be > ${this.exclusiveMinimum}`);
    if (value >= this.exclusiveMaximum) return wrong(`must be < ${this.exclusiveMaximum}`);
    if (this.multipleOf !== 0 && !isMultipleOf(value, this.multipleOf))
      return wrong(`must be a multiple of ${this.multipleOf}`);
    return undefined;
  }

  private checkString(value: string): Violation | undefined {
    // A string has at most as many code points as units, and at least half as many: count only between.
    if (
      value.length < this.minLength ||
      (value.length < 2 * this.minLength && codePoints(value) < this.minLength)
    ) {
      return wrong(`must have at least ${this.minLength} characters`);
    }
    if (value.length > this.maxLength && codePoints(value) > this.maxLength) {
      return wrong(`must have at most ${this.maxLength} characters`);
    }
    if (this.pattern !== undefined && !this.pattern.test(value))
      return wrong(`must match ${this.pattern.source}`);
    return undefined;
  }

  private checkArray(value: readonly unknown[]): Violation | undefined {
    if (value.length < this.minItems) return wrong(`must have at least ${this.minItems} items`);
    if (value.length > this.maxItems) return wrong(`must have at most ${this.maxItems} items`);
    if (this.items === undefined) return undefined;
    const plain = this.items.typesAlone;
    for (let at = this.itemsFrom; at < value.length; at++) {
      if ((plain & bitsOf(value[at])) !== 0) continue;
      const violation = this.items.run(value[at], undefined);
      if (violation !== undefined) return within(`[${at}]`, violation);
    }
    return undefined;
  }

  private checkObject(value: Record<string, unknown>): Violation | undefined {
    const properties = this.properties;
    let at = 0;
    let exact = true;
    // Most clients write the members in the order of the schema. A loop over the names reads each member by its
    // place in the object; a read by a name that changes from call to call is a look-up.
    if (properties.length > 0) {
      for (const key in value) {
        const rule = properties[at];
        if (rule === undefined || key !== rule.key) {
          exact = false;
          break;
        }
        const member = value[key];
        if (member === undefined) {
          exact = false;
          break;
        }
        const violation = rule.judge(member);
        if (violation !== undefined) return within(key, violation);
        at++;
      }
      if (exact && at === properties.length && this.closed) return undefined;
    }
    for (; at < properties.length; at++) {
      const rule = properties[at] as PropertyRule;
      const member = rule.read(value);
      if (member === undefined) {
        if (rule.required) return rule.missing();
      } else {
        const violation = rule.judge(member);
        if (violation !== undefined) return within(rule.key, violation);
      }
    }
    return this.objectRules?.run(value);
  }

  private runRules(value: unknown, seen: Evaluated | undefined): Violation | undefined {
    // What stands beside a schema is not its business: it notes what it sees itself, and passes that on.
    const own = this.unevaluated === undefined ? seen : new Evaluated();
    if (own !== undefined && typeof value === 'object' && value !== null) this.note(value, own);
    for (const rule of this.rules ?? []) {
      const violation = rule.run(value, own);
      if (violation !== undefined) return violation;
    }
    if (this.unevaluated === undefined || own === undefined) return undefined;
    for (const rule of this.unevaluated) {
      const violation = rule.runLast(value, own);
      if (violation !== undefined) return violation;
    }
    seen?.add(own);
    return undefined;
  }

  private note(value: object, seen: Evaluated): void {
    if (Array.isArray(value)) {
      if (this.items !== undefined) seen.allItems = true;
      return;
    }
    for (const rule of this.properties) {
      if (rule.check !== undefined && rule.read(value as Record<string, unknown>) !== undefined)
        seen.keys.add(rule.key);
    }
    this.objectRules?.note(value, seen);
  }
}

function notAllowed(allowed: readonly unknown[]): Violation {
  return wrong(
    `must be ${allowed.length === 1 ? '' : 'one of '}${allowed.map((one) => JSON.stringify(one)).join(', ')}`,
  );
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
