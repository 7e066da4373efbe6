import { STANDARD_AREA } from '../../src/engine/areas.ts';
import type { ScanArea, ScanEngine, ScanOptions } from '../../src/engine/engine.ts';
import { scalarEngine } from '../../src/scalar/engine.ts';
import { wasmEngine } from '../../src/wasm/engine.ts';
import { account, difference, EngineAccount } from '../support/engine-account.ts';
import { valueDifference } from './values.ts';

/**
 * How the wasm scanner with its bets and the one without share memory: each at a time, turn by turn in one area, or turn by turn in two
 * areas that they swap after each turn.
 */
type Company = 'alone' | 'turns' | 'swaps';

type Areas = readonly [ScanArea, ScanArea];

/** One input and everything that decides how it is read. */
export interface Trial {
  readonly bytes: Uint8Array;
  /** Where turns end, ascending. */
  readonly cuts: readonly number[];
  readonly options: ScanOptions;
  readonly company: Company;
  /** The byte that stands around what has landed. */
  readonly litter: number;
}

/** The engines that are compared. A test puts a broken one in. */
export interface Pair {
  readonly scalar: ScanEngine;
  readonly wasm: ScanEngine;
}

export const ourEngines: Pair = { scalar: scalarEngine, wasm: wasmEngine };

/** A trial's outcome: what the frames were, and the first difference between two accounts that ought to be equal. */
export interface Outcome {
  readonly frames: readonly string[];
  readonly difference: string | undefined;
}

/**
 * Lets both engines read the input, each with its bets and without. To the byte, wasm must equal scalar. In terms of the stream, nothing
 * may depend on the bets or on the cuts. Then a reader decodes the frames, and must give what `JSON.parse` gives.
 */
export class Judge {
  readonly #engines: Pair;
  readonly #scalarArea: ScanArea;
  readonly #wasmAreas: Areas;

  constructor(engines: Pair = ourEngines) {
    this.#engines = engines;
    this.#scalarArea = engines.scalar.openArea(STANDARD_AREA);
    this.#wasmAreas = [engines.wasm.openArea(STANDARD_AREA), engines.wasm.openArea(STANDARD_AREA)];
  }

  judge(trial: Trial): Outcome {
    const { scalar, wasm } = this.#engines;
    const areas: Areas = [this.#scalarArea, this.#scalarArea];
    const expected = tell(trial, scalar, areas);
    const actual = tell(trial, wasm, this.#wasmAreas);
    const whole = account(scalar, trial.bytes, [], trial.options, this.#scalarArea);
    const { frames } = expected.betting;
    const found =
      named('wasm with bets, to the byte', expected.betting.said, actual.betting.said) ??
      named('wasm without bets, to the byte', expected.sure.said, actual.sure.said) ??
      named('scalar without bets', frames, expected.sure.frames) ??
      named('scalar uncut', frames, whole.frames) ??
      named('wasm with bets', frames, actual.betting.frames) ??
      valueDifference(trial);
    return { frames, difference: found };
  }
}

/** What one engine says of the input, with its bets and without. */
interface Accounts {
  readonly betting: EngineAccount;
  readonly sure: EngineAccount;
}

function tell(trial: Trial, engine: ScanEngine, [here, there]: Areas): Accounts {
  const { bytes, cuts, options, company, litter } = trial;
  const betting = new EngineAccount(engine, bytes, cuts, options);
  const sure = new EngineAccount(engine, bytes, cuts, { ...options, shortcuts: false });
  betting.litter = litter;
  sure.litter = litter;
  if (company === 'alone') {
    while (!betting.isDone) betting.step(here);
    while (!sure.isDone) sure.step(here);
    return { betting, sure };
  }
  for (let turn = 0; !betting.isDone; turn++) {
    const swapped = company === 'swaps' && turn % 2 === 1;
    betting.step(swapped ? there : here);
    sure.step(swapped || company === 'turns' ? here : there);
  }
  return { betting, sure };
}

function named(what: string, expected: readonly string[], actual: readonly string[]): string | undefined {
  const found = difference(expected, actual);
  return found === undefined ? undefined : `${what}: ${found}`;
}
