import type { SchemaCheck } from './schema-check.ts';
import { bitsOf } from './type-bits.ts';
import type { Violation } from './violation.ts';

const PROTOTYPE_NAMES: object = Object.prototype;

/** One property of an object schema. */
export class PropertyRule {
  readonly key: string;
  readonly check: SchemaCheck | undefined;
  readonly required: boolean;
  /** `constructor`, `toString`, `__proto__` …: a plain read would find the prototype's. */
  readonly guarded: boolean;

  /** Types that fit whatever the value: those of a schema that asks for nothing else. */
  private readonly mask: number;
  private missingViolation: Violation | undefined = undefined;

  constructor(key: string, check: SchemaCheck | undefined, required: boolean) {
    this.mask = check?.typesAlone ?? 0;
    this.key = key;
    this.check = check;
    this.required = required;
    this.guarded = key in PROTOTYPE_NAMES;
  }

  missing(): Violation {
    this.missingViolation ??= { path: this.key, text: 'is required' };
    return this.missingViolation;
  }

  judge(member: unknown): Violation | undefined {
    if ((this.mask & bitsOf(member)) !== 0 || this.check === undefined) return undefined;
    return this.check.run(member, undefined);
  }

  /** The own value of this property, `undefined` if it is absent (JSON has no undefined). */
  read(value: Record<string, unknown>): unknown {
    return this.guarded && !Object.hasOwn(value, this.key) ? undefined : value[this.key];
  }
}
