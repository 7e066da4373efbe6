import { describe, expect, it } from 'vitest';
import { netCosts } from '../src/net-cost.ts';
import { caseNames } from '../src/process-cases.ts';
import { replaceBlock } from '../src/readme-block.ts';
import { renderMarkdown, renderText } from '../src/render.ts';
import type { RunResult } from '../src/results.ts';
import { judge } from '../src/thresholds.ts';
import { exampleRun } from './example-run.ts';

describe('judging a run', () => {
  it('finds each promise met or not met by its medians', () => {
    const verdicts = judge(exampleRun()).map(({ promise, measured, met }) => [promise, measured, met]);
    expect(verdicts).toEqual([
      [
        "scalar index ('envelope') ≥ 4 × JSON.parse(latin1Slice) per 100-byte message",
        "5.00 ×; 'full': 3.00 ×",
        true,
      ],
      [`${caseNames.million} ≥ 1.1 × the bare loop's speed`, '2.00 ×', true],
      ["1,000 lines ≤ 1.2 × the bare loop's wall time", '1.25 ×', false],
      ['ns per byte from 1 to 64 MiB within 1.3 ×, 1 KiB chunks', '1.20 ×', true],
      ['1 GiB without newline: stored bytes ≤ limit + window', '67,000,000 of 67,371,008 bytes', true],
    ]);
  });

  it('says nothing about what was not measured', () => {
    expect(judge({ rows: [], noise: [] })).toEqual([]);
  });
});

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

  it('gives the same text for the same result', () => {
    expect(renderMarkdown(run)).toBe(renderMarkdown(JSON.parse(JSON.stringify(run)) as RunResult));
  });

  it('shows losses as plainly as wins', () => {
    expect(renderMarkdown(run)).toContain(
      "| 1,000 lines ≤ 1.2 × the bare loop's wall time | 1.25 × | NOT met | – |",
    );
    expect(renderText(run)).toMatch(/1,000 lines ≤ 1\.2 × the bare loop's wall time\s+1\.25 ×\s+NOT met/);
  });

  it('says which servers lose answers when their input ends', () => {
    const rows = run.rows.map((row) =>
      row.side === 'SDK v1' && row.case === '100,000 plain lines'
        ? { ...row, detail: { ...row.detail, lostAtEof: 1234 }, checkedAnswers: 100_001 }
        : row,
    );
    for (const text of [renderMarkdown({ ...run, rows }), renderText({ ...run, rows })]) {
      expect(text).toContain('† SDK v1 loses 1,234 of 100,001 answers when its input ends');
      expect(text.match(/SDK v1 †/g)).toHaveLength(1);
    }
    expect(renderMarkdown(run)).not.toContain('†');
  });

  it('names commit, machine, runtime and date', () => {
    for (const piece of ['abc123', 'Some CPU', '2 cores', 'Node 20.20.2', '2026-01-02'])
      expect(renderMarkdown(run)).toContain(piece);
  });

  it('marks an unfit run and changed sources', () => {
    const unfit = { ...run, fit: false, machine: { ...run.machine, dirty: true } };
    expect(renderMarkdown(unfit)).toContain('UNFIT');
    expect(renderMarkdown(unfit)).toContain('abc123 with changes');
  });

  it('leaves out tables without rows', () => {
    const empty = renderMarkdown({ ...run, rows: [], noise: [] });
    expect(empty).not.toContain('|');
  });

  it('gives every row of a Markdown table as many cells as its header', () => {
    for (const block of renderMarkdown(run)
      .split('\n\n')
      .filter((text) => text.startsWith('|'))) {
      const widths = block.split('\n').map((line) => line.split('|').length);
      expect(new Set(widths).size).toBe(1);
    }
  });
});

describe('the README block', () => {
  const readme = 'before\n<!-- numbers:start -->\nold\n<!-- numbers:end -->\nafter\n';

  it('replaces what is between the marks and nothing else', () => {
    expect(replaceBlock(readme, 'new')).toBe(
      'before\n<!-- numbers:start -->\nnew\n<!-- numbers:end -->\nafter\n',
    );
  });

  it('changes nothing the second time', () => {
    const once = replaceBlock(readme, 'new') as string;
    expect(replaceBlock(once, 'new')).toBe(once);
  });

  it('is refused when a mark is missing', () => {
    expect(replaceBlock('no marks', 'new')).toBeUndefined();
    expect(replaceBlock('<!-- numbers:end --><!-- numbers:start -->', 'new')).toBeUndefined();
  });
});
