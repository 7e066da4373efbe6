import { childCloseCase, runChildCloseCase } from './child-close-case.ts';
import { childReadCase, runChildReadCase } from './child-read-case.ts';
import { codecGroup, runCodecCase } from './codec-case.ts';
import { codecCases } from './codec-cases.ts';
import { garbageCase, runGarbageCase } from './garbage-case.ts';
import { linearCases, runLinearCase } from './linear-case.ts';
import { loadCases, runFirstUseCase, runModuleSizeCase } from './load-case.ts';
import { describeMachine } from './machine.ts';
import { runCallsCase } from './mcp/calls-case.ts';
import { mcpCases, mcpGroup } from './mcp/names.ts';
import { memoryCase, runMemoryCase } from './memory-case.ts';
import { microCorpora, runCorpusCase } from './micro-cases.ts';
import type { BenchOptions } from './options.ts';
import { passThroughCase, passThroughFile, runPassThroughCase } from './pass-through-case.ts';
import { runProcessCase } from './process-case.ts';
import { processCases } from './process-cases.ts';
import { waitForQuiet } from './quiet.ts';
import { relayCase, runRelayCase } from './relay-case.ts';
import { type Noise, type Row, type RunResult, resultSchema } from './results.ts';
import { roundTripCases, runRoundTripCase } from './round-trip-case.ts';
import { findRuntimes, type Runtime } from './runtimes.ts';
import { runSlowReaderCase, slowReaderCase } from './slow-reader-case.ts';
import { transportGroup } from './transport-group.ts';
import { runValidationCase, validationCases, validationGroup } from './validation-case.ts';
import { validationName } from './validation-sides.ts';

interface PlannedCase {
  readonly group: string;
  readonly name: string;
  run(fit: boolean): Promise<{ rows: Row[]; noise?: Noise[] }>;
}

/** Every case of a run, in order: whole processes first, while the machine is cool. */
export function plannedCases({ quick, only }: BenchOptions, runtimes: readonly Runtime[]): PlannedCase[] {
  const all: PlannedCase[] = [
    ...processCases(quick).map(({ name, prepare }) => ({
      group: 'process',
      name,
      run: (fit: boolean) => runProcessCase(prepare(), fit),
    })),
    { group: mcpGroup, name: mcpCases.calls, run: (fit) => runCallsCase(runtimes, quick, fit) },
    {
      group: 'through',
      name: passThroughCase,
      run: (fit) => runPassThroughCase(passThroughFile(1_000_000), runtimes, quick, fit),
    },
    { group: transportGroup, name: childReadCase, run: (fit) => runChildReadCase(quick, fit) },
    { group: transportGroup, name: childCloseCase, run: (fit) => runChildCloseCase(quick, fit) },
    ...(['pinned', 'free'] as const).map((place) => ({
      group: transportGroup,
      name: roundTripCases[place] as string,
      run: (fit: boolean) => runRoundTripCase(place, runtimes, quick, fit),
    })),
    { group: transportGroup, name: relayCase, run: (fit) => runRelayCase(quick, fit) },
    ...microCorpora(quick).map((corpus) => ({
      group: 'micro',
      name: corpus as string,
      run: (fit: boolean) => runCorpusCase(corpus, runtimes, quick, fit),
    })),
    ...codecCases
      .filter(({ isQuick }) => isQuick || !quick)
      .map((planned) => ({
        group: codecGroup,
        name: planned.corpus as string,
        run: (fit: boolean) => runCodecCase(planned, runtimes, quick, fit),
      })),
    ...validationCases(quick).map((planned) => ({
      group: validationGroup,
      name: validationName(planned),
      run: (fit: boolean) => runValidationCase(planned, quick, fit),
    })),
    {
      group: 'garbage',
      name: garbageCase,
      run: async (fit) => ({ rows: await runGarbageCase(runtimes, quick, fit) }),
    },
    {
      group: 'load',
      name: loadCases.firstUse,
      run: async (fit) => ({ rows: await runFirstUseCase(runtimes, fit) }),
    },
    {
      group: 'load',
      name: loadCases.moduleSize,
      run: async (fit) => ({ rows: await runModuleSizeCase(fit) }),
    },
    ...linearCases.map(({ name, chunkBytes }) => ({
      group: 'linear',
      name,
      run: async (fit: boolean) => ({ rows: await runLinearCase(name, chunkBytes, quick, fit) }),
    })),
    { group: 'memory', name: memoryCase, run: async (fit) => ({ rows: await runMemoryCase(fit) }) },
    {
      group: transportGroup,
      name: slowReaderCase,
      run: async (fit) => ({ rows: await runSlowReaderCase(fit) }),
    },
  ];
  return only === undefined ? all : all.filter(({ group, name }) => `${group}/${name}`.includes(only));
}

/** Runs the chosen cases one after the other and says so on stderr. */
export async function runBenchmarks(options: BenchOptions): Promise<RunResult> {
  const { runtimes, missing } = findRuntimes();
  const cases = plannedCases(options, runtimes);
  if (cases.length === 0) throw new Error(`no case is called ${options.only}`);
  for (const { name, reason } of missing) {
    process.stderr.write(`${name} IS MISSING (${reason}): its cases are not run, its promises not judged\n`);
  }
  const startedAt = new Date().toISOString();
  const machine = describeMachine();
  const rows: Row[] = [];
  const noise: Noise[] = [];
  for (const { group, name, run } of cases) {
    const fit = await waitForQuiet(options.force);
    const from = performance.now();
    process.stderr.write(`${group}/${name} … `);
    const outcome = await run(fit);
    rows.push(...outcome.rows);
    noise.push(...(outcome.noise ?? []));
    process.stderr.write(
      `${((performance.now() - from) / 1000).toFixed(1)} s${fit ? '' : ' (unfit: the machine is busy)'}\n`,
    );
  }
  return {
    schema: resultSchema,
    startedAt,
    kind: options.quick ? 'quick' : 'full',
    ...(options.only !== undefined && { only: options.only }),
    fit: rows.every((row) => row.fit),
    machine,
    runtimes: runtimes.map(({ name, version }) => ({ name, version })),
    missing,
    rows,
    noise,
  };
}
