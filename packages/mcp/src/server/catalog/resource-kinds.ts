import { McpError } from '../../errors.ts';
import type { Completer } from '../api/completion.ts';
import type {
  ResourceDefinition,
  ResourceReader,
  ResourceTemplateDefinition,
  ResourceTemplateReader,
} from '../api/resource.ts';
import { checkCacheHint } from './cache-hints.ts';
import { checkCompleters } from './completers.ts';
import type { RegistryKind } from './registry.ts';
import { UriTemplate } from './uri-template.ts';

/** A resource as the session reads it. */
export interface RegisteredResource {
  readonly name: string;
  readonly uri: string;
  readonly definition: ResourceDefinition;
  readonly read: ResourceReader;
}

/** A family of resources as the session reads them. */
export interface RegisteredTemplate {
  readonly name: string;
  readonly template: UriTemplate;
  readonly definition: ResourceTemplateDefinition;
  readonly completers: Readonly<Record<string, Completer>> | undefined;
  readonly read: ResourceTemplateReader;
}

/** @throws McpError `OPTION_INVALID` */
export function resourceOf(
  name: string,
  uri: string,
  definition: ResourceDefinition,
  read: ResourceReader,
): RegisteredResource {
  if (typeof name !== 'string' || name === '')
    throw new McpError('OPTION_INVALID', 'A resource needs a name');
  if (typeof uri !== 'string' || uri === '')
    throw new McpError('OPTION_INVALID', `Resource ${name} needs a URI`);
  if (typeof read !== 'function') throw new McpError('OPTION_INVALID', `Resource ${name} needs a reader`);
  checkCacheHint(definition.cache, `Resource ${name}`);
  return { name, uri, definition, read };
}

/** @throws McpError `OPTION_INVALID` */
export function templateOf(
  name: string,
  uriTemplate: string,
  definition: ResourceTemplateDefinition,
  read: ResourceTemplateReader,
): RegisteredTemplate {
  const what = `Resource template ${name}`;
  if (typeof name !== 'string' || name === '')
    throw new McpError('OPTION_INVALID', 'A resource template needs a name');
  if (typeof read !== 'function') throw new McpError('OPTION_INVALID', `${what} needs a reader`);
  checkCacheHint(definition.cache, what);
  const template = new UriTemplate(uriTemplate);
  checkCompleters(definition.complete, template.variableNames, what);
  return { name, template, definition, completers: definition.complete, read };
}

export const resourceKind: RegistryKind<RegisteredResource> = {
  member: 'resources',
  letter: 'r',
  describe({ name, uri, definition }) {
    const { title, description, mimeType, size, annotations, icons, _meta } = definition;
    return { uri, name, title, description, mimeType, size, annotations, icons, _meta };
  },
};

export const templateKind: RegistryKind<RegisteredTemplate> = {
  member: 'resourceTemplates',
  letter: 'u',
  describe({ name, template, definition }) {
    const { title, description, mimeType, annotations, icons, _meta } = definition;
    return { uriTemplate: template.text, name, title, description, mimeType, annotations, icons, _meta };
  },
};
