import { encodeJson } from '@linewire/framing';
import { McpError } from '../../errors.ts';
import { limitValue } from '../../limits.ts';
import type { LogLevel } from '../../wire/log-levels.ts';
import type { Implementation } from '../../wire/versions.ts';
import type { CacheHint } from '../api/cache-hint.ts';
import type { McpServerOptions, OfferedKind } from '../api/server-options.ts';
import type { RegisteredTool } from '../api/tool.ts';
import type { ChangeListener, ListKind } from '../run/change-listener.ts';
import { checkCacheHint, noCaching } from './cache-hints.ts';
import { ChangeAnnouncer } from './change-announcer.ts';
import { promptKind, type RegisteredPrompt } from './prompt-kind.ts';
import { Registry } from './registry.ts';
import {
  type RegisteredResource,
  type RegisteredTemplate,
  resourceKind,
  templateKind,
} from './resource-kinds.ts';
import { type ListedTool, toolKind } from './tool-kind.ts';

const OFFERED: readonly OfferedKind[] = ['tools', 'resources', 'prompts', 'completions'];

/**
 * What one server offers, for all its sessions: the registries, the texts that are the same every time, and who is told of changes. What nobody
 * registers is not made.
 */
export class Catalog {
  readonly tools: Registry<ListedTool>;
  /** `undefined` until there was one. */
  resources: Registry<RegisteredResource> | undefined = undefined;
  templates: Registry<RegisteredTemplate> | undefined = undefined;
  prompts: Registry<RegisteredPrompt> | undefined = undefined;
  /** What is advertised. Once offered, a kind stays so: its list may be empty, but its method must work. */
  offersTools = false;
  offersResources = false;
  offersPrompts = false;
  offersCompletions = false;
  readonly offersLogging: boolean;
  readonly infoText: string;
  readonly instructions: string | undefined;
  /** Of every result that has none of its own. */
  readonly cache: CacheHint;
  private readonly pageSize: number;
  private readonly changes: ChangeAnnouncer = new ChangeAnnouncer();
  /** The tool of the last call: mostly the next one's too, and its name then needs no hash. */
  private lastTool: RegisteredTool | undefined = undefined;

  /** @throws McpError `OPTION_INVALID` */
  constructor(info: Implementation, options: McpServerOptions) {
    this.infoText = encodeJson(info);
    this.instructions = options.instructions;
    this.offersLogging = options.logging ?? true;
    checkCacheHint(options.cache, 'Server');
    this.cache = options.cache ?? noCaching;
    this.pageSize = limitValue('pageSize', options.pageSize);
    this.tools = new Registry(toolKind, this.pageSize);
    if (options.offers !== undefined) this.offer(options.offers);
  }

  /** The tool of that name. */
  tool(name: string): RegisteredTool | undefined {
    const last = this.lastTool;
    if (last !== undefined && last.name === name) return last;
    const tool = this.tools.get(name)?.tool;
    if (tool !== undefined) this.lastTool = tool;
    return tool;
  }

  addTool(listed: ListedTool): void {
    const { name } = listed.tool;
    if (this.tools.has(name)) throw new McpError('TOOL_EXISTS', `Tool ${name} is registered already`);
    this.tools.add(name, listed);
    this.offersTools = true;
    this.changes.listChanged('tools');
  }

  removeTool(name: string): boolean {
    if (!this.tools.remove(name)) return false;
    this.lastTool = undefined;
    this.changes.listChanged('tools');
    return true;
  }

  addResource(resource: RegisteredResource): void {
    this.resources ??= new Registry(resourceKind, this.pageSize);
    addTo(this.resources, resource.uri, resource, 'Resource');
    this.offersResources = true;
    this.changes.listChanged('resources');
  }

  removeResource(uri: string): boolean {
    return this.removed(this.resources?.remove(uri), 'resources');
  }

  addTemplate(template: RegisteredTemplate): void {
    this.templates ??= new Registry(templateKind, this.pageSize);
    addTo(this.templates, template.template.text, template, 'Resource template');
    this.offersResources = true;
    if (template.completers !== undefined) this.offersCompletions = true;
    this.changes.listChanged('resources');
  }

  removeTemplate(uriTemplate: string): boolean {
    return this.removed(this.templates?.remove(uriTemplate), 'resources');
  }

  addPrompt(prompt: RegisteredPrompt): void {
    this.prompts ??= new Registry(promptKind, this.pageSize);
    addTo(this.prompts, prompt.name, prompt, 'Prompt');
    this.offersPrompts = true;
    if (prompt.completers !== undefined) this.offersCompletions = true;
    this.changes.listChanged('prompts');
  }

  removePrompt(name: string): boolean {
    return this.removed(this.prompts?.remove(name), 'prompts');
  }

  offers(kind: ListKind): boolean {
    return kind === 'tools'
      ? this.offersTools
      : kind === 'resources'
        ? this.offersResources
        : this.offersPrompts;
  }

  /** Whether a resource of that URI could be read. */
  knowsResource(uri: string): boolean {
    return this.resources?.has(uri) === true || this.templateOf(uri) !== undefined;
  }

  /** The first template, in the order of registration, that the URI fits, with its variables. */
  templateOf(
    uri: string,
  ): { readonly template: RegisteredTemplate; readonly variables: Record<string, string> } | undefined {
    if (this.templates === undefined) return undefined;
    for (const template of this.templates.items()) {
      const variables = template.template.match(uri);
      if (variables !== undefined) return { template, variables };
    }
    return undefined;
  }

  /** The capabilities object as text. What is not offered is not in it. */
  get capabilitiesText(): string {
    const members: string[] = [];
    if (this.offersLogging) members.push('"logging":{}');
    if (this.offersCompletions) members.push('"completions":{}');
    if (this.offersPrompts) members.push('"prompts":{"listChanged":true}');
    if (this.offersResources) members.push('"resources":{"subscribe":true,"listChanged":true}');
    if (this.offersTools) members.push('"tools":{"listChanged":true}');
    return `{${members.join(',')}}`;
  }

  /** Tells a session what changes while it lives. Returns the end of that. */
  watch(listener: ChangeListener): () => void {
    return this.changes.watch(listener);
  }

  resourceUpdated(uri: string): void {
    this.changes.resourceUpdated(uri);
  }

  log(level: LogLevel, data: unknown, logger: string | undefined): void {
    this.changes.log(level, data, logger);
  }

  private offer(kinds: readonly OfferedKind[]): void {
    for (const kind of kinds) {
      if (!OFFERED.includes(kind))
        throw new McpError('OPTION_INVALID', `offers may list ${OFFERED.join(', ')}; not ${String(kind)}`);
    }
    this.offersTools = kinds.includes('tools');
    this.offersResources = kinds.includes('resources');
    this.offersPrompts = kinds.includes('prompts');
    this.offersCompletions = kinds.includes('completions');
  }

  private removed(was: boolean | undefined, kind: ListKind): boolean {
    if (was !== true) return false;
    this.changes.listChanged(kind);
    return true;
  }
}

function addTo<Item>(registry: Registry<Item>, key: string, item: Item, what: string): void {
  if (registry.has(key)) throw new McpError('ALREADY_REGISTERED', `${what} ${key} is registered already`);
  registry.add(key, item);
}
