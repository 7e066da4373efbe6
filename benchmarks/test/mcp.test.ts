import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallStream, callStreamAnswers, callStreamChunks } from '@linewire/testkit';
import { describe, expect, it } from 'vitest';
import { millionNetMs } from '../src/mcp/calls-case.ts';
import { mcpCases, mcpGroup, mcpSides } from '../src/mcp/names.ts';
import { buildNativeServer, type NativeServer } from '../src/mcp/native-server.ts';
import { callsTable } from '../src/mcp/tables.ts';
import { callVerdicts } from '../src/mcp/thresholds.ts';
import { linewireAddPath, nativeSources } from '../src/paths.ts';
import { checkPipeline } from '../src/pipeline.ts';
import type { ProcessSide } from '../src/process-sides.ts';
import { type Row, type RunResult, summarize } from '../src/results.ts';
import { exampleRun, newest, own } from './example-run.ts';

const [native, tuned] = await Promise.all(
  [nativeSources.plain, nativeSources.tuned].map((source) => buildNativeServer(source)),
);
const noNative = tuned === undefined || 'reason' in tuned;

function row(side: string, netMs: number, node?: string): Row {
  const names = { group: mcpGroup, case: mcpCases.calls, side, ...(node !== undefined && { node }) };
  return {
    ...summarize({ ...names, unit: 'ms', samples: [netMs + 60], fit: true }),
    detail: { callCount: 1e6, netMs },
  };
}

function run(syncMs: number, asyncMs: number, sdkMs: number, nativeMs?: number): RunResult {
  const ours = [own, newest].flatMap((node) => [
    row(mcpSides.sync, syncMs, node),
    row(mcpSides.async, asyncMs, node),
  ]);
  const peers = [row(mcpSides.sdkV1, sdkMs, own), row(mcpSides.sdkV2, sdkMs, own)];
  const rows = [...ours, ...peers, ...(nativeMs === undefined ? [] : [row(mcpSides.native, nativeMs)])];
  return { ...exampleRun(), rows };
}

const outcomes = (result: RunResult): string[] => callVerdicts(result).map(({ outcome }) => outcome);

describe('the promises about a million calls', () => {
  it('are met at their limits and missed beyond, each Node by its own', () => {
    // Sync, its goal, async, its goal; SDK v1, goal, SDK v2, goal.
    expect(outcomes(run(100, 130, 7200, 100))).toEqual(Array(8).fill('met'));
    expect(outcomes(run(136, 171, 40 * 171, 100)).slice(0, 6)).toEqual([
      'missed',
      'missed',
      'missed',
      'missed',
      'met',
      'met',
    ]);
    expect(outcomes(run(135, 170, 33 * 170, 100)).slice(0, 7)).toEqual([
      'met',
      'missed',
      'met',
      'missed',
      'met',
      'missed',
      'missed',
    ]);
  });

  it('allow more on Node 20 than on newer ones', () => {
    const result = run(135, 170, 1e4, 100);
    const slower = (node: string): RunResult => ({
      ...result,
      rows: result.rows.map((one) =>
        one.side === mcpSides.sync && one.node === node
          ? { ...one, detail: { ...one.detail, netMs: 160 } }
          : one,
      ),
    });
    expect([outcomes(slower(own))[0], outcomes(slower(newest))[0]]).toEqual(['met', 'missed']);
  });

  it('stay in the table, unproven, where no C++ server could be compiled', () => {
    const found = callVerdicts(run(100, 130, 7200));
    expect(found.slice(0, 2)).toEqual([
      expect.objectContaining({
        outcome: 'unproven',
        measured: expect.objectContaining({ 'Node 20': 'no C++ server' }),
      }),
      expect.objectContaining({ outcome: 'unproven' }),
    ]);
    expect(callsTable(run(100, 130, 7200)).rows.length).toBeGreaterThan(0);
  });

  it('say nothing about what was not measured', () => {
    expect(callVerdicts({ ...run(1, 1, 1), rows: [] })).toEqual([]);
  });
});

