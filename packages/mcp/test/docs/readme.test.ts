import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const readme = page('README.md');
const examples = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code as string);
const clientExample = examples.find((code) => code.includes('connect(')) ?? '';
/** What the page says about one server, put together as a reader would: from top to bottom. */
const serverExample = examples.filter((code) => code !== clientExample).join('\n');

/** A folder below the root, so that imports find the built package, and one that git ignores. */
const parent = fileURLToPath(new URL('../../../../messages/', import.meta.url));

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};

describe('the README', () => {
  let folder: string;

  beforeAll(() => {
    mkdirSync(parent, { recursive: true });
    folder = mkdtempSync(join(parent, 'mcp-readme-'));
    writeFileSync(join(folder, 'server.mjs'), serverExample);
    writeFileSync(join(folder, 'client.mjs'), clientExample);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function run(file: string, input: readonly string[]) {
    const child = spawn(process.execPath, [file], { cwd: folder, timeout: 30_000, killSignal: 'SIGKILL' });
    child.stdin.end(input.map((line) => `${line}\n`).join(''));
    const [stdout, stderr, status] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise((resolve) => child.once('close', resolve)),
    ]);
    return { stdout, stderr, status };
  }

  async function ask(requests: readonly (readonly [method: string, params: object])[]) {
    const lines = requests.map(([method, params], id) =>
      JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: envelope } }),
    );
    const { stdout, stderr, status } = await run('server.mjs', lines);
    expect([status, stderr]).toEqual([0, '']);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return answers.sort((one, other) => one.id - other.id).map(({ result, error }) => result ?? error);
  }

  it('has a server, what it is made of, an ask and a client', () => {
    expect(examples.length).toBe(4);
    expect(clientExample).not.toBe('');
  });

  it('shows a server that does what is said beside it', async () => {
    const ref = { type: 'ref/prompt', name: 'summarise' };
    const [added, about, note, missing, prompt, completed, greeted, task] = await ask([
      ['tools/call', { name: 'add', arguments: { a: 1, b: 2 } }],
      ['resources/read', { uri: 'notes://about' }],
      ['resources/read', { uri: 'notes://inbox/7' }],
      ['resources/read', { uri: 'notes://trash/7' }],
      ['prompts/get', { name: 'summarise', arguments: { note: '7' } }],
      ['completion/complete', { ref, argument: { name: 'note', value: '' } }],
      ['tools/call', { name: 'greet' }],
      ['tasks/list', {}],
    ]);
    expect(added.content).toEqual([{ type: 'text', text: '3' }]);
    expect(about.contents[0].text).toBe('Notes of one person.');
    expect(note.contents[0].text).toBe('# Note 7');
    expect(missing).toMatchObject({ code: -32602, data: { uri: 'notes://trash/7' } });
    expect(prompt.messages[0].content.text).toBe('Summarise note 7.');
    expect(completed.completion.values).toEqual(['1', '2']);
    expect(greeted).toMatchObject({ resultType: 'input_required', inputRequests: { name: {} } });
    expect(task.code).toBe(-32601);
  });

  it('shows a client that gets the answers of that server', async () => {
    const { stdout, stderr, status } = await run('client.mjs', []);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toBe("[ 'add', 'greet' ]\n{ content: [ { type: 'text', text: '3' } ] }\n");
  });

  it('shows the ask that the page about asks shows', () => {
    const [, shown] = /^```ts\n(.*?)^```$/ms.exec(page('docs/input.md')) ?? [];
    expect(examples).toContain(shown);
  });
});

function page(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
}
