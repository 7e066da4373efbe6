import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const pages = ['README.md', ...readdirSync(new URL('docs/', root)).map((name) => `docs/${name}`)];

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    (title as string)
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

const read = (url: URL): string => readFileSync(url, 'utf8');

describe('links between the pages', () => {
  const links = pages.flatMap((page) =>
    [...read(new URL(page, root)).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(
      ([, link]) => [page, link as string] as const,
    ),
  );

  it('are there', () => {
    expect(links.length).toBeGreaterThan(20);
  });

  it.each(links)('of %s lead somewhere: %s', (page, link) => {
    const target = new URL(link, new URL(page, root));
    const anchor = target.hash.slice(1);
    target.hash = '';
    const text = read(target);
    if (anchor !== '') expect(anchorsOf(text)).toContain(anchor);
  });

  it('reach every page from the front page', () => {
    for (const page of pages.slice(1)) expect(read(new URL('README.md', root))).toContain(`(${page})`);
  });
});
