import { corpusSides } from '../src/corpus-sides.ts';
import { caseNames } from '../src/process-cases.ts';
import { type Row, type RunResult, summarize } from '../src/results.ts';

type Values = Readonly<Record<string, number>>;

function processRows(name: string, wallMs: Values, messageCount: number): Row[] {
  return Object.entries(wallMs).map(([side, ms]) => ({
    ...summarize({
      group: 'process',
      case: name,
      side,
      unit: 'ms',
      samples: [ms - 1, ms, ms + 1],
      fit: true,
    }),
    messagesPerSecond: Math.round((messageCount / ms) * 1000),
    maxRssBytes: 50 << 20,
    cpuMs: ms,
    checkedAnswers: messageCount - 1,
    detail: { messageCount, byteCount: messageCount * 105 },
  }));
}

function microRows(corpus: string, nsPerMessage: Values): Row[] {
  return Object.entries(nsPerMessage).map(([side, ns]) => ({
    ...summarize({ group: 'micro', case: corpus, side, unit: 'ns/message', samples: [ns], fit: true }),
    detail: { meanBytes: 106.7 },
  }));
}

function linearRows(name: string, nsPerByte: Values): Row[] {
  return Object.entries(nsPerByte).map(([side, ns]) =>
    summarize({ group: 'linear', case: name, side, unit: 'ns/byte', samples: [ns], fit: true }),
  );
}

/** A run with round, invented numbers: one promise is broken. */
export function exampleRun(): RunResult {
  return {
    schema: 1,
    startedAt: '2026-01-02T03:04:05.678Z',
    kind: 'full',
    fit: true,
    machine: {
      node: 'v20.20.2',
      system: 'linux 6',
      cpu: 'Some CPU',
      cores: 2,
      load: [0.1, 0.2, 0.3],
      commit: 'abc123',
      dirty: false,
    },
    rows: [
      ...microRows('calls', {
        [corpusSides.parse]: 600,
        [corpusSides.envelope]: 120,
        [corpusSides.full]: 200,
      }),
      ...processRows(
        caseNames.thousand,
        { cat: 5, 'node -e 0': 50, 'bare loop': 80, 'linewire-server': 100, 'SDK v1': 340 },
        1002,
      ),
      ...processRows(caseNames.startUp, { 'bare loop': 80, 'linewire-server': 100, 'SDK v1': 340 }, 1002),
      ...processRows(
        '100,000 plain lines',
        { 'bare loop': 179, 'linewire-server': 149.5, 'SDK v1': 2320 },
        100_002,
      ),
      ...processRows(caseNames.million, { cat: 60, 'bare loop': 1200, 'linewire-server': 600 }, 1_000_002),
      ...linearRows('1 KiB chunks', { '1 MiB frame': 1, '64 MiB frame': 1.2 }),
      {
        ...summarize({
          group: 'memory',
          case: '1 GiB without newline',
          side: 'frame reader',
          unit: 'bytes',
          samples: [67_000_000],
          fit: true,
        }),
        maxRssBytes: 150 << 20,
        detail: {
          allowedBytes: 67_371_008,
          windowBytes: 262_144,
          droppedBytes: 1e9,
          startRssBytes: 50 << 20,
          code: 'FRAME_TOO_LARGE',
        },
      },
    ],
    noise: [
      { group: 'micro', case: 'calls', side: corpusSides.parse, band: 0.012 },
      { group: 'process', case: caseNames.million, side: 'bare loop', band: 0.03 },
    ],
  };
}
