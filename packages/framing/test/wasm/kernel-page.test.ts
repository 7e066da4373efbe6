import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = readFileSync(new URL('../../docs/kernel.md', import.meta.url), 'utf8');

/** The lines of the worked block by their names. */
const lines = new Map(
  [
    ...page.matchAll(/^(bytes|backslash|escaped|quote|in string|bracket|outside|control) {2,}(\S.{63})$/gm),
  ].map(([, name = '', line = '']) => [name, line]),
);
const bytes = [...(lines.get('bytes') ?? '')].map((character) => (character === '⏎' ? '\n' : character));

/** Where each byte stands, decided one byte after the other. */
function places(): { escaped: boolean; inString: boolean }[] {
  let escaped = false;
  let inString = false;
  return bytes.map((byte) => {
    const place = { escaped, inString };
    if (byte === '"' && !escaped) {
      inString = !inString;
      place.inString = inString;
    }
    escaped = byte === '\\' && !escaped;
    return place;
  });
}

const worked = places();
const masks: Record<string, (byte: string, at: number) => boolean> = {
  backslash: (byte) => byte === '\\',
  escaped: (byte, at) => worked[at]?.escaped === true && byte !== '\\',
  quote: (byte, at) => byte === '"' && worked[at]?.escaped === false,
  'in string': (_, at) => worked[at]?.inString === true,
  bracket: (byte) => '[]{}Y_y\x7f'.includes(byte),
  outside: (byte, at) => '[]{}'.includes(byte) && worked[at]?.inString === false,
  control: (byte) => byte < ' ',
};

describe('the page about the kernel', () => {
  it.each(Object.entries(masks))('shows the mask %s of its block as it is', (name, isSet) => {
    expect(bytes).toHaveLength(64);
    expect(lines.get(name)).toBe(bytes.map((byte, at) => (isSet(byte, at) ? '1' : '.')).join(''));
  });

  it('names every file of the kernel', () => {
    const files = readdirSync(new URL('../../kernel/', import.meta.url)).filter((name) =>
      name.endsWith('.ts'),
    );
    expect(files.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});
