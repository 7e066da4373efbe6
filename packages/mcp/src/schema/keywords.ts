/** Where a keyword holds subschemas: one, a list, or a map of them. The walk over a document reads this. */
export const subschemaKeywords: Readonly<Record<string, 'one' | 'list' | 'map'>> = {
  items: 'one',
  contains: 'one',
  unevaluatedItems: 'one',
  additionalProperties: 'one',
  propertyNames: 'one',
  unevaluatedProperties: 'one',
  not: 'one',
  if: 'one',
  // biome-ignore lint/suspicious/noThenProperty: the keyword's name
  then: 'one',
  else: 'one',
  prefixItems: 'list',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  properties: 'map',
  patternProperties: 'map',
  dependentSchemas: 'map',
  $defs: 'map',
};

/** Keywords that judge a value, or tell where something is. The compiler has a case for each. */
const judgingKeywords: readonly string[] = [
  ...Object.keys(subschemaKeywords),
  'type',
  'enum',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minContains',
  'maxContains',
  'required',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  '$ref',
  '$dynamicRef',
  '$anchor',
  '$dynamicAnchor',
];

/** Keywords that are read by people and models, not by the validator. */
const annotationKeywords: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'example',
  'format',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$schema',
  '$vocabulary',
  '$comment',
  '$id',
  'definitions', // the older name of $defs; references into it work
]);

/** Keywords that judged in other drafts and would be silently ignored here. */
const otherDrafts: Readonly<Record<string, string>> = {
  dependencies: 'use dependentRequired or dependentSchemas',
  additionalItems: 'use prefixItems and items',
  $recursiveRef: 'use $dynamicRef',
  $recursiveAnchor: 'use $dynamicAnchor',
  extends: 'use allOf',
  disallow: 'use not',
  divisibleBy: 'use multipleOf',
  id: 'use $id',
};

/**
 * Why a keyword that the compiler does not know must not pass as an annotation, or `undefined` if it may. JSON Schema
 * lets every unknown keyword be one, so libraries emit theirs; a misspelt rule must not hide among them.
 */
export function unknownKeywordFault(keyword: string, value: unknown): string | undefined {
  if (annotationKeywords.has(keyword) || keyword.startsWith('x-')) return undefined;
  // `id` was a base address; libraries that name their schemas put a plain name there, which judges nothing.
  if (Object.hasOwn(otherDrafts, keyword) && !(keyword === 'id' && !/[:/#]/.test(String(value)))) {
    return `keyword "${keyword}" is of another draft: ${otherDrafts[keyword]}`;
  }
  const meant = judgingKeywords.find((known) => looksLike(keyword, known));
  if (meant === undefined) return undefined;
  return `keyword "${keyword}" is unknown; "${meant}" may be meant (an annotation of your own begins with x-)`;
}

function looksLike(given: string, known: string): boolean {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');
  const [a, b] = [plain(given), plain(known)];
  if (a === b) return true;
  if (b.length < 4 || a[0] !== b[0]) return false;
  return distance(a, b) <= (b.length < 7 ? 1 : 2);
}

/** Edits from one word to the other: letters put in, left out, replaced, or two neighbours swapped. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let least = Math.min(
        (line[column - 1] as number) + 1,
        (above[column] as number) + 1,
        (above[column - 1] as number) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        least = Math.min(least, (before[column - 2] as number) + 1);
      }
      line.push(least);
    }
    before = above;
    above = line;
  }
  return above[b.length] as number;
}
