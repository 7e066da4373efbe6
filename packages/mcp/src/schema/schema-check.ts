import type { JsonSchemaType } from './json-schema.ts';

/** Why a value does not fit. `path` is `''` for the root, else `a`, `a.b`, `a[0].b`. */
export interface Violation {
  readonly path: string;
  /** The rest of the sentence: `is required`, `must be a number`. */
  readonly text: string;
}

/** One bit per type, so that a `type` list is one AND. */
export const typeBits: Readonly<Record<JsonSchemaType, number>> = {
  null: 1,
  boolean: 2,
  number: 4,
  integer: 8,
  string: 16,
  array: 32,
  object: 64,
};

const PROTOTYPE_NAMES: object = Object.prototype;

/** One property of an object schema. */
export class PropertyRule {
  readonly key: string;
  readonly check: SchemaCheck | undefined;
  readonly required: boolean;
  /** `constructor`, `toString`, `__proto__` …: a plain read would find the prototype's. */
  readonly guarded: boolean;

  constructor(key: string, check: SchemaCheck | undefined, required: boolean) {
    this.key = key;
    this.check = check;
    this.required = required;
    this.guarded = key in PROTOTYPE_NAMES;
  }

  /** The own value of this property, `undefined` if it is absent (JSON has no undefined). */
  read(value: Record<string, unknown>): unknown {
    return this.guarded && !Object.hasOwn(value, this.key) ? undefined : value[this.key];
  }
}

/**
 * A schema, ready to be walked. Interpreting beats compiling here: nothing is generated, and a call with two
 * numbers costs some tens of nanoseconds. Fields are set once by `compileSchema`; a rule that the schema does not
 * have is at its neutral value.
 */
export class SchemaCheck {
  /** 0 = any type. */
  typeMask = 0;
  /** `a number`, `a string or null`. */
  typeText = '';
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
  minItems = 0;
  maxItems: number = Number.POSITIVE_INFINITY;
  properties: readonly PropertyRule[] = [];
  /** What members outside `properties` must be; `undefined` = anything. */
  additional: SchemaCheck | undefined = undefined;
  known: ReadonlySet<string> | undefined = undefined;
  /** The schema `false`: no value fits. */
  never = false;

  /** The first violation, or `undefined` if the value fits. Allocates only on failure. */
  check(value: unknown): Violation | undefined {
    if (this.typeMask !== 0 && (this.typeMask & bitsOf(value)) === 0)
      return wrong(`must be ${this.typeText}`);
    if (this.never) return wrong('is not allowed');
    if (this.allowed !== undefined && !this.allowed.includes(value)) {
      return wrong(
        `must be ${this.allowed.length === 1 ? '' : 'one of '}${this.allowed.map((one) => JSON.stringify(one)).join(', ')}`,
      );
    }
    switch (typeof value) {
      case 'number':
        return this.hasNumberRules ? this.checkNumber(value) : undefined;
      case 'string':
        return this.hasStringRules ? this.checkString(value) : undefined;
      case 'object':
        if (value === null) return undefined;
        return Array.isArray(value)
          ? this.checkArray(value)
          : this.checkObject(value as Record<string, unknown>);
      default:
        return undefined;
    }
  }

  private checkNumber(value: number): Violation | undefined {
    if (value < this.minimum) return wrong(`must be >= ${this.minimum}`);
    if (value > this.maximum) return wrong(`must be <= ${this.maximum}`);
    if (value <= this.exclusiveMinimum) return wrong(`must be > ${this.exclusiveMinimum}`);
    if (value >= this.exclusiveMaximum) return wrong(`must be < ${this.exclusiveMaximum}`);
    if (this.multipleOf !== 0 && !Number.isInteger(value / this.multipleOf))
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
    for (let at = 0; at < value.length; at++) {
      const violation = this.items.check(value[at]);
      if (violation !== undefined) return within(`[${at}]`, violation);
    }
    return undefined;
  }

  private checkObject(value: Record<string, unknown>): Violation | undefined {
    const properties = this.properties;
    for (let at = 0; at < properties.length; at++) {
      const rule = properties[at] as PropertyRule;
      const member = rule.read(value);
      if (member === undefined) {
        if (rule.required) return { path: rule.key, text: 'is required' };
      } else if (rule.check !== undefined) {
        const violation = rule.check.check(member);
        if (violation !== undefined) return within(rule.key, violation);
      }
    }
    return this.additional === undefined ? undefined : this.checkAdditional(value, this.additional);
  }

  private checkAdditional(value: Record<string, unknown>, additional: SchemaCheck): Violation | undefined {
    for (const key of Object.keys(value)) {
      if (this.known?.has(key)) continue;
      const violation = additional.check(value[key]);
      if (violation !== undefined) return within(key, violation);
    }
    return undefined;
  }
}

function wrong(text: string): Violation {
  return { path: '', text };
}

function within(step: string, violation: Violation): Violation {
  const joint = violation.path === '' || violation.path.startsWith('[') ? '' : '.';
  return { path: step + joint + violation.path, text: violation.text };
}

function bitsOf(value: unknown): number {
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? typeBits.number | typeBits.integer : typeBits.number;
    case 'string':
      return typeBits.string;
    case 'boolean':
      return typeBits.boolean;
    default:
      if (value === null) return typeBits.null;
      return Array.isArray(value) ? typeBits.array : typeBits.object;
  }
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
