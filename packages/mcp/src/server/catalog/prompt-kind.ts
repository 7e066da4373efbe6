import { McpError } from '../../errors.ts';
import type { JsonSchemaObject } from '../../schema/json-schema.ts';
import type { SchemaCheck } from '../../schema/schema-check.ts';
import { compileSchema } from '../../schema/schema-compile.ts';
import type { Completer } from '../api/completion.ts';
import type {
  PromptArgument,
  PromptDefinition,
  PromptHandler,
  PromptSchemaDefinition,
} from '../api/prompt.ts';
import { checkCompleters } from './completers.ts';
import type { RegistryKind } from './registry.ts';

/** A prompt as the session makes it. */
export interface RegisteredPrompt {
  readonly name: string;
  readonly definition: PromptDefinition | PromptSchemaDefinition;
  readonly arguments: readonly PromptArgument[];
  readonly completers: Readonly<Record<string, Completer>> | undefined;
  /** `undefined` = whatever has the required arguments fits. */
  readonly check: SchemaCheck | undefined;
  readonly handler: PromptHandler<never>;
}

/** @throws McpError `OPTION_INVALID`, `SCHEMA_UNSUPPORTED` */
export function promptOf(
  name: string,
  definition: PromptDefinition | PromptSchemaDefinition,
  handler: PromptHandler<never>,
): RegisteredPrompt {
  if (typeof name !== 'string' || name === '') throw new McpError('OPTION_INVALID', 'A prompt needs a name');
  if (typeof handler !== 'function') throw new McpError('OPTION_INVALID', `Prompt ${name} needs a handler`);
  if ('argsSchema' in definition && definition.argsSchema !== undefined) {
    const { argsSchema, complete } = definition;
    const list = argumentsOf(argsSchema, name);
    checkCompleters(complete, new Set(list.map((one) => one.name)), `Prompt ${name}`);
    const check = compileSchema(argsSchema, name);
    return { name, definition, arguments: list, completers: complete, check, handler };
  }
  const list = (definition as PromptDefinition).arguments ?? [];
  return { name, definition, arguments: list, completers: listed(list, name), check: undefined, handler };
}

/** The completers in a list of arguments, which is looked through. */
function listed(list: readonly PromptArgument[], prompt: string): Record<string, Completer> | undefined {
  let completers: Record<string, Completer> | undefined;
  const names = new Set<string>();
  for (const { name, complete } of list) {
    if (typeof name !== 'string' || name === '')
      throw new McpError('OPTION_INVALID', `Prompt ${prompt}: an argument needs a name`);
    if (names.has(name))
      throw new McpError('OPTION_INVALID', `Prompt ${prompt}: argument ${name} is there twice`);
    names.add(name);
    if (complete === undefined) continue;
    completers ??= Object.create(null) as Record<string, Completer>;
    completers[name] = complete;
  }
  checkCompleters(completers, names, `Prompt ${prompt}`);
  return completers;
}

/** The arguments that a schema describes, for the list. */
function argumentsOf(schema: JsonSchemaObject, prompt: string): PromptArgument[] {
  if (schema.type !== 'object')
    throw new McpError('SCHEMA_UNSUPPORTED', `Schema of ${prompt} at #: type must be "object"`);
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { title, description } = typeof property === 'object' ? property : {};
    return {
      name,
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      required: required.has(name),
    };
  });
}

export const promptKind: RegistryKind<RegisteredPrompt> = {
  member: 'prompts',
  letter: 'p',
  describe({ name, definition, arguments: list }) {
    const { title, description, icons, _meta } = definition;
    const shown = list.map(({ complete: _, ...argument }) => argument);
    return {
      name,
      title,
      description,
      arguments: shown.length === 0 ? undefined : shown,
      icons,
      _meta,
    };
  },
};
