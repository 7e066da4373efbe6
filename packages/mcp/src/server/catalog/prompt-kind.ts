import { McpError, RpcError } from '../../errors.ts';
import { compileInput } from '../../schema/input-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { CompiledSchema } from '../../schema/schema-source.ts';
import type { Violation } from '../../schema/violation.ts';
import { rpcCodes } from '../../wire/rpc-codes.ts';
import type { Completer } from '../api/completion.ts';
import type {
  PromptArgument,
  PromptDefinition,
  PromptHandler,
  PromptSchemaDefinition,
} from '../api/prompt.ts';
import { checkCompleters } from './completers.ts';
import { type AnyHandler, withJudgedArguments } from './judged-handler.ts';
import type { RegistryKind } from './registry.ts';

/** A prompt as the session makes it. */
export interface RegisteredPrompt {
  readonly name: string;
  readonly definition: PromptDefinition | PromptSchemaDefinition;
  readonly arguments: readonly PromptArgument[];
  readonly completers: Readonly<Record<string, Completer>> | undefined;
  /** Judges its arguments beyond those that are required. */
  readonly handler: AnyHandler;
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
    const compiled = compileInput(argsSchema, name);
    const list = argumentsOf(compiled.json);
    checkCompleters(complete, new Set(list.map((one) => one.name)), `Prompt ${name}`);
    const checked = withCheckedArguments(compiled, handler, name);
    return { name, definition, arguments: list, completers: complete, handler: checked };
  }
  const list = (definition as PromptDefinition).arguments ?? [];
  return { name, definition, arguments: list, completers: listed(list, name), handler };
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

/** @throws (the handler) RpcError -32602 for arguments that do not fit. */
function withCheckedArguments(
  { check, judge }: CompiledSchema,
  handler: AnyHandler,
  prompt: string,
): AnyHandler {
  const refuse = ({ path, text }: Violation): never => {
    throw new RpcError(rpcCodes.invalidParams, `Invalid arguments for prompt ${prompt}: ${path} ${text}`);
  };
  if (judge !== undefined) return withJudgedArguments(judge, handler, refuse);
  return (args, context) => {
    const violation = check?.check(args);
    return violation === undefined ? handler(args, context) : refuse(violation);
  };
}

/** The arguments that a schema describes, for the list. */
function argumentsOf({ required, properties }: JsonSchema): PromptArgument[] {
  const needed = new Set(required);
  return Object.entries(properties ?? {}).map(([name, property]) => {
    const { title, description } = typeof property === 'object' ? property : {};
    return {
      name,
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      required: needed.has(name),
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
