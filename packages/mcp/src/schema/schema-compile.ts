import { McpError } from '../errors.ts';
import { annotationKeywords, type JsonSchema, type JsonSchemaType } from './json-schema.ts';
import { PropertyRule, SchemaCheck, typeBits } from './schema-check.ts';

/** Nesting of a schema; a deeper one is refused (a cyclic one is endless). */
const MAX_SCHEMA_DEPTH = 64;

const TYPE_TEXTS: Readonly<Record<JsonSchemaType, string>> = {
  null: 'null',
  boolean: 'a boolean',
  number: 'a number',
  integer: 'an integer',
  string: 'a string',
  array: 'an array',
  object: 'an object',
};

/**
 * Turns a schema into something that can be checked against.
 *
 * @param where - names the schema in the error: the tool's name.
 * @throws McpError `SCHEMA_UNSUPPORTED` for a keyword that is not checked, or one with a value of the wrong form.
 */
export function compileSchema(schema: JsonSchema | boolean, where: string): SchemaCheck {
  return compile(schema, where, '#', 0);
}

function compile(schema: unknown, where: string, at: string, depth: number): SchemaCheck {
  const check = new SchemaCheck();
  if (schema === true) return check;
  if (schema === false) {
    check.never = true;
    return check;
  }
  const refuse = (why: string): never => {
    throw new McpError('SCHEMA_UNSUPPORTED', `Schema of ${where} at ${at}: ${why}`);
  };
  if (!isObject(schema)) return refuse('must be an object or a boolean');
  if (depth > MAX_SCHEMA_DEPTH) return refuse(`is nested deeper than ${MAX_SCHEMA_DEPTH}`);

  const number = (keyword: string): number => {
    const value = schema[keyword];
    return typeof value === 'number' && Number.isFinite(value)
      ? value
      : refuse(`${keyword} must be a number`);
  };
  const count = (keyword: string): number => {
    const value = number(keyword);
    return Number.isSafeInteger(value) && value >= 0 ? value : refuse(`${keyword} must be an integer from 0`);
  };
  for (const keyword of Object.keys(schema)) {
    switch (keyword) {
      case 'type':
        readType(check, schema[keyword], refuse);
        break;
      case 'enum':
      case 'const':
        readAllowed(check, keyword, schema[keyword], refuse);
        break;
      case 'minimum':
      case 'maximum':
      case 'exclusiveMinimum':
      case 'exclusiveMaximum':
        check.hasNumberRules = true;
        check[keyword] = number(keyword);
        break;
      case 'multipleOf':
        check.hasNumberRules = true;
        check.multipleOf = number(keyword) > 0 ? number(keyword) : refuse('multipleOf must be above 0');
        break;
      case 'minLength':
      case 'maxLength':
        check.hasStringRules = true;
        check[keyword] = count(keyword);
        break;
      case 'pattern':
        check.hasStringRules = true;
        check.pattern = readPattern(schema[keyword], refuse);
        break;
      case 'items':
        check.items = compile(schema[keyword], where, `${at}/items`, depth + 1);
        break;
      case 'minItems':
      case 'maxItems':
        check[keyword] = count(keyword);
        break;
      case 'properties':
      case 'required':
        break; // read together below
      case 'additionalProperties':
        if (schema[keyword] !== true)
          check.additional = compile(schema[keyword], where, `${at}/additionalProperties`, depth + 1);
        break;
      default:
        if (!annotationKeywords.has(keyword)) refuse(`keyword "${keyword}" is not supported`);
    }
  }
  check.properties = readProperties(schema, where, at, depth, refuse);
  if (check.additional !== undefined)
    check.known = new Set(Object.keys((schema['properties'] as object | undefined) ?? {}));
  return check;
}

type Refuse = (why: string) => never;

function readType(check: SchemaCheck, type: unknown, refuse: Refuse): void {
  const names: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (names.length === 0) refuse('type must name at least one type');
  const texts = names.map((name) => {
    if (typeof name !== 'string' || !Object.hasOwn(typeBits, name))
      return refuse(`type ${JSON.stringify(name)} is unknown`);
    check.typeMask |= typeBits[name as JsonSchemaType];
    return TYPE_TEXTS[name as JsonSchemaType];
  });
  check.typeText = texts.join(' or ');
}

function readAllowed(check: SchemaCheck, keyword: 'enum' | 'const', value: unknown, refuse: Refuse): void {
  if (keyword === 'enum' && (!Array.isArray(value) || value.length === 0)) {
    refuse('enum must be a list with at least one value');
  }
  const values = keyword === 'const' ? [value] : (value as unknown[]);
  if (values.some((one) => typeof one === 'object' && one !== null))
    refuse(`${keyword} of arrays or objects is not supported`);
  const before = check.allowed;
  check.allowed = before === undefined ? values : values.filter((one) => before.includes(one));
}

function readPattern(pattern: unknown, refuse: Refuse): RegExp {
  if (typeof pattern !== 'string') return refuse('pattern must be a string');
  try {
    return new RegExp(pattern, 'u');
  } catch (error) {
    return refuse(`pattern does not compile: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Rules in the order of `properties`, then the required members that have none. */
function readProperties(
  schema: Record<string, unknown>,
  where: string,
  at: string,
  depth: number,
  refuse: Refuse,
): PropertyRule[] {
  const properties = schema['properties'] ?? {};
  const required = schema['required'] ?? [];
  if (!isObject(properties)) return refuse('properties must be an object');
  if (!Array.isArray(required) || required.some((key) => typeof key !== 'string'))
    return refuse('required must be a list of strings');
  const needed = new Set<string>(required);
  const rules = Object.keys(properties).map((key) => {
    return new PropertyRule(
      key,
      compile(properties[key], where, `${at}/properties/${key}`, depth + 1),
      needed.delete(key),
    );
  });
  for (const key of needed) rules.push(new PropertyRule(key, undefined, true));
  return rules;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
