import { isMcpError, McpError } from '../../errors.ts';
import { isObject } from '../../json-object.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { SchemaCheck } from '../../schema/schema-check.ts';
import { compileSchema } from '../../schema/schema-compile.ts';

/** More would be no flat form. */
const FORM_KEYWORDS: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'title',
  'description',
  '$schema',
  '$comment',
]);

/** What combines, refers or nests is missing here. */
const FIELD_KEYWORDS: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'default',
  'examples',
  '$comment',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'const',
  'enum',
  'enumNames',
  'oneOf',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
]);

const FIELD_TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'array']);

/** Judges what a user has filled in. */
export class FormCheck {
  private readonly check: SchemaCheck;

  /** @throws McpError `OPTION_INVALID` for a schema that is no form: flat, of strings, numbers, booleans and choices. */
  constructor(schema: unknown) {
    this.check = compileForm(schema);
  }

  /** What is wrong with `content`; `undefined` if it fits. */
  problem(content: Readonly<Record<string, unknown>>): string | undefined {
    for (const key of Object.keys(content)) {
      if (!isFieldValue(content[key]))
        return `content.${key} must be a string, number, boolean or list of strings`;
    }
    const violation = this.check.check(content);
    if (violation === undefined) return undefined;
    return `content${violation.path === '' ? '' : `.${violation.path}`} ${violation.text}`;
  }
}

function isFieldValue(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    default:
      return Array.isArray(value) && value.every((one) => typeof one === 'string');
  }
}

/** The form in the words of the general validator, which knows neither titled choices nor `enumNames`. */
function compileForm(schema: unknown): SchemaCheck {
  if (!isObject(schema) || schema['type'] !== 'object') throw noForm('#', 'type must be "object"');
  refuseOthers(schema, FORM_KEYWORDS, '#');
  const { properties, additionalProperties } = schema;
  if (isObject(additionalProperties)) throw noForm('#', 'additionalProperties must be true or false');
  if (!isObject(properties)) throw noForm('#', 'properties must be an object');
  const fields = Object.keys(properties).map((key): [string, unknown] => [
    key,
    plainField(properties[key], `#/properties/${key}`),
  ]);
  const plain = { ...schema, properties: Object.fromEntries(fields) } as JsonSchema;
  try {
    return compileSchema(plain, 'requestedSchema');
  } catch (error) {
    if (!isMcpError(error)) throw error;
    throw new McpError('OPTION_INVALID', error.message, { cause: error });
  }
}

function plainField(field: unknown, at: string): unknown {
  if (!isObject(field)) throw noForm(at, 'must be an object');
  const { type } = field;
  if (!FIELD_TYPES.has(type)) {
    throw noForm(
      at,
      `type ${JSON.stringify(type)} is not one of string, number, integer, boolean, array: a form is flat`,
    );
  }
  refuseOthers(field, FIELD_KEYWORDS, at);
  const { oneOf, enumNames, items, ...rest } = field;
  if (type === 'array') return { ...rest, items: { type: 'string', enum: choicesOf(items, at) } };
  if (items !== undefined) throw noForm(at, 'items are for the type array');
  return oneOf === undefined ? rest : { ...rest, enum: titledValues(oneOf, `${at}/oneOf`) };
}

function choicesOf(items: unknown, at: string): unknown {
  if (isObject(items)) {
    const { enum: values, anyOf } = items;
    if (anyOf !== undefined) return titledValues(anyOf, `${at}/items/anyOf`);
    if (Array.isArray(values) && values.every((one) => typeof one === 'string')) return values;
  }
  throw noForm(at, 'an array is a choice of several: items must have enum or anyOf');
}

function titledValues(list: unknown, at: string): readonly unknown[] {
  const isTitled =
    Array.isArray(list) && list.every((one) => isObject(one) && typeof one['const'] === 'string');
  if (!isTitled) throw noForm(at, 'must be a list of { const, title }');
  return (list as readonly { readonly const: string }[]).map((one) => one.const);
}

function refuseOthers(schema: object, known: ReadonlySet<string>, at: string): void {
  const other = Object.keys(schema).find((keyword) => !known.has(keyword));
  if (other !== undefined) throw noForm(at, `"${other}" is no part of a form`);
}

function noForm(at: string, why: string): McpError {
  return new McpError('OPTION_INVALID', `requestedSchema at ${at}: ${why}`);
}
