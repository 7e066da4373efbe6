import { runInFreshProcess } from './fresh-process.ts';
import { type Row, summarize } from './results.ts';
import { ownRuntime, type Runtime } from './runtimes.ts';
import { takeTurns } from './turns.ts';

/** Case names; thresholds and tables look for them. */
export const loadCases = { firstUse: 'first use', moduleSize: 'module size' } as const;

const engines = ['wasm', 'scalar'] as const;
/** Processes per engine and Node: a median of fewer would tell of the disk cache. */
const processCount = 11;

/** Time from before the first reader of a process until its first message is there; the package is loaded by then. */
export async function runFirstUseCase(runtimes: readonly Runtime[], fit: boolean): Promise<Row[]> {
  const entries = runtimes.flatMap((runtime) => engines.map((engine) => ({ runtime, engine })));
  const outcomes = await takeTurns(entries, processCount, ({ runtime, engine }) =>
    runInFreshProcess(runtime, { kind: 'first-use', engine }),
  );
  return entries.map((entry) =>
    summarize({
      group: 'load',
      case: loadCases.firstUse,
      side: entry.engine,
      node: entry.runtime.version,
      unit: 'ms',
      samples: (outcomes.get(entry) ?? []).map(({ ms }) => ms),
      fit,
    }),
  );
}

/** The size of the WebAssembly module that the built package hands to the compiler. */
export async function runModuleSizeCase(fit: boolean): Promise<Row[]> {
  const { moduleBytes } = await runInFreshProcess(ownRuntime, { kind: 'module' });
  return [
    summarize({
      group: 'load',
      case: loadCases.moduleSize,
      side: 'wasm',
      node: ownRuntime.version,
      unit: 'bytes',
      samples: [moduleBytes],
      fit,
    }),
  ];
}
