import { expect } from 'vitest';

/** Values that a transcript has named, as they were met first. */
export type Names = Map<string, unknown>;

/** A client's line with the names in it replaced by their values. */
export function withNames(line: string, names: Names): string {
  return line.replace(/⟨\$(\w+)(!?)⟩/g, (_, name: string, changed: string) => {
    const value = names.get(name);
    if (value === undefined) throw new Error(`Nothing was named $${name} so far`);
    return JSON.stringify(changed === '' ? value : forged(String(value)));
  });
}

function forged(text: string): string {
  const middle = text.length >> 1;
  return `${text.slice(0, middle)}${text[middle] === 'A' ? 'B' : 'A'}${text.slice(middle + 1)}`;
}

/** Compares what the server wrote with a server's line; remembers what it names. */
export function expectMatch(line: string, actual: unknown, names: Names): void {
  const pattern: unknown = JSON.parse(
    line.replace(/⟨([^⟨⟩]*)⟩/g, (_, inside: string) => {
      if (inside === '…') return '"⟨…⟩":0';
      if (inside === 'any') return '{"⟨any⟩":0}';
      return inside.startsWith('$') ? `{"⟨name⟩":"${inside.slice(1)}"}` : `{"⟨like⟩":${inside}}`;
    }),
  );
  expect(actual).toEqual(expectation(pattern, actual, names));
}

/** The pattern as vitest understands it. `actual` is what stands at its place, if anything does. */
function expectation(pattern: unknown, actual: unknown, names: Names): unknown {
  if (typeof pattern !== 'object' || pattern === null) return pattern;
  if (Array.isArray(pattern)) {
    return pattern.map((item, at) => expectation(item, (actual as unknown[] | undefined)?.[at], names));
  }
  const { '⟨…⟩': more, ...members } = pattern as Record<string, unknown>;
  if ('⟨any⟩' in members) return expect.anything();
  if ('⟨like⟩' in members) return expect.any((members['⟨like⟩'] as object).constructor);
  if ('⟨name⟩' in members) {
    const name = members['⟨name⟩'] as string;
    if (!names.has(name)) names.set(name, actual);
    return names.get(name) ?? expect.anything();
  }
  const expected = Object.fromEntries(
    Object.entries(members).map(([key, value]) => [
      key,
      expectation(value, (actual as Record<string, unknown> | undefined)?.[key], names),
    ]),
  );
  return more === undefined ? expected : expect.objectContaining(expected);
}
