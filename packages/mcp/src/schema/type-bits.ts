import type { JsonSchemaType } from './json-schema.ts';

/** One bit per type, so that a `type` list is one AND. */
export const typeBits: Readonly<Record<JsonSchemaType, number>> = {
  null: 1,
  boolean: 2,
  number: 4,
  integer: 8,
  string: 16,
  array: 32,
  object: 64,
};

/** The types of a value; 0 for what is no JSON, which handlers return. */
export function bitsOf(value: unknown): number {
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? typeBits.number | typeBits.integer : typeBits.number;
    case 'string':
      return typeBits.string;
    case 'boolean':
      return typeBits.boolean;
    case 'object':
      if (value === null) return typeBits.null;
      return Array.isArray(value) ? typeBits.array : typeBits.object;
    default:
      return 0;
  }
}
