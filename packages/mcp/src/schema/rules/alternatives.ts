import { isEqual } from '../equality.ts';
import { Evaluated } from '../evaluated.ts';
import type { SchemaCheck } from '../schema-check.ts';
import { type Violation, wrong } from '../violation.ts';
import type { Rule } from './rule.ts';

/** Alternatives whose reasons are told; the rest is counted. */
const MAX_REASONS = 3;
/** Length of one reason, in UTF-16 units: alternatives within alternatives would multiply. */
const MAX_REASON_LENGTH = 120;

/** `allOf` */
export class AllOf implements Rule {
  readonly inPlace: readonly SchemaCheck[];

  constructor(inPlace: readonly SchemaCheck[]) {
    this.inPlace = inPlace;
  }

  run(value: unknown, seen: Evaluated | undefined): Violation | undefined {
    for (const check of this.inPlace) {
      const violation = check.run(value, seen);
      if (violation !== undefined) return violation;
    }
    return undefined;
  }
}

/** `anyOf` */
export class AnyOf implements Rule {
  readonly inPlace: readonly SchemaCheck[];

  constructor(inPlace: readonly SchemaCheck[]) {
    this.inPlace = inPlace;
  }

  run(value: unknown, seen: Evaluated | undefined): Violation | undefined {
    let reasons: Violation[] | undefined;
    let fits = false;
    for (const check of this.inPlace) {
      const branch = seen && new Evaluated();
      const violation = check.run(value, branch);
      if (violation !== undefined) {
        reasons ??= [];
        reasons.push(violation);
      } else if (seen === undefined || branch === undefined) {
        return undefined;
      } else {
        fits = true;
        seen.add(branch);
      }
    }
    return fits ? undefined : fitsNone(reasons ?? []);
  }
}

/** `oneOf` */
export class OneOf implements Rule {
  readonly inPlace: readonly SchemaCheck[];

  constructor(inPlace: readonly SchemaCheck[]) {
    this.inPlace = inPlace;
  }

  run(value: unknown, seen: Evaluated | undefined): Violation | undefined {
    let reasons: Violation[] | undefined;
    let fitting = -1;
    for (let at = 0; at < this.inPlace.length; at++) {
      const branch = seen && new Evaluated();
      const violation = (this.inPlace[at] as SchemaCheck).run(value, branch);
      if (violation !== undefined) {
        reasons ??= [];
        reasons.push(violation);
        continue;
      }
      if (fitting !== -1)
        return wrong(`must fit only one of the alternatives, but fits number ${fitting + 1} and ${at + 1}`);
      fitting = at;
      if (branch !== undefined) seen?.add(branch);
    }
    return fitting === -1 ? fitsNone(reasons ?? []) : undefined;
  }
}

/** `not` */
export class Not implements Rule {
  readonly inPlace: readonly SchemaCheck[];
  private readonly check: SchemaCheck;

  constructor(check: SchemaCheck) {
    this.check = check;
    this.inPlace = [check];
  }

  run(value: unknown): Violation | undefined {
    return this.check.run(value, undefined) === undefined
      ? wrong('must not fit the schema under "not"')
      : undefined;
  }
}

/** `if` with `then` and `else` */
export class Conditional implements Rule {
  readonly inPlace: readonly SchemaCheck[];
  private readonly condition: SchemaCheck;
  private readonly yes: SchemaCheck | undefined;
  private readonly no: SchemaCheck | undefined;

  constructor(condition: SchemaCheck, yes: SchemaCheck | undefined, no: SchemaCheck | undefined) {
    this.condition = condition;
    this.yes = yes;
    this.no = no;
    this.inPlace = [condition, yes, no].filter((check) => check !== undefined);
  }

  run(value: unknown, seen: Evaluated | undefined): Violation | undefined {
    const branch = seen && new Evaluated();
    if (this.condition.run(value, branch) !== undefined) return this.no?.run(value, seen);
    if (branch !== undefined) seen?.add(branch);
    return this.yes?.run(value, seen);
  }
}

/** `enum` or `const` with arrays or objects in it */
export class EqualTo implements Rule {
  readonly inPlace: readonly SchemaCheck[] = [];
  private readonly values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.values = values;
  }

  run(value: unknown): Violation | undefined {
    if (this.values.some((one) => isEqual(one, value))) return undefined;
    const texts = this.values.slice(0, MAX_REASONS).map((one) => shortened(JSON.stringify(one)));
    const more = this.values.length > MAX_REASONS ? ', …' : '';
    return wrong(`must be ${this.values.length === 1 ? '' : 'one of '}${texts.join(', ')}${more}`);
  }
}

function fitsNone(reasons: readonly Violation[]): Violation {
  const [only] = reasons;
  if (only !== undefined && reasons.length === 1) return only;
  const texts = reasons
    .slice(0, MAX_REASONS)
    .map(({ path, text }, at) => `(${at + 1}) ${shortened(path === '' ? text : `${path} ${text}`)}`);
  const more = reasons.length > MAX_REASONS ? `; and ${reasons.length - MAX_REASONS} more` : '';
  return wrong(`must fit one of the alternatives: ${texts.join('; ')}${more}`);
}

function shortened(text: string): string {
  return text.length <= MAX_REASON_LENGTH ? text : `${text.slice(0, MAX_REASON_LENGTH)}…`;
}
