import { Random } from '@linewire/testkit';
import { escapedPreview } from '../../src/text/preview.ts';
import { TrialMaker } from './inputs.ts';
import { shrunk } from './shrink.ts';
import { Judge, ourEngines, type Pair, type Trial } from './trial.ts';

export interface FuzzOptions {
  /** The same seed makes the same trials. */
  readonly seed: number;
  /** Stops after so many trials … */
  readonly runs?: number;
  /** … or after so long. */
  readonly seconds?: number;
  readonly engines?: Pair;
}

export interface FuzzReport {
  readonly runs: number;
  readonly seconds: number;
  /** Different lists of outcomes that were seen: how far the inputs got around. */
  readonly outcomes: number;
  /** The first trial on which the engines differ, made small. */
  readonly failure: FuzzFailure | undefined;
}

interface FuzzFailure {
  readonly trial: Trial;
  /** As text for people: seed and run, options, cuts, the escaped bytes, what differs. */
  readonly message: string;
}

/** Feeds both engines random streams until they differ, or runs or time are over. */
export function fuzz({
  seed,
  runs = Infinity,
  seconds = Infinity,
  engines = ourEngines,
}: FuzzOptions): FuzzReport {
  const started = performance.now();
  const elapsed = (): number => (performance.now() - started) / 1000;
  const judge = new Judge(engines);
  const maker = new TrialMaker(new Random(seed));
  const seen = new Set<string>();
  let run = 0;
  let failure: FuzzFailure | undefined;
  while (run < runs && failure === undefined && elapsed() < seconds) {
    const trial = maker.next();
    const { frames, difference } = judge.judge(trial);
    if (difference !== undefined) failure = smallFailure(judge, trial, `seed ${seed}, run ${run}`);
    const outcome = signature(frames);
    if (!seen.has(outcome)) {
      seen.add(outcome);
      maker.keep(trial.bytes);
    }
    run++;
  }
  return { runs: run, seconds: elapsed(), outcomes: seen.size, failure };
}

/** What the frames were, wherever they stood: the second word of each is its META. */
function signature(frames: readonly string[]): string {
  return frames.map((frame) => frame.split(/[ ,]/, 2)[1]).join();
}

function smallFailure(judge: Judge, found: Trial, where: string): FuzzFailure {
  const trial = shrunk(found, (candidate) => judge.judge(candidate).difference !== undefined);
  const { bytes, cuts, options, company, litter } = trial;
  const message = [
    `the outcomes differ (${where}, shrunk from ${found.bytes.length} to ${bytes.length} bytes)`,
    `options  ${JSON.stringify(options)}`,
    `cuts     ${JSON.stringify(cuts)}`,
    `company  ${company}, litter 0x${litter.toString(16)}`,
    `bytes    ${escapedPreview(bytes, 0, bytes.length)}`,
    judge.judge(trial).difference ?? '',
  ].join('\n');
  return { trial, message };
}
