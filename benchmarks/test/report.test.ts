import { describe, expect, it } from 'vitest';
import { netCosts } from '../src/net-cost.ts';
import { caseNames } from '../src/process-cases.ts';
import { readmeBlock, reportPage } from '../src/readme-block.ts';
import { renderText } from '../src/render.ts';
import { type RunResult, summarize } from '../src/results.ts';
import { slowReaderCase } from '../src/slow-reader-case.ts';
import { judge } from '../src/thresholds.ts';
import { transportGroup } from '../src/transport-group.ts';
import { exampleRun, newest, own } from './example-run.ts';

const onBoth = (measured: string) => ({ 'Node 20': measured, 'Node 26': measured });
const node20 = (measured: string) => ({ 'Node 20': measured });

describe('judging a run', () => {
  it('finds each promise met or missed by its medians', () => {
    const verdicts = judge(exampleRun()).map(({ promise, measured, outcome }) => [
      promise,
      measured,
      outcome,
    ]);
    expect(verdicts).toEqual([
      [
        "wasm index ('envelope') ≥ 8 × JSON.parse(latin1Slice) per 100-byte message",
        {
          'Node 20': "10.00 × ('full' 6.00 ×; Thai 12.00 ×)",
          'Node 26': "10.00 × ('full' 6.00 ×; Thai 12.00 ×)",
        },
        'met',
      ],
      [
        "scalar index ('envelope') ≥ 4 × JSON.parse(latin1Slice) per 100-byte message",
        { 'Node 20': "5.00 × ('full' 3.00 ×)", 'Node 26': "5.00 × ('full' 3.00 ×)" },
        'met',
      ],
      [
        "wasm index ('envelope') ≤ 50 ns per 100-byte message",
        {
          'Node 20': "60.0 ns ('full' 100.0 ns; Thai 75.0 ns)",
          'Node 26': "48.0 ns ('full' 80.0 ns; Thai 60.0 ns)",
        },
        'missed',
      ],
      [
        'wasm index ≥ 1.8 GB/s on 1 MB frames',
        { 'Node 20': '2.00 GB/s (dense 1.00 GB/s)', 'Node 26': '2.50 GB/s (dense 1.25 GB/s)' },
        'met',
      ],
      [
        "wasm index 'full' ≥ 0.7 GB/s on 1 MB frames",
        { 'Node 20': '1.00 GB/s (dense 0.25 GB/s)', 'Node 26': '1.25 GB/s (dense 0.31 GB/s)' },
        'met',
      ],
      [
        "wasm, newlines only ('none') ≥ 5 GB/s, on 100-byte calls and on 1 MB frames alike",
        { 'Node 20': 'calls 4.0 GB/s; 1 MB 6.3 GB/s', 'Node 26': 'calls 5.0 GB/s; 1 MB 7.8 GB/s' },
        'missed',
      ],
      [
        '0 scavenges over 1,000,000 calls after warm-up, wasm',
        {
          'Node 20': 'push 0; commit 0; scalar push 2; scalar commit 0',
          'Node 26': 'push 0; commit 0; scalar push 2; scalar commit 0',
        },
        'met',
      ],
      [
        'wasm, first use ≤ 3 ms',
        { 'Node 20': '2.50 ms (scalar 1.25 ms)', 'Node 26': '2.50 ms (scalar 1.25 ms)' },
        'met',
      ],
      ['wasm module ≤ 16 KiB', node20('12,345 bytes'), 'met'],
      [
        'repeated calls of 60–400 bytes: reader, id, method and payload ≥ 3 × JSON.parse per line',
        onBoth('3.20 × (calls 4.00 ×; calls payload alone 4.00 ×; calls-modern 3.20 ×)'),
        'met',
      ],
      [
        'repeated results of 60–400 bytes: reader, id, method and payload ≥ 3 × JSON.parse per line',
        onBoth('2.50 × (answers 2.50 ×)'),
        'missed',
      ],
      [
        'calls of several kinds by chance, no words twice: reader, id, method and payload ≥ 3 × JSON.parse per line',
        onBoth('4.00 × (payload alone 4.00 ×)'),
        'met',
      ],
      [
        'results of several kinds by chance, no words twice: reader, id, method and payload ≥ 3 × JSON.parse per line',
        onBoth('2.50 × (Thai 2.00 ×)'),
        'missed',
      ],
      [
        'lazy params.name, reader included, ≥ 4 × JSON.parse per line',
        onBoth('5.00 × (payload alone 6.00 ×)'),
        'met',
      ],
      [
        'repeated results: encodeInto ≥ 1.5 × JSON.stringify and write on Node 20, ≥ 1 × on 26',
        onBoth('1.20 × (answers 3.00 ×; repeated-results 1.20 ×)'),
        'missed',
      ],
      [
        'payloads of 64 KB to 1 MB: payload ≥ 1 × JSON.parse, less the noise',
        onBoth('0.95 × (1mb 1.20 ×; timeline 0.95 ×)'),
        'met',
      ],
      [
        'messages of 64 KB to 1 MB: encodeInto ≥ 1 × JSON.stringify and write, less the noise',
        onBoth('1.50 × (1mb 1.50 ×)'),
        'met',
      ],
      [
        'hostile payloads: payload ≥ 1 × JSON.parse, less the noise',
        onBoth('0.75 × (shapes 1.00 ×; late 0.75 ×)'),
        'missed',
      ],
      [`${caseNames.million} ≥ 2 × the bare loop's speed`, node20('2.00 ×'), 'met'],
      ["1,000 lines ≤ 1.15 × the bare loop's wall time", node20('1.25 ×'), 'missed'],
      ['ns per byte from 1 to 64 MiB within 1.3 ×, 1 KiB chunks', node20('1.20 ×'), 'met'],
      [
        '1 GiB without newline: stored bytes ≤ limit + window',
        node20('67,000,000 of 67,371,008 bytes'),
        'met',
      ],
    ]);
  });

  it('takes the largest noise of the Nodes', () => {
    expect(judge(exampleRun())[0]?.noise).toBe(0.02);
  });

  it('does not call a promise met when one Node breaks it', () => {
    const run = exampleRun();
    const rows = run.rows.map((row) =>
      row.case === 'calls' && row.side === 'index' && row.node === newest ? { ...row, median: 70 } : row,
    );
    expect(judge({ ...run, rows })[0]).toMatchObject({
      outcome: 'missed',
      measured: {
        'Node 20': expect.stringContaining('10.00 ×'),
        'Node 26': expect.stringContaining('6.86 ×'),
      },
    });
  });

  it('holds each corpus to its own noise where no corpus may be slower', () => {
    const run = exampleRun();
    const noise = run.noise.map((entry) => (entry.case === 'timeline' ? { ...entry, band: 0.04 } : entry));
    const large = judge({ ...run, noise }).find(({ promise }) => promise.startsWith('payloads of 64 KB'));
    expect(large).toMatchObject({ outcome: 'missed', noise: 0.04 });
  });

  it('asks less of the encoder where the runtime stringifies faster', () => {
    const run = exampleRun();
    const outcome = (ownNs: number, newestNs: number): string | undefined => {
      const rows = run.rows.map((row) =>
        row.side === 'encodeInto' ? { ...row, median: row.node === own ? ownNs : newestNs } : row,
      );
      return judge({ ...run, rows }).find(({ promise }) => promise.startsWith('repeated results: encodeInto'))
        ?.outcome;
    };
    expect(outcome(400, 600)).toBe('met');
    expect(outcome(400, 601)).toBe('missed');
    expect(outcome(401, 600)).toBe('missed');
  });

  it('counts the worst process: one scavenge in one of three breaks the promise', () => {
    const run = exampleRun();
    const rows = run.rows.map((row) =>
      row.side === 'wasm, reserve and commit' && row.node === own
        ? { ...row, detail: { ...row.detail, worstScavenges: 1 } }
        : row,
    );
    expect(judge({ ...run, rows }).find(({ promise }) => promise.startsWith('0 scavenges'))?.outcome).toBe(
      'missed',
    );
  });

  it('leaves promises about every Node unproven when one is missing, and no others', () => {
    const outcomes = new Map(judge(withoutNewest()).map(({ promise, outcome }) => [promise, outcome]));
    expect(outcomes.get("wasm index ('envelope') ≥ 8 × JSON.parse(latin1Slice) per 100-byte message")).toBe(
      'unproven',
    );
    expect(
      outcomes.get("wasm, newlines only ('none') ≥ 5 GB/s, on 100-byte calls and on 1 MB frames alike"),
    ).toBe('missed');
    expect(outcomes.get('wasm module ≤ 16 KiB')).toBe('met');
  });

  it('says nothing about what was not measured', () => {
    expect(judge({ ...exampleRun(), rows: [], noise: [] })).toEqual([]);
  });
});

