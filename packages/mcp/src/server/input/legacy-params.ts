import { McpError } from '../../errors.ts';
import { isObject } from '../../json-object.ts';
import type { Ask } from './ask.ts';

type PlainObject = Readonly<Record<string, unknown>>;

/**
 * The params of an ask in the words of a legacy revision: what it does not know is said otherwise or left out.
 *
 * @throws McpError `CAPABILITY_MISSING` for what can be neither.
 */
export function legacyParams({ method, params }: Ask, version: string): PlainObject | undefined {
  const isNewest = version >= '2025-11-25';
  switch (method) {
    case 'roots/list':
      return Object.keys(params).length === 0 ? undefined : params;
    case 'sampling/createMessage':
      return isNewest ? params : { ...params, messages: (params['messages'] as PlainObject[]).map(oneBlock) };
    case 'elicitation/create': {
      // The client tells the two kinds of asks apart by it, and wants it to be unique.
      if (params['mode'] === 'url') return { elicitationId: globalThis.crypto.randomUUID(), ...params };
      const { mode, ...rest } = params;
      return isNewest
        ? params
        : { ...rest, requestedSchema: oldForm(rest['requestedSchema'] as PlainObject) };
    }
  }
}

/** Before 2025-11-25 a message is one block. */
function oneBlock(message: PlainObject): PlainObject {
  const { content } = message;
  if (!Array.isArray(content)) return message;
  if (content.length !== 1) {
    throw new McpError(
      'CAPABILITY_MISSING',
      'A message of several blocks needs a client of 2025-11-25 or later',
    );
  }
  return { ...message, content: content[0] };
}

/** Before 2025-11-25 there are no choices of several, titles stand beside the values, and only booleans have a default. */
function oldForm(schema: PlainObject): PlainObject {
  const fields = Object.entries(schema['properties'] as PlainObject).map(
    ([key, field]): [string, unknown] => [key, oldField(key, field as PlainObject)],
  );
  return { ...schema, properties: Object.fromEntries(fields) };
}

function oldField(key: string, field: PlainObject): PlainObject {
  const { oneOf, default: preset, ...rest } = field;
  if (field['type'] === 'array') {
    throw new McpError(
      'CAPABILITY_MISSING',
      `Field ${key} is a choice of several, which needs a client of 2025-11-25 or later`,
    );
  }
  const titled = Array.isArray(oneOf) ? oneOf.filter(isObject) : undefined;
  return {
    ...rest,
    ...(field['type'] === 'boolean' && preset !== undefined ? { default: preset } : {}),
    ...(titled === undefined
      ? {}
      : { enum: titled.map((one) => one['const']), enumNames: titled.map((one) => one['title']) }),
  };
}
