import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as mcp from '../src/index.ts';

// Frozen on purpose: a change here is a change for users and needs a changeset.

describe('the public surface', () => {
  it('exports these names', () => {
    expect(Object.keys(mcp).sort()).toEqual([
      'MCP_CODES',
      'McpError',
      'McpServer',
      'PeerError',
      'RpcError',
      'connect',
      'isMcpError',
      'isPeerError',
      'isRpcError',
      'launcherForm',
      'legacyVersions',
      'limits',
      'logLevels',
      'metaKeys',
      'modernVersions',
      'newestLegacyVersion',
      'printable',
      'printableLine',
      'rpcCodes',
      'serve',
      'serveStdio',
    ]);
  });

  it('has these limits', () => {
    const limits = Object.entries(mcp.limits).map(([name, limit]) => [
      name,
      limit.default,
      limit.min,
      limit.max,
    ]);
    expect(limits).toEqual([
      ['maxInFlight', 1024, 1, 1_000_000],
      ['drainTimeoutMs', 10_000, 0, 2_147_483_647],
      ['requestTimeoutMs', 60_000, 0, 2_147_483_647],
      ['maxTotalMs', 600_000, 0, 2_147_483_647],
      ['inputTimeoutMs', 600_000, 0, 2_147_483_647],
      ['maxWaitingRequests', 1024, 1, 1_000_000],
      ['maxBatchMessages', 1024, 1, 1_000_000],
      ['maxBatchAnswerBytes', 16_777_216, 1024, 268_435_456],
      ['maxSubscriptions', 1024, 1, 1_000_000],
      ['pageSize', 1000, 1, 1_000_000],
      ['stateTtlMs', 600_000, 1, 2_147_483_647],
      ['maxStateBytes', 65_536, 1024, 67_108_864],
    ]);
  });

  it('has these error codes, and a test for each', () => {
    expect(Object.keys(mcp.MCP_CODES)).toEqual([
      'OPTION_INVALID',
      'TOOL_EXISTS',
      'ALREADY_REGISTERED',
      'SCHEMA_UNSUPPORTED',
      'HANDSHAKE_FAILED',
      'CANCELLED',
      'REQUEST_TIMEOUT',
      'PEER_CLOSED',
      'INVALID_RESPONSE',
      'FRAME_TOO_LARGE',
      'OVERLOADED',
      'INPUT_REQUIRED',
      'CAPABILITY_MISSING',
      'STATE_TOO_LARGE',
    ]);
    const folder = new URL('.', import.meta.url);
    const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => readFileSync(new URL(name, folder), 'utf8'))
      .join('\n');
    for (const code of Object.keys(mcp.MCP_CODES)) expect(tests).toContain(`'${code}'`);
  });

  it.each(Object.keys(mcp.limits) as mcp.LimitName[])(
    '%s is validated: whole, and within its range',
    async (name) => {
      const { limitValue } = await import('../src/limits.ts');
      for (const value of [-1, 1.5, Number.NaN, 2 ** 31]) {
        expect(() => limitValue(name, value)).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }));
      }
    },
  );
});
