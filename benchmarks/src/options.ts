import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** Fewer turns, smaller inputs: under two minutes, for a look, not for the README. */
  readonly quick: boolean;
  /** Measure on a busy machine too; rows are marked as unfit. */
  readonly force: boolean;
  /** Run the cases whose `group/case` contains this. */
  readonly only: string | undefined;
}

export function parseBenchOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { quick: { type: 'boolean' }, force: { type: 'boolean' }, only: { type: 'string' } },
    strict: true,
  });
  return { quick: values.quick ?? false, force: values.force ?? false, only: values.only };
}

/** How long and how wide a soak is. */
export interface SoakOptions {
  /** Children to kill. */
  readonly kills: number;
  /** How many live at a time. */
  readonly lanes: number;
  /** Chooses when each is killed. */
  readonly seed: number;
}

/** @throws Error for an option that is unknown or no positive integer */
export function parseSoakOptions(args: readonly string[]): SoakOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { kills: { type: 'string' }, lanes: { type: 'string' }, seed: { type: 'string' } },
    strict: true,
  });
  const { kills = '10000', lanes = '8', seed = '1' } = values;
  const count = (name: string, text: string): number => {
    if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
    throw new Error(`--${name} must be a positive integer, not ${text}`);
  };
  return { kills: count('kills', kills), lanes: count('lanes', lanes), seed: count('seed', seed) };
}
