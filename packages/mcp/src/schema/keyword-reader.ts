import type { JsonSchemaType } from './json-schema.ts';
import { compilePattern, hasNestedRepeat } from './pattern.ts';
import { EqualTo } from './rules/alternatives.ts';
import { isObject, type Rule } from './rules/rule.ts';
import { type SchemaCheck, typeBits } from './schema-check.ts';

const TYPE_TEXTS: Readonly<Record<JsonSchemaType, string>> = {
  null: 'null',
  boolean: 'a boolean',
  number: 'a number',
  integer: 'an integer',
  string: 'a string',
  array: 'an array',
  object: 'an object',
};

/** Reads the keywords of one schema object and refuses values of the wrong form. */
export class KeywordReader {
  private readonly schema: Readonly<Record<string, unknown>>;
  private readonly remote: boolean;
  private readonly refuse: (why: string) => never;

  /** @param remote - a peer sent it: patterns that may take for ever are left out. */
  constructor(schema: Readonly<Record<string, unknown>>, remote: boolean, refuse: (why: string) => never) {
    this.schema = schema;
    this.remote = remote;
    this.refuse = refuse;
  }

  number(keyword: string): number {
    const value = this.schema[keyword];
    return typeof value === 'number' && Number.isFinite(value)
      ? value
      : this.refuse(`${keyword} must be a number`);
  }

  step(keyword: string): number {
    const value = this.number(keyword);
    return value > 0 ? value : this.refuse(`${keyword} must be above 0`);
  }

  count(keyword: string, absent?: number): number {
    if (absent !== undefined && this.schema[keyword] === undefined) return absent;
    const value = this.number(keyword);
    return Number.isInteger(value) && value >= 0
      ? value
      : this.refuse(`${keyword} must be an integer from 0`);
  }

  boolean(keyword: string): boolean {
    const value = this.schema[keyword];
    return typeof value === 'boolean' ? value : this.refuse(`${keyword} must be true or false`);
  }

  text(keyword: string): string {
    const value = this.schema[keyword];
    return typeof value === 'string' ? value : this.refuse(`${keyword} must be a string`);
  }

  list(keyword: string): readonly unknown[] {
    const value = this.schema[keyword];
    if (!Array.isArray(value) || value.length === 0)
      return this.refuse(`${keyword} must be a list with at least one schema`);
    return value;
  }

  map(keyword: string): Readonly<Record<string, unknown>> {
    const value = this.schema[keyword] ?? {};
    return isObject(value) ? value : this.refuse(`${keyword} must be an object`);
  }

  names(keyword: string, value: unknown): readonly string[] {
    return Array.isArray(value) && value.every((name) => typeof name === 'string')
      ? value
      : this.refuse(`${keyword} must be a list of strings`);
  }

  nameLists(keyword: string): Map<string, readonly string[]> {
    return new Map(
      Object.entries(this.map(keyword)).map(([key, names]) => [key, this.names(`${keyword}/${key}`, names)]),
    );
  }

  /** `undefined` = not to be checked. */
  pattern(keyword: string, source: unknown): RegExp | undefined {
    if (typeof source !== 'string') return this.refuse(`${keyword} must be a string`);
    if (this.remote && hasNestedRepeat(source)) return undefined;
    try {
      return compilePattern(source);
    } catch (error) {
      return this.refuse(
        `${keyword} does not compile: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  readType(check: SchemaCheck): void {
    const type = this.schema['type'];
    const names: readonly unknown[] = Array.isArray(type) ? type : [type];
    if (names.length === 0) this.refuse('type must name at least one type');
    const texts = names.map((name) => {
      if (typeof name !== 'string' || !Object.hasOwn(typeBits, name))
        return this.refuse(`type ${JSON.stringify(name)} is unknown`);
      check.typeMask |= typeBits[name as JsonSchemaType];
      return TYPE_TEXTS[name as JsonSchemaType];
    });
    check.typeText = texts.join(' or ');
  }

  /** `enum` or `const`: a field of the check for plain values, else a rule. */
  readAllowed(keyword: 'enum' | 'const', check: SchemaCheck, rules: Rule[]): void {
    const value = this.schema[keyword];
    if (keyword === 'enum' && (!Array.isArray(value) || value.length === 0)) {
      this.refuse('enum must be a list with at least one value');
    }
    const values = keyword === 'const' ? [value] : (value as unknown[]);
    if (values.some((one) => typeof one === 'object' && one !== null)) {
      rules.push(new EqualTo(values));
      return;
    }
    const before = check.allowed;
    check.allowed = before === undefined ? values : values.filter((one) => before.includes(one));
  }
}
