/**
 * The exact source text of the member `path` of a JSON object text, the last one where a key is doubled;
 * `undefined` if it is not there. For the rare value that a double cannot hold (ids and tokens beyond 2^53):
 * linear in the text, no allocation but the keys. `text` must be valid JSON.
 */
export function memberText(text: string, path: readonly string[]): string | undefined {
  let scope: string | undefined = text;
  for (const key of path) {
    if (scope === undefined) return undefined;
    scope = ownMember(scope, key);
  }
  return scope;
}

function ownMember(text: string, wanted: string): string | undefined {
  let at = skipSpace(text, 0);
  if (text[at] !== '{') return undefined;
  let found: string | undefined;
  at = skipSpace(text, at + 1);
  while (text[at] === '"') {
    const keyEnd = stringEnd(text, at);
    const key = JSON.parse(text.slice(at, keyEnd)) as string;
    // Past the colon, to the value.
    at = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = valueEnd(text, at);
    if (key === wanted) found = text.slice(at, end);
    at = skipSpace(text, end);
    if (text[at] !== ',') break;
    at = skipSpace(text, at + 1);
  }
  return found;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\r' || text[at] === '\n') at++;
  return at;
}

/** Index behind the closing quote of the string that starts at `from`. */
function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Index behind the value that starts at `from`. Iterative: depth is counted, never recursed. */
function valueEnd(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const char = text[at];
    if (char === '"') at = stringEnd(text, at);
    else {
      if (char === '{' || char === '[') depth++;
      else if (char === '}' || char === ']') {
        // The bracket of the surrounding container ends a bare literal.
        if (depth === 0) return at;
        depth--;
      } else if (depth === 0 && (char === ',' || char === ' ' || char === '\t' || char === '\r')) return at;
      at++;
    }
    if (depth === 0 && (char === '"' || char === '}' || char === ']')) return at;
  }
  return at;
}
