import { isObject } from '../json-object.ts';
import type { JsonSchemaType } from './json-schema.ts';
import { compilePattern, hasNestedRepeat } from './pattern.ts';
import { PropertyRule } from './property-rule.ts';
import type { Scope } from './references.ts';
import { EqualTo } from './rules/alternatives.ts';
import type { SchemaCheck } from './schema-check.ts';
import { typeBits } from './type-bits.ts';

const TYPE_TEXTS: Readonly<Record<JsonSchemaType, string>> = {
  null: 'null',
  boolean: 'a boolean',
  number: 'a number',
  integer: 'an integer',
  string: 'a string',
  array: 'an array',
  object: 'an object',
};

/** What compiles the parts of a schema, and names it in errors. */
interface NodeCompiler {
  /** A peer sent the schema: patterns that may take for ever are left out. */
  readonly remote: boolean;
  compile(schema: unknown, scope: Scope, at: string, depth: number): SchemaCheck;
  refuse(at: string, why: string): never;
}

/** One schema object of a document: reads its keywords and refuses values of the wrong form. */
export class SchemaNode {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly scope: Scope;
  /** A JSON pointer, as `#/properties/a`. */
  readonly at: string;
  private readonly depth: number;
  private readonly compiler: NodeCompiler;

  constructor(
    schema: Readonly<Record<string, unknown>>,
    scope: Scope,
    at: string,
    depth: number,
    compiler: NodeCompiler,
  ) {
    this.schema = schema;
    this.scope = scope;
    this.at = at;
    this.depth = depth;
    this.compiler = compiler;
  }

  refuse(why: string): never {
    return this.compiler.refuse(this.at, why);
  }

  /** The subschema under a keyword. */
  sub(keyword: string): SchemaCheck {
    return this.part(this.schema[keyword], keyword);
  }

  optionalSub(keyword: string): SchemaCheck | undefined {
    return this.schema[keyword] === undefined ? undefined : this.sub(keyword);
  }

  subList(keyword: string): SchemaCheck[] {
    const value = this.schema[keyword];
    if (!Array.isArray(value) || value.length === 0)
      return this.refuse(`${keyword} must be a list with at least one schema`);
    return value.map((part, index) => this.part(part, `${keyword}/${index}`));
  }

  subMap(keyword: string): [string, SchemaCheck][] {
    const value = this.map(keyword);
    return Object.keys(value).map((name) => [name, this.part(value[name], `${keyword}/${name}`)]);
  }

  private part(schema: unknown, place: string): SchemaCheck {
    return this.compiler.compile(schema, this.scope, `${this.at}/${place}`, this.depth + 1);
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
    const lists = Object.entries(this.map(keyword));
    return new Map(lists.map(([key, names]) => [key, this.names(`${keyword}/${key}`, names)]));
  }

  /** The properties, then the required members that have none. */
  properties(): PropertyRule[] {
    const properties = this.map('properties');
    const required = this.schema['required'];
    const needed = required === undefined ? undefined : new Set(this.names('required', required));
    const rules: PropertyRule[] = [];
    for (const key of Object.keys(properties)) {
      const check = this.part(properties[key], `properties/${key}`);
      rules.push(new PropertyRule(key, check, needed?.delete(key) === true));
    }
    if (needed !== undefined) for (const key of needed) rules.push(new PropertyRule(key, undefined, true));
    return rules;
  }

  /** `undefined` = not to be checked. */
  pattern(keyword: string, source: unknown): RegExp | undefined {
    if (typeof source !== 'string') return this.refuse(`${keyword} must be a string`);
    if (this.compiler.remote && hasNestedRepeat(source)) return undefined;
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
  readAllowed(keyword: 'enum' | 'const', check: SchemaCheck): void {
    const value = this.schema[keyword];
    if (keyword === 'enum' && (!Array.isArray(value) || value.length === 0)) {
      this.refuse('enum must be a list with at least one value');
    }
    const values = keyword === 'const' ? [value] : (value as unknown[]);
    if (values.some((one) => typeof one === 'object' && one !== null)) {
      check.addRule(new EqualTo(values));
      return;
    }
    const before = check.allowed;
    check.allowed = before === undefined ? values : values.filter((one) => before.includes(one));
  }
}
