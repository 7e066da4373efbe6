/**
 * Sides take turns: every turn measures every side once, in a fresh process, forwards in even turns and backwards in odd
 * ones (A B B A …), so that a drift of the machine's clock or heat falls on all sides alike.
 *
 * @param measure runs one side once and gives its sample
 * @returns the samples of each side, by turn
 */
export async function takeTurns<Side, Sample>(
  sides: readonly Side[],
  turnCount: number,
  measure: (side: Side, turn: number) => Promise<Sample>,
): Promise<Map<Side, Sample[]>> {
  const samples = new Map<Side, Sample[]>(sides.map((side) => [side, []]));
  for (let turn = 0; turn < turnCount; turn++) {
    const order = turn % 2 === 0 ? sides : [...sides].reverse();
    for (const side of order) samples.get(side)?.push(await measure(side, turn));
  }
  return samples;
}