describe('the net time of a million calls', () => {
  it('is the wall time without an empty process', () => {
    expect(millionNetMs(900, 1_000_000, 60, undefined)).toBe(840);
  });

  it('is own start and the cost of one further call a million times, for who got fewer', () => {
    // 0.02 ms a call, 300 ms to start, of which an empty process has 60.
    expect(millionNetMs(320 + 49_000 * 0.02, 50_000, 60, 320)).toBeCloseTo(260 + 999_000 * 0.02, 6);
  });
});

describe('the C++ servers', () => {
  it('are left out with a reason where there is no compiler', async () => {
    expect(await buildNativeServer(nativeSources.plain, 'no-such-compiler')).toEqual({
      reason: 'there is no C++ compiler no-such-compiler',
    });
  });

  it.skipIf(noNative)(
    'that is tuned echoes ids as they came, checks arguments and writes numbers as JavaScript does',
    () => {
      const call = (id: string, args: string, name = 'add'): string =>
        `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${args}}}\n`;
      const input = [
        call('-0', '{"a":1e21,"b":1}'),
        call('1.0', '{"b":0.25,"a":0.5}'),
        call('"a\\u0041\\"}"', '{"a":1e-7,"b":0}'),
        call('9007199254740993', '{"a":12345678901234567890,"b":0}'),
        call('5', '{"a":"1","b":2}'),
        call('6', '{"a":1}'),
        call('7', '{"a":1,"b":2}', 'sub'),
        'no json\n',
        '{"jsonrpc":"1.0","id":8,"method":"ping"}\n',
        '{"jsonrpc":"2.0","id":9,"method":"ping"}',
      ].join('');
      const text = (value: string, more = ''): string =>
        `"result":{"content":[{"type":"text","text":"${value}"}]${more}}`;
      const invalid = (why: string): string =>
        text(`Invalid arguments for tool add: ${why}`, ',"isError":true');
      const answers = [
        ['-0', text('1e+21')],
        ['1.0', text('0.75')],
        ['"a\\u0041\\"}"', text('1e-7')],
        ['9007199254740993', text('12345678901234567000')],
        ['5', invalid('a must be a number')],
        ['6', invalid('b is required')],
        ['7', '"error":{"code":-32602,"message":"Unknown tool: sub"}'],
        ['9', '"result":{}'],
      ].map(([id, outcome]) => `{"jsonrpc":"2.0","id":${id},${outcome}}\n`);
      const { stdout } = spawnSync(pathOf(tuned), {
        input,
        encoding: 'utf8',
        timeout: 20_000,
      });
      expect(stdout).toBe(answers.join(''));
    },
  );
});

function pathOf(server: NativeServer | undefined): string {
  return server !== undefined && 'path' in server ? server.path : '';
}

describe('the servers of one tool', () => {
  const stream: CallStream = { era: 'legacy', mix: 'adds', callCount: 3000 };
  const sides: ProcessSide[] = [
    ...(['sync', 'async'] as const).map(
      (how): ProcessSide => ({
        name: how,
        command: [process.execPath, linewireAddPath, how],
        check: 'value',
      }),
    ),
    ...(noNative
      ? []
      : [
          { name: mcpSides.native, command: [pathOf(native)], check: 'value' } as const,
          { name: mcpSides.nativeTuned, command: [pathOf(tuned)], check: 'value' } as const,
        ]),
  ];

  it.each(sides)('$name answers every call rightly', async (side) => {
    const folder = mkdtempSync(join(tmpdir(), 'linewire-adds-'));
    try {
      const file = join(folder, 'calls.jsonl');
      writeFileSync(file, Buffer.concat([...callStreamChunks(stream)]));
      const report = await checkPipeline({ side, file, expected: callStreamAnswers(stream), held: false });
      expect(report).toMatchObject({ ok: true, rightCount: 3001 });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
