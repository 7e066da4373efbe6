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

/** The types of a value; 0 for what is no JSON, which handlers return. No `switch`: for one an engine makes the name of the type first. */
export function bitsOf(value: unknown): number {
  if (typeof value === 'number')
    return Number.isInteger(value) ? typeBits.number | typeBits.integer : typeBits.number;
  if (typeof value === 'string') return typeBits.string;
  if (typeof value === 'boolean') return typeBits.boolean;
  if (typeof value !== 'object') return 0;
  if (value === null) return typeBits.null;
  return Array.isArray(value) ? typeBits.array : typeBits.object;
}
