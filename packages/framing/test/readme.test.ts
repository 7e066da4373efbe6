import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = new URL('../../../', import.meta.url);

it.each(['Lazy values', 'Numbers'])(
  'the example of “%s” in the README runs as it stands, and prints what it says',
  (title) => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const section = readme.slice(readme.indexOf(`## ${title}`));
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
  },
);
