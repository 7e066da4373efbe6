import type { Options } from 'ajv';
import type { JsonSchema } from '../json-schema.ts';

export type CompiledCheck = (value: unknown) => boolean;

interface Ajv {
  readonly opts: { unevaluated?: boolean };
  compile(schema: object): CompiledCheck;
}

const options: Options = {
  strict: false,
  validateSchema: false, // our compiler has
  validateFormats: false,
  addUsedSchema: false,
  logger: false,
  messages: false,
};

/**
 * Keywords that ajv reads otherwise (`multipleOf` is binary there, `nullable` and `$async` mean something,
 * `contains` takes an empty list for the list before it, `unevaluatedProperties` may throw), or that
 * let a value take more than linear time there (references among alternatives, `uniqueItems`); and names that it
 * would find on the prototype. Looked up in the text: a property of such a name is left to the interpreter, too.
 */
const notForAjv: RegExp = new RegExp(
  `"(?:multipleOf|nullable|\\$async|\\$ref|\\$dynamicRef|uniqueItems|contains|prefixItems|unevaluated\\w+|${Object.getOwnPropertyNames(Object.prototype).join('|')})"`,
);

let loading: Promise<Ajv> | undefined;

/**
 * The schema as code, `undefined` if ajv is not installed, must not generate code, or would judge otherwise. Loading
 * it (once) and compiling blocks the event loop: see docs/schemas.md.
 *
 * @param load - for tests.
 */
export async function compileWithAjv(
  schema: JsonSchema,
  load?: (name: string) => Promise<unknown>,
): Promise<CompiledCheck | undefined> {
  if (notForAjv.test(JSON.stringify(schema))) return undefined;
  try {
    if (load !== undefined) return (await loadAjv(load)).compile(schema);
    loading ??= loadAjv(importByName);
    return (await loading).compile(schema);
  } catch {
    return undefined;
  }
}

async function loadAjv(load: (name: string) => Promise<unknown>): Promise<Ajv> {
  const module = (await load('ajv/dist/2020.js')) as { readonly default: new (given: Options) => Ajv };
  const ajv = new module.default(options);
  // Its constructor sets this. What the notes for `unevaluatedProperties` do to other schemas is throw, at times.
  ajv.opts.unevaluated = false;
  return ajv;
}

/** By a name that bundlers do not see: a bundle without ajv goes on interpreting. */
function importByName(name: string): Promise<unknown> {
  return import(name);
}
