import { createRequire } from 'node:module';
import type { ValidationOutcome } from './child/validation-child.ts';
import { runInFreshProcess } from './fresh-process.ts';
import { type Noise, type Row, summarize } from './results.ts';
import { ownRuntime } from './runtimes.ts';
import { median, noiseBand } from './statistics.ts';
import { takeTurns } from './turns.ts';
import {
  type ValidationCase,
  type ValidationSide,
  validationName,
  validationSides,
} from './validation-sides.ts';

export const validationGroup = 'validation';

const sizes = [1000, 10_000, 100_000, 1_000_000, 10_000_000];

/** From a call to 10 MB; in a quick run one short and one long. */
export function validationCases(quick: boolean): ValidationCase[] {
  const results = (['text', 'base64', 'Thai', 'records'] as const).flatMap((content) =>
    sizes.map((frameBytes) => ({ content, frameBytes })),
  );
  const all: ValidationCase[] = [{ content: 'call', frameBytes: 100 }, ...results];
  return quick ? all.filter(isQuick) : all;
}

function isQuick({ content, frameBytes }: ValidationCase): boolean {
  return content === 'call' || (content === 'records' && frameBytes === 1_000_000);
}

/** On the Node that npm built the addon for. `JSON.parse` twice for the noise band. Without simdjson, the others alone. */
export async function runValidationCase(
  planned: ValidationCase,
  quick: boolean,
  fit: boolean,
): Promise<{ rows: Row[]; noise: Noise[] }> {
  const entries = sidesHere().map((side) => ({ side }));
  const twin: { side: ValidationSide } = { side: 'parse' };
  const outcomes = await takeTurns([...entries, twin], quick ? 2 : 3, ({ side }) =>
    runInFreshProcess(ownRuntime, { kind: 'validation', ...planned, side, timeMs: quick ? 60 : 100 }),
  );
  const measured = (entry: { side: ValidationSide } | undefined): ValidationOutcome[] =>
    (entry && outcomes.get(entry)) ?? [];
  const name = validationName(planned);
  const node = ownRuntime.version;
  const first = entries.find(({ side }) => side === twin.side);
  const noise: Noise = {
    group: validationGroup,
    case: name,
    side: validationSides[twin.side],
    node,
    band: noiseBand(perFrame(measured(first)), perFrame(measured(twin))),
  };
  return {
    rows: entries.map((entry) => toRow(planned, entry.side, measured(entry), node, fit)),
    noise: [noise],
  };
}

function sidesHere(): ValidationSide[] {
  const all = Object.keys(validationSides) as ValidationSide[];
  return all.filter((side) => side !== 'simdjson' || simdjsonIsBuilt());
}

/** An optional dependency: where it could not be built, npm leaves it out. */
export function simdjsonIsBuilt(): boolean {
  try {
    createRequire(import.meta.url).resolve('simdjson/build/Release/simdjson.node');
    return true;
  } catch {
    return false;
  }
}

function perFrame(outcomes: readonly ValidationOutcome[]): number[] {
  return outcomes.map(({ medianNs, frameCount }) => medianNs / frameCount);
}

function toRow(
  planned: ValidationCase,
  side: ValidationSide,
  outcomes: readonly ValidationOutcome[],
  node: string,
  fit: boolean,
): Row {
  const { frameCount = 1, byteCount = 0 } = outcomes[0] ?? {};
  const row = summarize({
    group: validationGroup,
    case: validationName(planned),
    side: validationSides[side],
    node,
    unit: 'ns/message',
    samples: perFrame(outcomes),
    p99: median(outcomes.map(({ p99Ns }) => p99Ns / frameCount)),
    fit,
  });
  return {
    ...row,
    mbPerSecond: (byteCount / frameCount / row.median) * 1000,
    detail: { content: planned.content, frameBytes: planned.frameBytes, meanBytes: byteCount / frameCount },
  };
}
