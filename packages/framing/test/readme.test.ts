import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { simdjsonDifferences } from './simdjson/differences.ts';
import { simdjsonMissing, simdjsonNote } from './support/simdjson.ts';

const root = new URL('../../../', import.meta.url);

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

function sectionOf(title: string): string {
  const start = readme.indexOf(`## ${title}`);
  expect(start).toBeGreaterThan(0);
  return readme.slice(start, readme.indexOf('\n## ', start));
}

/** Runs the first example of a section as it stands. */
function expectExampleToHold(title: string): void {
  const section = sectionOf(title);
  const example = /```js\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
  const printed = /```text\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
  // In a folder that git ignores, below the root, so that its import finds the package.
  const folder = new URL('messages/', root);
  const file = fileURLToPath(new URL(`readme-example-${process.pid}.mjs`, folder));
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(file, example);
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
      encoding: 'utf8',
      timeout: 10_000,
    });
    expect([stderr, status]).toEqual(['', 0]);
    expect(stdout).toBe(printed);
  } finally {
    rmSync(file, { force: true });
  }
}

it.each(['Lazy values', 'Numbers', 'Encoding into bytes'])(
  'the example of “%s” in the README runs as it stands, and prints what it says',
  expectExampleToHold,
);

it.skipIf(simdjsonMissing !== undefined)(
  `the example of “simdjson” in the README runs as it stands, and prints what it says${simdjsonNote}`,
  () => expectExampleToHold('simdjson, a second opinion'),
);

it('the README lists every difference of simdjson to JSON.parse, and no others', () => {
  const rows = sectionOf('simdjson, a second opinion')
    .split('\n')
    .filter((line) => line.startsWith('| '));
  const listed = simdjsonDifferences.map(({ name, kind, reason }) => `| ${name} | ${kind} | ${reason} |`);
  // Behind the header and its rule.
  expect(rows.slice(2)).toEqual(listed);
});
