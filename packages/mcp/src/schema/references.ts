import { Reference } from './rules/reference.ts';
import type { SchemaCheck } from './schema-check.ts';
import { MAX_SCHEMA_DEPTH, SchemaDocument, type SchemaResource } from './schema-document.ts';

/** Schemas that one value may go through by references alone, without going deeper into it. */
const MAX_CHAIN = 256;

/** Which resources the way to a subschema leads through, the innermost first: the dynamic scope. */
export interface Scope {
  /** The root of a resource. */
  readonly root: object;
  readonly outer: Scope | undefined;
}

interface Pending {
  readonly rule: Reference;
  readonly reference: string;
  readonly dynamic: boolean;
  readonly scope: Scope;
  readonly at: string;
}

/** What compiles the parts of a schema, and names it in errors. */
interface ReferenceCompiler {
  compile(schema: unknown, scope: Scope, at: string, depth: number): SchemaCheck;
  refuse(at: string, why: string): never;
}

/** A schema object with a reference in it. */
interface Referring {
  readonly scope: Scope;
  readonly at: string;
  text(keyword: string): string;
}

/**
 * The references of one schema. They are resolved when everything around them is compiled, one after the other, so
 * a chain of them costs no stack; and for good: what a `$dynamicRef` means depends on the way to it only, so a
 * subschema is compiled once for each meaning.
 */
export class References {
  private readonly pending: Pending[] = [];
  private readonly compiled: Map<unknown, Map<string, SchemaCheck>> = new Map();
  private readonly compiler: ReferenceCompiler;

  constructor(compiler: ReferenceCompiler) {
    this.compiler = compiler;
  }

  /** The rule of a reference, to be resolved later. */
  defer(node: Referring, keyword: '$ref' | '$dynamicRef'): Reference {
    const { scope } = node;
    const rule = new Reference();
    const dynamic = keyword === '$dynamicRef';
    this.pending.push({ rule, reference: node.text(keyword), dynamic, scope, at: `${node.at}/${keyword}` });
    return rule;
  }

  /** Fills in all targets. `check` is the whole schema's. */
  resolveAll(root: object, check: SchemaCheck): void {
    if (this.pending.length === 0) return;
    const document = new SchemaDocument(root, () =>
      this.compiler.refuse('#', `is nested deeper than ${MAX_SCHEMA_DEPTH}`),
    );
    const scopes = new DynamicScopes(document);
    const targets = new Set<SchemaCheck>();
    this.compiled.set(root, new Map([[scopes.meaningOf({ root, outer: undefined }), check]]));
    for (let next = this.pending.pop(); next !== undefined; next = this.pending.pop()) {
      next.rule.target = this.resolve(document, scopes, next);
      targets.add(next.rule.target);
    }
    this.refuseCircles(targets);
  }

  private resolve(document: SchemaDocument, scopes: DynamicScopes, pending: Pending): SchemaCheck {
    const { reference, dynamic, scope, at } = pending;
    const place = document.resolve(reference, document.resourceAt(scope.root));
    if (place === undefined) {
      return this.compiler.refuse(
        at,
        `${JSON.stringify(reference)} is not in this schema, and nothing is ever fetched`,
      );
    }
    let { schema, resource } = place;
    const name = place.anchor;
    if (dynamic && name !== undefined && resource.dynamicAnchors.get(name) === schema) {
      resource = scopes.bindings(scope).get(name) ?? resource;
      schema = resource.dynamicAnchors.get(name);
    }
    const inner = resource.root === scope.root ? scope : { root: resource.root, outer: scope };
    const meaning = scopes.meaningOf(inner);
    let meanings = this.compiled.get(schema);
    if (meanings === undefined) {
      meanings = new Map();
      this.compiled.set(schema, meanings);
    }
    let target = meanings.get(meaning);
    if (target === undefined) {
      target = this.compiler.compile(schema, inner, reference, 0);
      meanings.set(meaning, target);
    }
    return target;
  }

  /** A value that a schema hands on to itself would never be done with. Every circle leads through a reference. */
  private refuseCircles(targets: Iterable<SchemaCheck>): void {
    const heights = new Map<SchemaCheck, number>();
    const heightOf = (check: SchemaCheck, above: number): number => {
      const known = heights.get(check);
      if (known === 0)
        this.compiler.refuse('#', 'a reference leads back to itself without going deeper into the value');
      if (known !== undefined) return known;
      heights.set(check, 0); // in progress
      let height = 1;
      for (const rule of check.rules ?? []) {
        for (const next of rule.inPlace) {
          if (above + height <= MAX_CHAIN) height = Math.max(height, 1 + heightOf(next, above + 1));
        }
      }
      if (above + height > MAX_CHAIN)
        this.compiler.refuse('#', `one value would go through more than ${MAX_CHAIN} schemas in a row`);
      heights.set(check, height);
      return height;
    };
    for (const target of targets) heightOf(target, 0);
  }
}

/** What the names of `$dynamicAnchor` mean in a scope: each the outermost resource that has it. */
class DynamicScopes {
  private readonly document: SchemaDocument;
  private readonly known: Map<Scope, ReadonlyMap<string, SchemaResource>> = new Map();

  constructor(document: SchemaDocument) {
    this.document = document;
  }

  bindings(scope: Scope): ReadonlyMap<string, SchemaResource> {
    const known = this.known.get(scope);
    if (known !== undefined) return known;
    const bound = new Map(scope.outer === undefined ? [] : this.bindings(scope.outer));
    const resource = this.document.resourceAt(scope.root);
    for (const name of resource.dynamicAnchors.keys()) if (!bound.has(name)) bound.set(name, resource);
    this.known.set(scope, bound);
    return bound;
  }

  /** A key that two scopes share if every name means the same in both. */
  meaningOf(scope: Scope): string {
    const bound = [...this.bindings(scope)].map(([name, { address }]) => JSON.stringify([name, address]));
    return bound.sort().join();
  }
}
