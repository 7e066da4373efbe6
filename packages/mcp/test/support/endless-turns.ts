import { afterEach, beforeEach, vi } from 'vitest';
import { TurnBudget } from '../../src/server/turn-budget.ts';

/**
 * For the tests of the file that calls it: handlers never have had enough of a turn. Lines that are fed together are then looked at together, also
 * on a machine that is so loaded that one of them takes the 10 ms of a turn.
 */
export function endlessTurns(): void {
  beforeEach(() => {
    vi.spyOn(TurnBudget.prototype, 'isOver').mockReturnValue(false);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
}
