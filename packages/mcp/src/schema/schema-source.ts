import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import type { JsonSchema, JsonSchemaObject } from './json-schema.ts';
import type { Violation } from './violation.ts';

/** A schema of a library that judges values and can describe itself as JSON Schema: zod 4.2 or later, ArkType 2.1.28 or later. */
export type SelfDescribingSchema<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output> &
  StandardJSONSchemaV1<Input, Output>;

/** A schema of a library that cannot describe itself, with what clients are to be shown. */
export interface SchemaPair<Input = unknown, Output = Input> {
  /** Judges the values, and may change them. */
  readonly standard: StandardSchemaV1<Input, Output>;
  /** Shown to clients; not checked beside `standard`. */
  readonly jsonSchema: JsonSchema;
}

/** Where a schema may come from: JSON Schema 2020-12, a library of the Standard Schema family, or a pair of both. */
export type SchemaSource = JsonSchema | SelfDescribingSchema | SchemaPair;

/** What came of judging a value: what it became (often the same object), or why it does not fit. */
export type Judged = { readonly value: unknown } | { readonly violation: Violation };

/** A schema as the server uses it. At most one of `check` and `judge` is there. */
export interface CompiledSchema {
  /** What clients are shown: draft 2020-12, without `$schema`. */
  readonly json: JsonSchema;
  /** The way of JSON Schema; `undefined` = any value fits, or `judge` decides. */
  readonly check: { check(value: unknown): Violation | undefined } | undefined;
  /** The way of Standard Schema: it may change the value, and may need to wait. It may throw or reject. */
  readonly judge: ((value: unknown) => Judged | PromiseLike<Judged>) | undefined;
}

/** The schema of arguments: its root describes an object. */
export interface CompiledInput extends CompiledSchema {
  readonly json: JsonSchemaObject;
}
