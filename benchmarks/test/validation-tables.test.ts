import { describe, expect, it } from 'vitest';
import { readmeBlock, reportPage } from '../src/readme-block.ts';
import { type Row, type RunResult, summarize } from '../src/results.ts';
import { validationGroup } from '../src/validation-case.ts';
import { validationName, validationSides } from '../src/validation-sides.ts';
import { exampleRun, own } from './example-run.ts';

type Times = Readonly<Record<string, number>>;

function rowsOf(frameBytes: number, times: Times): Row[] {
  const name = validationName({ content: 'text', frameBytes });
  return Object.entries(times).map(([side, ns]) => ({
    ...summarize({
      group: validationGroup,
      case: name,
      side,
      node: own,
      unit: 'ns/message',
      samples: [ns],
      fit: true,
    }),
    detail: { content: 'text', frameBytes, meanBytes: frameBytes - 2 },
  }));
}

/** Two sizes; `JSON.parse` takes 1,000 ns. */
function run(small: Times, large: Times): RunResult {
  const { parse } = validationSides;
  const rows = [
    ...rowsOf(1000, { [parse]: 1000, ...small }),
    ...rowsOf(1_000_000, { [parse]: 1000, ...large }),
  ];
  const noise = [1000, 1_000_000].map((frameBytes) => ({
    group: validationGroup,
    case: validationName({ content: 'text', frameBytes }),
    side: parse,
    node: own,
    band: 0.05,
  }));
  return { ...exampleRun(), rows, noise };
}

describe('the crossover with simdjson', () => {
  const { simdjson, full } = validationSides;
  const renderings = [
    (result: RunResult): string => reportPage('full-x.json', result),
    (result: RunResult): string => readmeBlock('full-x.json', result),
  ];

  it('is denied where simdjson is nowhere faster by more than the noise', () => {
    const even = run({ [simdjson]: 300, [full]: 100 }, { [simdjson]: 96, [full]: 100 });
    for (const render of renderings)
      expect(render(even)).toContain('There is no crossover with the scan: simdjson is nowhere faster.');
  });

  it('is named where there is one', () => {
    const lost = run({ [simdjson]: 300, [full]: 100 }, { [simdjson]: 94, [full]: 100 });
    for (const render of renderings) {
      expect(render(lost)).toContain('simdjson is faster than the scan on: text, 1 MB.');
      expect(render(lost)).not.toContain('no crossover');
    }
  });

  it('is told beside JSON.parse as well', () => {
    const half = run({ [simdjson]: 960, [full]: 100 }, { [simdjson]: 900, [full]: 100 });
    const none = run({ [simdjson]: 960, [full]: 100 }, { [simdjson]: 960, [full]: 100 });
    for (const render of renderings) {
      expect(render(half)).toContain('It is faster than JSON.parse on: text, 1 MB.');
      expect(render(none)).toContain('It is nowhere faster than JSON.parse.');
    }
  });

  it('is shown by content and size in the README, by side in the report', () => {
    const shown = run({ [simdjson]: 300, [full]: 100 }, { [simdjson]: 250, [full]: 200 });
    const [report, block] = renderings.map((render) => render(shown));
    expect(block).toContain('| content | 1 KB | 1 MB |');
    expect(block).toContain('| text | 3.00 × | 1.25 × |');
    expect(report).toContain('| text, 1 KB | 998 | 1,000 | 300 | 100 | 3.00 × | ±5.0 % |');
  });

  it('is unknown where the addon was not built', () => {
    const without = run({ [full]: 100 }, { [full]: 200 });
    const [report, block] = renderings.map((render) => render(without));
    expect(report).toContain('simdjson was NOT measured');
    expect(report).toContain('| text, 1 KB | 998 | 1,000 | – | 100 | – | ±5.0 % |');
    expect(block).not.toContain('simdjson');
  });
});
