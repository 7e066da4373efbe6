import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = new URL('../../../', import.meta.url);

it('the example of the README runs as it stands, and answers a call', () => {
  const readme = readFileSync(new URL('README.md', root), 'utf8');
  const example = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  // In a folder that git ignores, below the root, so that its import finds the package.
  const folder = new URL('messages/', root);
  const file = fileURLToPath(new URL(`readme-example-${process.pid}.mjs`, folder));
  const input = [
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}',
  ];
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(file, example);
    const options = { input: `${input.join('\n')}\n`, encoding: 'utf8', timeout: 10_000 } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], options);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(answers).toEqual([
      expect.objectContaining({ id: 1, result: expect.objectContaining({ protocolVersion: '2025-11-25' }) }),
      { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: '3' }] } },
    ]);
    expect([status, stderr]).toEqual([0, '']);
  } finally {
    rmSync(file, { force: true });
  }
});
