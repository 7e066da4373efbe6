import { type CodecSide, codecSides } from '../src/codec-sides.ts';
import { corpusSides } from '../src/corpus-sides.ts';
import { garbageCase } from '../src/garbage-case.ts';
import { loadCases } from '../src/load-case.ts';
import { passThroughCase } from '../src/pass-through-case.ts';
import { caseNames } from '../src/process-cases.ts';
import { type Row, type RunResult, resultSchema, summarize } from '../src/results.ts';

type Values = Readonly<Record<string, number>>;

export const own = '20.20.2';
export const newest = '26.12.1';
const nodes = [own, newest];

/** As result files hold them. */
const sixDigits = (value: number): number => Number(value.toPrecision(6));

function processRows(name: string, wallMs: Values, messageCount: number): Row[] {
  return Object.entries(wallMs).map(([side, ms]) => ({
    ...summarize({
      group: 'process',
      case: name,
      side,
      ...(side !== 'cat' && { node: own }),
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

/** The newer Node takes four fifths of the time. */
function microRows(corpus: string, meanBytes: number, nsPerMessage: Values): Row[] {
  return nodes.flatMap((node) =>
    Object.entries(nsPerMessage).map(([side, given]) => {
      const ns = node === own ? given : given * 0.8;
      return {
        ...summarize({
          group: 'micro',
          case: corpus,
          side,
          node,
          unit: 'ns/message',
          samples: [ns],
          fit: true,
        }),
        mbPerSecond: sixDigits((meanBytes / ns) * 1000),
        detail: { meanBytes },
      };
    }),
  );
}

/** Both Nodes alike. */
function codecRows(
  corpus: string,
  meanBytes: number,
  nsPerMessage: Partial<Record<CodecSide, number>>,
): Row[] {
  return nodes.flatMap((node) =>
    Object.entries(nsPerMessage).map(([side, ns]) => ({
      ...summarize({
        group: 'codec',
        case: corpus,
        side: codecSides[side as CodecSide],
        node,
        unit: 'ns/message',
        samples: [ns],
        fit: true,
      }),
      detail: { meanBytes },
    })),
  );
}

function linearRows(name: string, nsPerByte: Values): Row[] {
  return Object.entries(nsPerByte).map(([side, ns]) =>
    summarize({ group: 'linear', case: name, side, node: own, unit: 'ns/byte', samples: [ns], fit: true }),
  );
}

function throughRows(wallMs: Values): Row[] {
  return Object.entries(wallMs).map(([side, ms]) => {
    const row = summarize({
      group: 'through',
      case: passThroughCase,
      side,
      ...(side !== 'cat' && { node: own }),
      unit: 'ms',
      samples: [ms],
      fit: true,
    });
    const netMs = side === 'cat' ? ms : ms - 50;
    return side === 'node -e 0'
      ? row
      : { ...row, mbPerSecond: sixDigits(107_000 / netMs), detail: { netMs } };
  });
}

function garbageRows(scavenges: Values): Row[] {
  return nodes.flatMap((node) =>
    Object.entries(scavenges).map(([side, count]) => ({
      ...summarize({
        group: 'garbage',
        case: garbageCase,
        side,
        node,
        unit: 'scavenges',
        samples: [0, count, 0],
        fit: true,
      }),
      detail: {
        frames: 1_001_946,
        worstScavenges: count,
        otherCollections: 0,
        allocatedBytes: 500_973,
      },
    })),
  );
}

function loadRows(firstUseMs: Values, moduleBytes: number): Row[] {
  const firstUse = nodes.flatMap((node) =>
    Object.entries(firstUseMs).map(([side, ms]) =>
      summarize({
        group: 'load',
        case: loadCases.firstUse,
        side,
        node,
        unit: 'ms',
        samples: [ms],
        fit: true,
      }),
    ),
  );
  return [
    ...firstUse,
    summarize({
      group: 'load',
      case: loadCases.moduleSize,
      side: 'wasm',
      node: own,
      unit: 'bytes',
      samples: [moduleBytes],
      fit: true,
    }),
  ];
}

/** A run with round, invented numbers: some promises are broken and a goal is missed. */
export function exampleRun(): RunResult {
  return {
    schema: resultSchema,
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
    runtimes: [
      { name: 'Node 20', version: own },
      { name: 'Node 26', version: newest },
    ],
    missing: [],
    rows: [
      ...microRows('calls', 100, {
        [corpusSides.frames]: 25,
        [corpusSides.envelope]: 60,
        [corpusSides.full]: 100,
        [corpusSides.scalarEnvelope]: 120,
        [corpusSides.scalarFull]: 200,
        [corpusSides.parse]: 600,
      }),
      ...microRows('calls-thai', 110, { [corpusSides.envelope]: 75, [corpusSides.parse]: 900 }),
      ...microRows('1mb', 1e6, {
        [corpusSides.frames]: 160_000,
        [corpusSides.envelope]: 500_000,
        [corpusSides.full]: 1_000_000,
      }),
      ...microRows('1mb-dense', 1e6, { [corpusSides.envelope]: 1_000_000, [corpusSides.full]: 4_000_000 }),
      ...codecRows('calls', 107, { parseLines: 900, decodeLines: 225, parse: 600, payload: 150 }),
      ...codecRows('calls-modern', 285, { parseLines: 1600, decodeLines: 500 }),
      ...codecRows('answers', 90, { parseLines: 900, decodeLines: 360, stringify: 600, encode: 200 }),
      ...codecRows('repeated-calls', 246, {
        parseLines: 1200,
        decodeLines: 300,
        nameLines: 240,
        parse: 900,
        payload: 225,
        name: 150,
      }),
      ...codecRows('repeated-results', 194, {
        parseLines: 1000,
        decodeLines: 400,
        stringify: 600,
        encode: 500,
      }),
      ...codecRows('repeated-results-thai', 200, { parseLines: 1000, decodeLines: 500 }),
      ...codecRows('1mb', 1e6, { parse: 600_000, payload: 500_000, stringify: 900_000, encode: 600_000 }),
      ...codecRows('timeline', 460_000, { parse: 950_000, payload: 1e6 }),
      ...codecRows('hostile-shapes', 190, { parse: 1500, payload: 1500 }),
      ...codecRows('hostile-late', 230, { parse: 1500, payload: 2000 }),
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
      ...throughRows({ cat: 50, 'node -e 0': 50, bare: 110, 'table, wasm': 150, 'table, scalar': 250 }),
      ...garbageRows({
        'wasm, push': 0,
        'wasm, reserve and commit': 0,
        'scalar, push': 2,
        'scalar, reserve and commit': 0,
      }),
      ...loadRows({ wasm: 2.5, scalar: 1.25 }, 12_345),
      ...linearRows('1 KiB chunks', { '1 MiB frame': 1, '64 MiB frame': 1.2 }),
      {
        ...summarize({
          group: 'memory',
          case: '1 GiB without newline',
          side: 'frame reader',
          node: own,
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
      { group: 'micro', case: 'calls', side: corpusSides.parse, node: own, band: 0.012 },
      { group: 'micro', case: 'calls', side: corpusSides.parse, node: newest, band: 0.02 },
      { group: 'codec', case: 'repeated-calls', side: codecSides.parseLines, node: own, band: 0.04 },
      { group: 'codec', case: 'timeline', side: codecSides.parse, node: own, band: 0.05 },
      { group: 'codec', case: 'timeline', side: codecSides.parse, node: newest, band: 0.06 },
      { group: 'codec', case: 'hostile-late', side: codecSides.parse, node: own, band: 0.1 },
      { group: 'process', case: caseNames.million, side: 'bare loop', node: own, band: 0.03 },
    ],
  };
}
