/** Types that a JSON Schema names. */
export type JsonSchemaType = 'null' | 'boolean' | 'number' | 'integer' | 'string' | 'array' | 'object';

/**
 * The part of JSON Schema 2020-12 that the validator checks. A schema with any other keyword is refused when the
 * tool is registered: a rule that is silently not checked is worse than none.
 */
export interface JsonSchema {
  readonly type?: JsonSchemaType | readonly JsonSchemaType[];
  /** Strings, numbers, booleans and null only. */
  readonly enum?: readonly unknown[];
  readonly const?: unknown;

  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;

  /** In code points. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Compiled with the `u` flag; not anchored. */
  readonly pattern?: string;

  readonly items?: JsonSchema | boolean;
  readonly minItems?: number;
  readonly maxItems?: number;

  readonly properties?: Readonly<Record<string, JsonSchema | boolean>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;

  // Annotations: passed on to the client, not checked.
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly deprecated?: boolean;
  readonly $schema?: string;
  readonly $comment?: string;
}

/** An input schema: its root describes an object. */
export interface JsonSchemaObject extends JsonSchema {
  readonly type: 'object';
}

/** Keywords that are read by people and models, not by the validator. */
export const annotationKeywords: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'format',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$schema',
  '$comment',
  '$id',
]);
