import { McpError } from '../errors.ts';
import type { InferInput, InferSchema } from '../schema/infer.ts';
import type { JsonSchema, JsonSchemaObject } from '../schema/json-schema.ts';
import type { SchemaSource } from '../schema/schema-source.ts';
import type { LogLevel } from '../wire/log-levels.ts';
import type { Implementation } from '../wire/versions.ts';
import type {
  PromptArgument,
  PromptDefinition,
  PromptHandler,
  PromptSchemaDefinition,
  PromptValues,
} from './api/prompt.ts';
import type {
  ResourceDefinition,
  ResourceReader,
  ResourceTemplateDefinition,
  ResourceTemplateReader,
} from './api/resource.ts';
import type { McpServerOptions } from './api/server-options.ts';
import type { ToolDefinition, ToolHandler } from './api/tool.ts';
import { Catalog } from './catalog/catalog.ts';
import { promptOf } from './catalog/prompt-kind.ts';
import { resourceOf, templateOf } from './catalog/resource-kinds.ts';
import { toolOf } from './catalog/tool-kind.ts';
import { StateSeal } from './input/state-seal.ts';
import { checkedRank } from './run/log-message.ts';

const catalogs = new WeakMap<McpServer, Catalog>();
const seals = new WeakMap<McpServer, StateSeal>();

/**
 * What a server offers: its name, its tools, resources and prompts. It holds no connection; `serveStdio` and `serve` run it, and one
 * server may be served on any number of connections.
 *
 * Everything may be added and removed at any time; clients that want to know are told, once for all changes of one turn. Lists are in the order of
 * registration. Definitions must not be changed afterwards: their texts are kept.
 *
 * @example
 * ```ts
 * const server = new McpServer({ name: 'calculator', version: '1.0.0' });
 * server.registerTool(
 *   'add',
 *   { inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] } },
 *   ({ a, b }) => String(a + b),
 * );
 * serveStdio(server);
 * ```
 */
export class McpServer {
  readonly info: Implementation;

  /** @throws McpError `OPTION_INVALID` if the name or the version is not a string, or an option is out of its range. */
  constructor(info: Implementation, options: McpServerOptions = {}) {
    if (typeof info?.name !== 'string' || typeof info.version !== 'string') {
      throw new McpError('OPTION_INVALID', 'A server needs a name and a version, both strings');
    }
    this.info = info;
    catalogs.set(this, new Catalog(info, options));
    seals.set(this, new StateSeal(options));
  }

  /**
   * Adds a tool.
   *
   * @param name - unique among the tools.
   * @param handler - called with arguments that fit `inputSchema`, whose types follow from a schema that is written in place or `as const`. One
   *   that returns no promise is answered at once and costs none.
   * @throws McpError `TOOL_EXISTS`, `SCHEMA_UNSUPPORTED`, or `OPTION_INVALID` for an empty name or no handler.
   */
  registerTool<
    const Input extends SchemaSource = JsonSchemaObject,
    const Output extends SchemaSource = JsonSchema,
  >(
    name: string,
    definition: ToolDefinition<Input, Output>,
    handler: ToolHandler<InferSchema<Input>, InferInput<Output>>,
  ): this {
    catalogOf(this).addTool(toolOf(name, definition, handler as ToolHandler<never>));
    return this;
  }

  /**
   * Adds a resource.
   *
   * @param name - for people; need not be unique.
   * @param uri - unique among the resources, compared letter by letter.
   * @param read - called for each `resources/read`.
   * @throws McpError `ALREADY_REGISTERED`, or `OPTION_INVALID` for an empty name or URI, no reader, or an unusable `cache`.
   */
  registerResource(name: string, uri: string, definition: ResourceDefinition, read: ResourceReader): this {
    catalogOf(this).addResource(resourceOf(name, uri, definition, read));
    return this;
  }

  /**
   * Adds a family of resources. A registered resource goes before any template, an earlier template before a later one.
   *
   * @param uriTemplate - unique among the templates; RFC 6570 with `{a}`, `{a,b}`, `{+a}`, `{#a}`, `{.a}`, `{/a,b}`, `{?a,b}`, `{&a,b}`. A
   *   URI longer than 65,536 characters fits none.
   * @param read - called with the URI and its variables.
   * @throws McpError `ALREADY_REGISTERED`, or `OPTION_INVALID` for a template of another form, a completer of a variable that is not in it, an empty
   *   name, no reader, or an unusable `cache`.
   */
  registerResourceTemplate(
    name: string,
    uriTemplate: string,
    definition: ResourceTemplateDefinition,
    read: ResourceTemplateReader,
  ): this {
    catalogOf(this).addTemplate(templateOf(name, uriTemplate, definition, read));
    return this;
  }

  /**
   * Adds a prompt, whose arguments are described by a schema or by a list.
   *
   * @param name - unique among the prompts.
   * @param handler - called with the values: strings, the required ones among them, or what the schema's library made of them.
   * @throws McpError `ALREADY_REGISTERED`, `SCHEMA_UNSUPPORTED`, `OPTION_INVALID`.
   */
  registerPrompt<const Args extends SchemaSource>(
    name: string,
    definition: PromptSchemaDefinition<Args>,
    handler: PromptHandler<InferSchema<Args>>,
  ): this;
  registerPrompt<const Argument extends PromptArgument = never>(
    name: string,
    definition: PromptDefinition<Argument>,
    handler: PromptHandler<PromptValues<Argument>>,
  ): this;
  /** For a list whose names are not known when it is compiled, or whose `complete` functions leave the types of their parameters out. */
  registerPrompt(
    name: string,
    definition: PromptDefinition,
    handler: PromptHandler<Readonly<Record<string, string>>>,
  ): this;
  registerPrompt(
    name: string,
    definition: PromptSchemaDefinition | PromptDefinition,
    handler: PromptHandler<never>,
  ): this {
    catalogOf(this).addPrompt(promptOf(name, definition, handler));
    return this;
  }

  /** False if there is no such tool. Calls that run are answered all the same. */
  removeTool(name: string): boolean {
    return catalogOf(this).removeTool(name);
  }

  /** False if there is no such resource. */
  removeResource(uri: string): boolean {
    return catalogOf(this).removeResource(uri);
  }

  /** False if there is no such template. */
  removeResourceTemplate(uriTemplate: string): boolean {
    return catalogOf(this).removeTemplate(uriTemplate);
  }

  /** False if there is no such prompt. */
  removePrompt(name: string): boolean {
    return catalogOf(this).removePrompt(name);
  }

  /** Tells the clients that subscribed to this URI that its content has changed. A slow client gets one notice for many changes. */
  resourceUpdated(uri: string): void {
    catalogOf(this).resourceUpdated(uri);
  }

  /**
   * Sends a log message to every legacy client whose level it has. Modern clients get messages of their requests only: `context.log`. A client that
   * reads slowly may miss some.
   *
   * @param data - any JSON value; what has no JSON is replaced by the reason.
   * @throws McpError `OPTION_INVALID` for an unknown level.
   */
  log(level: LogLevel, data: unknown, logger?: string): void {
    checkedRank(level);
    catalogOf(this).log(level, data, logger);
  }
}

/** The inside of a server, for the session. */
export function catalogOf(server: McpServer): Catalog {
  const catalog = catalogs.get(server);
  if (catalog === undefined)
    throw new McpError('OPTION_INVALID', 'serve() needs a McpServer of this package');
  return catalog;
}

/** What seals the states of a server's open rounds. */
export function sealOf(server: McpServer): StateSeal {
  return seals.get(server) as StateSeal;
}
