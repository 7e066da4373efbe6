import type { CacheHint } from '../api/cache-hint.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { ReplyWriter } from '../run/reply-writer.ts';
import { serverMeta } from '../run/result-shape.ts';
import type { Incoming } from './incoming.ts';
import { invalidParams, methodNotFound } from './refusals.ts';

/** A list that nothing was ever registered in. */
const EMPTY_PAGES: Readonly<Record<string, string>> = {
  'resources/list': '"resources":[]',
  'resources/templates/list': '"resourceTemplates":[]',
  'prompts/list': '"prompts":[]',
};

/** The four list methods: pages that the registries put together as text. */
export class ListRoutes {
  private readonly catalog: Catalog;
  private readonly out: ReplyWriter;
  private readonly modernTail: string;

  constructor(catalog: Catalog, out: ReplyWriter) {
    this.catalog = catalog;
    this.out = out;
    this.modernTail = `,${hintMembers(catalog.cache)},${serverMeta(catalog.infoText)}}`;
  }

  list({ idSource, method, params, modern }: Incoming): void {
    const { out } = this;
    if (!this.isOffered(method)) {
      out.refuse(idSource, methodNotFound(method));
      return;
    }
    const members = this.page(method, params?.['cursor'], modern);
    if (members === undefined) out.refuse(idSource, invalidParams('unknown cursor'));
    else if (modern) out.result(idSource, `{"resultType":"complete",${members}${this.modernTail}`);
    else out.result(idSource, `{${members}}`);
  }

  private isOffered(method: string): boolean {
    const { catalog } = this;
    if (method === 'tools/list') return catalog.offersTools;
    return method === 'prompts/list' ? catalog.offersPrompts : catalog.offersResources;
  }

  /** Members of the result; `undefined` for a cursor that was never handed out. */
  private page(method: string, cursor: unknown, modern: boolean): string | undefined {
    const { tools, resources, templates, prompts } = this.catalog;
    const registry =
      method === 'tools/list'
        ? tools
        : method === 'resources/list'
          ? resources
          : method === 'prompts/list'
            ? prompts
            : templates;
    if (registry !== undefined) return registry.page(cursor, modern);
    return cursor === undefined ? EMPTY_PAGES[method] : undefined;
  }
}

/** How long a result may be kept, as members of it. */
export function hintMembers({ ttlMs, cacheScope }: CacheHint): string {
  return `"ttlMs":${ttlMs},"cacheScope":"${cacheScope}"`;
}
