import type { StandardTypedV1 } from '@standard-schema/spec';

/**
 * The type of values that fit a schema, as whoever gets them sees them: what the schema's library turns arguments
 * into, or what a JSON Schema literal says. Of JSON Schema: `type`, `enum`, `const`, `properties`, `required`,
 * `additionalProperties`, `items`, `prefixItems`, `anyOf`, `oneOf`, `allOf`. The rest, `$ref` included, makes `unknown`
 * of its place; a schema that is no literal makes `Record<string, unknown>`.
 *
 * @example
 * ```ts
 * type Pair = InferSchema<{ type: 'object'; properties: { a: { type: 'number' } }; required: ['a'] }>; // { a: number }
 * ```
 */
export type InferSchema<Schema> = Schema extends StandardTypedV1
  ? StandardTypedV1.InferOutput<Schema>
  : Schema extends { readonly standard: infer Standard extends StandardTypedV1; readonly jsonSchema: unknown }
    ? StandardTypedV1.InferOutput<Standard>
    : FromJson<Schema>;

/** The type of values that a schema is given: what arguments are before a library has changed them. */
export type InferInput<Schema> = Schema extends StandardTypedV1
  ? StandardTypedV1.InferInput<Schema>
  : Schema extends { readonly standard: infer Standard extends StandardTypedV1; readonly jsonSchema: unknown }
    ? StandardTypedV1.InferInput<Standard>
    : FromJson<Schema>;

type FromJson<Schema> = Schema extends true
  ? unknown
  : Schema extends false
    ? never
    : Schema extends { readonly $ref: string } | { readonly $dynamicRef: string }
      ? unknown
      : Schema extends { readonly const: infer Value }
        ? Mutable<Value>
        : Schema extends { readonly enum: readonly (infer Value)[] }
          ? Mutable<Value>
          : ByType<Schema> & All<Schema> & Any<Schema>;

type ByType<Schema> = Schema extends { readonly type: infer Type }
  ? Type extends readonly (infer Name)[]
    ? OfType<Schema, Name>
    : OfType<Schema, Type>
  : unknown;

/** Distributes over the names. */
type OfType<Schema, Name> = Name extends 'string'
  ? string
  : Name extends 'number' | 'integer'
    ? number
    : Name extends 'boolean'
      ? boolean
      : Name extends 'null'
        ? null
        : Name extends 'array'
          ? ArrayOf<Schema>
          : Name extends 'object'
            ? ObjectOf<Schema>
            : unknown;

type ArrayOf<Schema> = Schema extends { readonly prefixItems: infer First extends readonly unknown[] }
  ? [...Prefix<Schema, { -readonly [At in keyof First]: FromJson<First[At]> }>, ...Rest<Schema>]
  : Schema extends { readonly items: infer Item }
    ? FromJson<Item>[]
    : unknown[];

/** A prefix need not be there whole, unless `minItems` is its length. */
type Prefix<Schema, Items extends unknown[]> = Schema extends { readonly minItems: Items['length'] }
  ? Items
  : Partial<Items>;

/** What may follow `prefixItems`. */
type Rest<Schema> = Schema extends { readonly items: infer Item }
  ? Item extends false
    ? []
    : FromJson<Item>[]
  : unknown[];

type ObjectOf<Schema> = Schema extends { readonly properties: infer Properties }
  ? Flat<
      { -readonly [Key in keyof Properties & Needed<Schema>]: FromJson<Properties[Key]> } & {
        -readonly [Key in Exclude<keyof Properties, Needed<Schema>>]?: FromJson<Properties[Key]>;
      } & { -readonly [Key in Exclude<Needed<Schema>, keyof Properties>]: unknown }
    >
  : Schema extends { readonly additionalProperties: infer Member }
    ? Record<string, FromJson<Member>>
    : Record<string, unknown>;

type Needed<Schema> = Schema extends { readonly required: readonly (infer Key extends string)[] }
  ? Key
  : never;

type All<Schema> = Schema extends { readonly allOf: infer Parts } ? Together<Parts> : unknown;

type Together<Parts> = Parts extends readonly [infer First, ...infer Rest]
  ? FromJson<First> & Together<Rest>
  : unknown;

type Any<Schema> = Schema extends { readonly anyOf: readonly (infer Part)[] }
  ? FromJsonEach<Part>
  : Schema extends { readonly oneOf: readonly (infer Part)[] }
    ? FromJsonEach<Part>
    : unknown;

type FromJsonEach<Part> = Part extends unknown ? FromJson<Part> : never;
type Flat<Type> = { [Key in keyof Type]: Type[Key] };
type Mutable<Value> = Value extends object ? { -readonly [Key in keyof Value]: Mutable<Value[Key]> } : Value;
