/** The middle value; the mean of the middle two for an even count. The list must not be empty. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Linear interpolation between the neighbours of the wanted rank; `part` from 0 to 1. */
export function quantile(values: readonly number[], part: number): number {
  if (values.length === 0) throw new Error('no values');
  const sorted = [...values].sort((a, b) => a - b);
  const rank = part * (sorted.length - 1);
  const low = sorted[Math.floor(rank)] as number;
  const high = sorted[Math.ceil(rank)] as number;
  return low + (high - low) * (rank - Math.floor(rank));
}

/**
 * How far two measurements of the very same thing lay apart, as a fraction: the larger of what the medians differ by and
 * half the middle spread of the paired turns. A difference between two sides that is smaller than this says nothing.
 *
 * @param first samples of the side, by turn
 * @param again samples of the same side measured once more in the same turns
 */
export function noiseBand(first: readonly number[], again: readonly number[]): number {
  if (first.length !== again.length) throw new Error('the two measurements have different numbers of turns');
  const ratios = first.map((value, turn) => value / (again[turn] as number));
  const ofMedians = Math.abs(median(first) / median(again) - 1);
  const ofTurns = (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / 2;
  return Math.max(ofMedians, ofTurns);
}