/** The example without its second Node. */
function withoutNewest(): RunResult {
  const run = exampleRun();
  return {
    ...run,
    rows: run.rows.filter((row) => row.node !== newest),
    runtimes: run.runtimes.slice(0, 1),
    missing: [{ name: 'Node 26', reason: 'package node-26 is not installed' }],
  };
}

describe('the net cost of a message', () => {
  it('takes start-up off by the short run of the same server', () => {
    const costs = netCosts(exampleRun().rows);
    expect(
      costs.map(({ side, microsecondsPerMessage, timesBareLoop }) => [
        side,
        microsecondsPerMessage,
        timesBareLoop,
      ]),
    ).toEqual([
      ['bare loop', 1, 1],
      ['linewire-server', 0.5, 0.5],
      ['SDK v1', 20, 20],
    ]);
  });
});

describe('rendering', () => {
  const run = exampleRun();
  const report = (result: RunResult): string => reportPage('full-x.json', result);
  const block = (result: RunResult): string => readmeBlock('full-x.json', result);
  const renderings = [report, block, renderText];

  it('gives the same text for the same result', () => {
    for (const render of renderings)
      expect(render(run)).toBe(render(JSON.parse(JSON.stringify(run)) as RunResult));
  });

  it('shows losses as plainly as wins', () => {
    for (const render of [report, block]) {
      expect(render(run)).toContain(
        "| 1,000 lines ≤ 1.15 × the bare loop's wall time | 1.25 × | – | NOT met | – |",
      );
    }
    expect(renderText(run)).toMatch(
      /1,000 lines ≤ 1\.15 × the bare loop's wall time\s+1\.25 ×\s+–\s+NOT met/,
    );
  });

  it('says which servers lose answers when their input ends', () => {
    const rows = run.rows.map((row) =>
      row.side === 'SDK v1' && row.case === '100,000 plain lines'
        ? { ...row, detail: { ...row.detail, lostAtEof: 1234 }, checkedAnswers: 100_001 }
        : row,
    );
    for (const render of renderings) {
      expect(render({ ...run, rows })).toContain(
        '† SDK v1 loses 1,234 of 100,001 answers when its input ends',
      );
      expect(render({ ...run, rows }).match(/SDK v1 †/g)).toHaveLength(1);
      expect(render(run)).not.toContain('†');
    }
  });

  it('names commit, machine, runtimes and date', () => {
    for (const render of renderings) {
      for (const piece of ['abc123', 'Some CPU', '2 cores', 'Node 20.20.2 and 26.12.1', '2026-01-02'])
        expect(render(run)).toContain(piece);
    }
  });

  it('marks a goal as one, reached or not', () => {
    expect(report(run)).toMatch(/≤ 50 ns per 100-byte message \|.*\| a goal, not reached \|/);
    const rows = run.rows.map((row) =>
      row.case === 'calls' && row.side === 'index' ? { ...row, median: 40 } : row,
    );
    expect(report({ ...run, rows })).toMatch(/≤ 50 ns per 100-byte message \|.*\| a goal, reached \|/);
  });

  it('says first and loudly that a Node was not there', () => {
    const note = 'NOT RUN: Node 26, package node-26 is not installed.';
    for (const render of renderings) {
      const text = render(withoutNewest());
      expect(text).toContain(note);
      expect(text.indexOf(note)).toBeLessThan(text.indexOf('Promises'));
      expect(text).toMatch(/latin1Slice\) per 100-byte message.*not run.*NOT RUN everywhere/);
      expect(render(run)).not.toContain('NOT RUN');
    }
  });

  it('gives messages a table per Node in the report, and one for all in the README', () => {
    expect(report(run).match(/Framing and parsing on Node [\d.]+/g)).toEqual([
      'Framing and parsing on Node 20.20.2',
      'Framing and parsing on Node 26.12.1',
    ]);
    expect(report(run)).toContain('| calls | 100 | 20.0 | 48.0 | 80.0 | 96.0 | 160 | 480 | ±2.0 % |');
    expect(block(run)).toContain('| calls | 100 | 20.20.2 | 0.17 | 0.83 | 1.67 | 1.00 | 4.00 |');
    expect(block(run)).toContain('| calls | 100 | 26.12.1 | 0.21 | 1.04 | 2.08 | 1.25 | 5.00 |');
  });

  it('shows every side of the codec, a table per Node', () => {
    expect(report(run).match(/Values on Node [\d.]+/g)).toEqual([
      'Values on Node 20.20.2',
      'Values on Node 26.12.1',
    ]);
    expect(report(run)).toContain(
      '| repeated-calls | 246 | 1,200 | 300 | 240 | 900 | 225 | 150 | – | – | ±4.0 % |',
    );
    expect(report(run)).toContain(
      '| timeline | 460,000 | – | – | – | 950,000 | 1,000,000 | – | – | – | ±6.0 % |',
    );
  });

  it('takes start-up off lines that only pass, and shows them beside cat', () => {
    expect(block(run)).toContain('| cat | – | 50.0 | 50.0 | 1.00 | 2.14 |');
    expect(block(run)).toContain('| node -e 0 | 20.20.2 | 50.0 | – | – | – |');
    expect(block(run)).toContain('| table, wasm | 20.20.2 | 150 | 100 | 2.00 | 1.07 |');
  });

  it('gives each server one line in the README', () => {
    expect(block(run)).toContain('| linewire-server | 100 | 600 | 0.50 | 0.50 | 50.0 |');
    expect(block(run)).toContain('| SDK v1 | 340 | – | 20.00 | 20.00 | 50.0 |');
  });

  it('shows collections and what the million allocated', () => {
    expect(report(run)).toContain('| scalar, push | 20.20.2 | 2 | 0 | 0.500 |');
    expect(report(run)).toContain('| wasm | 26.12.1 | 2.50 | 2.50 | 1 |');
  });

  it('keeps the README short: at most 50 lines of tables', () => {
    const rows = block(run)
      .split('\n')
      .filter((line) => line.startsWith('|'));
    expect(rows.length).toBeLessThanOrEqual(50);
  });

  it('marks an unfit run and changed sources', () => {
    const unfit = { ...run, fit: false, machine: { ...run.machine, dirty: true } };
    expect(block(unfit)).toContain('UNFIT');
    expect(block(unfit)).toContain('abc123 with changes');
  });

  it('leaves out tables without rows', () => {
    for (const render of renderings) expect(render({ ...run, rows: [], noise: [] })).not.toMatch(/\|| {2}/);
  });

  it('gives every row of a Markdown table as many cells as its header', () => {
    const tables = [report(run), block(run), report(withoutNewest())]
      .flatMap((text) => text.split('\n\n'))
      .filter((text) => text.startsWith('|'));
    for (const table of tables) {
      const widths = table.split('\n').map((line) => line.replaceAll('\\|', '').split('|').length);
      expect(new Set(widths).size).toBe(1);
    }
  });
});

describe('a server whose answers nobody reads', () => {
  const stalled = (externalBytes: number, leastUnreadBytes?: number): string | undefined => {
    const names = { group: transportGroup, case: slowReaderCase, side: 'async handler', node: own } as const;
    const row = summarize({ ...names, unit: 'bytes', samples: [1, externalBytes], fit: true });
    const detail = {
      allowedBytes: 100,
      calls: 60_000,
      ...(leastUnreadBytes !== undefined && { leastUnreadBytes }),
    };
    return judge({ ...exampleRun(), noise: [], rows: [{ ...row, detail }] })[0]?.outcome;
  };

  it('is judged by its worst run, and by whether it stopped reading', () => {
    expect([stalled(100, 1), stalled(101, 1), stalled(100, 0)]).toEqual(['met', 'missed', 'missed']);
  });

  it('is not judged by a run that did not look', () => {
    expect(stalled(100)).toBeUndefined();
  });
});
