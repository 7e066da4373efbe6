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
