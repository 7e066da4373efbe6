import { isObject } from '../json-object.ts';
import { subschemaKeywords } from './keywords.ts';

/** Nesting of a schema; a deeper one is refused (a cyclic one is endless). */
export const MAX_SCHEMA_DEPTH = 64;

/** Base of relative addresses in a schema without `$id`: an address that nothing outside has. */
const NO_BASE = 'schema:///';

/** A part of the document with an address of its own: the root, or a subschema with `$id`. */
export interface SchemaResource {
  readonly root: object;
  /** Without a fragment. */
  readonly address: string;
  /** By `$anchor` and `$dynamicAnchor`. */
  readonly anchors: Map<string, object>;
  readonly dynamicAnchors: Map<string, object>;
}

/** Where a reference leads. */
export interface SchemaPlace {
  readonly schema: unknown;
  readonly resource: SchemaResource;
  /** The plain name after `#`, where that is how the reference was written. */
  readonly anchor: string | undefined;
}

/** Resolves references within one schema. Made for schemas that have references only. */
export class SchemaDocument {
  readonly resources: Map<string, SchemaResource> = new Map();
  private readonly resourceOf: Map<object, SchemaResource> = new Map();

  private readonly refuseDepth: () => never;

  /** @param refuseDepth - called where subschemas are nested deeper than `MAX_SCHEMA_DEPTH`. */
  constructor(root: object, refuseDepth: () => never) {
    this.refuseDepth = refuseDepth;
    const resource = this.newResource(root, NO_BASE);
    this.resourceOf.set(root, resource);
    this.indexMembers(root, resource, 0);
  }

  /** The resource that a subschema begins or belongs to. */
  resourceAt(schema: object): SchemaResource {
    return this.resourceOf.get(schema) as SchemaResource;
  }

  /** Where `reference` leads, seen from a schema of `from`; `undefined` if that is not in the document. */
  resolve(reference: string, from: SchemaResource): SchemaPlace | undefined {
    const hash = reference.indexOf('#');
    const address = hash === -1 ? reference : reference.slice(0, hash);
    const resource = address === '' ? from : this.resources.get(resolved(address, from.address) ?? '');
    if (resource === undefined) return undefined;
    const fragment = hash === -1 ? '' : decoded(reference.slice(hash + 1));
    if (fragment === undefined) return undefined;
    if (fragment === '') return { schema: resource.root, resource, anchor: undefined };
    if (fragment.startsWith('/')) return this.point(resource, fragment.slice(1).split('/'));
    const schema = resource.anchors.get(fragment);
    return schema && { schema, resource, anchor: fragment };
  }

  private point(from: SchemaResource, steps: readonly string[]): SchemaPlace | undefined {
    let schema: unknown = from.root;
    let resource = from;
    for (const step of steps) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, key)) return undefined;
      schema = (schema as Record<string, unknown>)[key];
      if (typeof schema === 'object' && schema !== null) resource = this.resourceOf.get(schema) ?? resource;
    }
    // A place that is no subschema by its keyword, as `definitions`, becomes one by being referred to.
    if (isObject(schema)) resource = this.index(schema, resource, 0);
    return { schema, resource, anchor: undefined };
  }

  private newResource(root: object, base: string): SchemaResource {
    const id = (root as Record<string, unknown>)['$id'];
    const address = (typeof id === 'string' ? resolved(id, base) : undefined) ?? base;
    const resource: SchemaResource = { root, address, anchors: new Map(), dynamicAnchors: new Map() };
    this.resources.set(address, resource);
    return resource;
  }

  /** The resource of a subschema whose parent belongs to `outer`. */
  private index(schema: Record<string, unknown>, outer: SchemaResource, depth: number): SchemaResource {
    const known = this.resourceOf.get(schema);
    if (known !== undefined) return known;
    if (depth > MAX_SCHEMA_DEPTH) this.refuseDepth();
    const resource = beginsResource(schema) ? this.newResource(schema, outer.address) : outer;
    this.resourceOf.set(schema, resource);
    this.indexMembers(schema, resource, depth);
    return resource;
  }

  private indexMembers(schema: object, resource: SchemaResource, depth: number): void {
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === '$anchor' && typeof value === 'string') resource.anchors.set(value, schema);
      if (keyword === '$dynamicAnchor' && typeof value === 'string') {
        resource.anchors.set(value, schema);
        resource.dynamicAnchors.set(value, schema);
      }
      if (typeof value !== 'object' || value === null || !Object.hasOwn(subschemaKeywords, keyword)) continue;
      const parts: unknown[] = subschemaKeywords[keyword] === 'one' ? [value] : Object.values(value);
      for (const part of parts) if (isObject(part)) this.index(part, resource, depth + 1);
    }
  }
}

/** Whether a subschema has an address of its own. */
export function beginsResource(schema: Record<string, unknown>): boolean {
  return typeof schema['$id'] === 'string' && !schema['$id'].startsWith('#');
}

/** An absolute address without its fragment, `undefined` if it is none. */
function resolved(address: string, base: string): string | undefined {
  try {
    const url = new URL(address, base);
    url.hash = '';
    return url.href;
  } catch {
    return undefined;
  }
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}
