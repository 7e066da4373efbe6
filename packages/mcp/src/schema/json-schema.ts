/** Types that a JSON Schema names. */
export type JsonSchemaType = 'null' | 'boolean' | 'number' | 'integer' | 'string' | 'array' | 'object';

/** A list of names to schemas. */
type SchemaMap = Readonly<Record<string, JsonSchema | boolean>>;

/**
 * JSON Schema 2020-12. Every keyword that judges is checked; `format`, `content*` and what people read are
 * annotations. A schema with a keyword that looks misspelt, or that judged in another draft, is refused when it is
 * registered: a rule that is silently not checked is worse than none (docs/schemas.md).
 */
export interface JsonSchema {
  readonly type?: JsonSchemaType | readonly JsonSchemaType[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;

  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  /** Decimal, as it is written: 0.3 is a multiple of 0.1. */
  readonly multipleOf?: number;

  /** In code points. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Compiled with the `u` flag; not anchored. */
  readonly pattern?: string;

  readonly items?: JsonSchema | boolean;
  readonly prefixItems?: readonly (JsonSchema | boolean)[];
  readonly contains?: JsonSchema | boolean;
  readonly minContains?: number;
  readonly maxContains?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly unevaluatedItems?: JsonSchema | boolean;

  readonly properties?: SchemaMap;
  readonly required?: readonly string[];
  readonly patternProperties?: SchemaMap;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly propertyNames?: JsonSchema | boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly dependentSchemas?: SchemaMap;
  readonly unevaluatedProperties?: JsonSchema | boolean;

  readonly allOf?: readonly (JsonSchema | boolean)[];
  readonly anyOf?: readonly (JsonSchema | boolean)[];
  readonly oneOf?: readonly (JsonSchema | boolean)[];
  readonly not?: JsonSchema | boolean;
  readonly if?: JsonSchema | boolean;
  readonly then?: JsonSchema | boolean;
  readonly else?: JsonSchema | boolean;

  /** Within the document only: nothing is ever fetched. */
  readonly $ref?: string;
  readonly $dynamicRef?: string;
  readonly $defs?: SchemaMap;
  readonly $id?: string;
  readonly $anchor?: string;
  readonly $dynamicAnchor?: string;

  // Annotations: passed on to the client, not checked.
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly contentEncoding?: string;
  readonly contentMediaType?: string;
  readonly contentSchema?: JsonSchema | boolean;
  readonly deprecated?: boolean;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly $schema?: string;
  readonly $vocabulary?: Readonly<Record<string, boolean>>;
  readonly $comment?: string;
  readonly [extension: `x-${string}`]: unknown;
}

/** An input schema: its root describes an object. */
export interface JsonSchemaObject extends JsonSchema {
  readonly type: 'object';
}
