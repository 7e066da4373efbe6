import { describe, expect, it } from 'vitest';
import { McpServer } from '../../../src/server/mcp-server.ts';
import { serve } from '../../../src/server/server-session.ts';
import { line } from '../../support/era-requests.ts';
import { info, S } from '../../support/example-server.ts';
import { Wire } from '../../support/wire.ts';

/** What a handler hands on that has its result from another modern server. */
const RELAYED = { resultType: 'complete' };

function relay(): McpServer {
  return new McpServer(info)
    .registerPrompt('relayed', {}, () => ({ ...RELAYED, messages: [] }))
    .registerResource('relayed', 'mem://relayed', {}, () => ({ ...RELAYED, contents: [] }))
    .registerTool('relayed', {}, () => ({ ...RELAYED, content: [] }));
}

describe('a result that says itself what kind it is', () => {
  it.each([
    ['prompts/get', { name: 'relayed' }],
    ['resources/read', { uri: 'mem://relayed' }],
    ['tools/call', { name: 'relayed' }],
  ])('%s: goes out with one resultType', async (method, params) => {
    const wire = new Wire();
    serve(relay(), wire);
    wire.feed(line('modern', 1, method, params));
    while (wire.sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const [text] = wire.sent as [string];
    expect(text.split('"resultType"')).toHaveLength(2);
    expect(JSON.parse(text).result).toMatchObject({ resultType: 'complete', _meta: S });
  });
});
