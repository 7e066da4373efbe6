import fc from 'fast-check';

const onServer = process.env['CI'] === 'true';

/** Seed of this run: set `LINEWIRE_SEED` to repeat one. It stands in the test's title and in every failure. */
export const seed: number = Number(process.env['LINEWIRE_SEED'] ?? Date.now() % 2 ** 31);

/** How long a property may look for a counter-example, ms. Some eighty of them share two cores: the longer one makes eight minutes. */
export const timeBoxMs: number = onServer ? 12_000 : 2_000;

/** A counter-example may be thousands of bytes; seed and path, which stand first, bring it back. */
const shownCharacters = 3000;

/** Runs a property until its time is over. Too few runs are a failure: the box must not hide that nothing was tried. */
export function holds<T>(property: fc.IProperty<T>, minRuns = 20): void {
  const details = fc.check(property, {
    seed,
    numRuns: 10_000_000,
    interruptAfterTimeLimit: timeBoxMs,
    markInterruptAsFailure: false,
    endOnFailure: false,
  });
  if (details.failed) {
    const report = fc.defaultReportMessage(details)?.slice(0, shownCharacters);
    throw new Error(report, { cause: details.errorInstance });
  }
  if (details.numRuns < minRuns)
    throw new Error(`only ${details.numRuns} of ${minRuns} runs in ${timeBoxMs} ms (seed ${seed})`);
}
