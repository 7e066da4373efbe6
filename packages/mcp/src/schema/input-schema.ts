import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { McpError } from '../errors.ts';
import { isObject } from '../json-object.ts';
import { UpgradingCheck } from './compiled/upgrading-check.ts';
import type { JsonSchema } from './json-schema.ts';
import { compileSchema } from './schema-compile.ts';
import type {
  CompiledInput,
  CompiledSchema,
  SchemaPair,
  SchemaSource,
  SelfDescribingSchema,
} from './schema-source.ts';
import { isStandard, judgeOf } from './standard-judge.ts';

const ANY_OBJECT: CompiledInput = { json: { type: 'object' }, check: undefined, judge: undefined };

/**
 * Makes the schema of a tool's arguments ready for use.
 *
 * @param schema - `undefined` = any object.
 * @param where - names it in errors: the tool's name.
 * @throws McpError `SCHEMA_UNSUPPORTED` as `compileSchema`, and if the root is not of type object or the schema's
 *   library cannot describe it.
 */
export function compileInput(schema: SchemaSource | undefined, where: string): CompiledInput {
  if (schema === undefined) return ANY_OBJECT;
  const compiled = compileFor('input', schema, where);
  if (compiled.json.type !== 'object') refuse(where, 'at #: type must be "object"');
  return compiled as CompiledInput;
}

/**
 * Makes the schema of a tool's structured result ready for use. A library's schema judges what the handler returns,
 * and what comes out of it is sent: that is what clients are shown.
 *
 * @throws McpError `SCHEMA_UNSUPPORTED` as `compileInput`; the root may be of any type.
 */
export function compileOutput(schema: SchemaSource, where: string): CompiledSchema {
  return compileFor('output', schema, where);
}

function compileFor(side: 'input' | 'output', schema: SchemaSource, where: string): CompiledSchema {
  // A schema of ArkType is a function.
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) {
    return refuse(where, 'must be an object');
  }
  if (isStandard(schema)) {
    return { json: describe(side, schema, where), check: undefined, judge: judgeOf(schema) };
  }
  if (isPair(schema)) {
    if (!isStandard(schema.standard)) refuse(where, 'standard must implement Standard Schema');
    if (!isObject(schema.jsonSchema)) refuse(where, 'jsonSchema must be an object');
    return { json: withoutDialect(schema.jsonSchema), check: undefined, judge: judgeOf(schema.standard) };
  }
  const json = withoutDialect(schema);
  const check = compileSchema(schema, where);
  // What a handler returns may hold members that JSON leaves out; only the interpreter passes over them.
  const upgrades = side === 'input' && !check.isFlat;
  return { json, check: upgrades ? new UpgradingCheck(check, json) : check, judge: undefined };
}

function isPair(schema: JsonSchema | SchemaPair): schema is SchemaPair {
  return 'standard' in schema && 'jsonSchema' in schema;
}

/** Asked at once, not when the list is first wanted: a schema that cannot be described is refused where it is given. */
function describe(
  side: 'input' | 'output',
  schema: StandardSchemaV1 & Partial<StandardJSONSchemaV1>,
  where: string,
): JsonSchema {
  const { vendor } = schema['~standard'];
  const converter = (schema as Partial<SelfDescribingSchema>)['~standard']?.jsonSchema;
  if (converter === undefined) {
    return refuse(where, `${vendor} cannot describe it as JSON Schema here: give { standard, jsonSchema }`);
  }
  try {
    return withoutDialect(converter[side]({ target: 'draft-2020-12' }) as JsonSchema);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new McpError('SCHEMA_UNSUPPORTED', `Schema of ${where}: ${vendor} cannot describe it: ${why}`, {
      cause: error,
    });
  }
}

/** 2020-12 is what a schema without `$schema` is read as. */
function withoutDialect<Schema extends JsonSchema>(schema: Schema): Schema {
  if (schema.$schema === undefined) return schema;
  const { $schema: _, ...rest } = schema;
  return rest as Schema;
}

function refuse(where: string, why: string): never {
  throw new McpError('SCHEMA_UNSUPPORTED', `Schema of ${where} ${why}`);
}
