/**
 * Answers that a thread sends as text before they write themselves: joining strings is fast from the start, writing bytes once the engine
 * has compiled it.
 */
const COLD_ANSWERS = 1024;

let sent = 0;

/** One more answer is to be sent, in a thread that has not sent enough of them. */
export function isCold(): boolean {
  if (sent === COLD_ANSWERS) return false;
  sent++;
  return true;
}

/** From now on answers write themselves. For tests, which have no thousand answers to spare. */
export function endColdness(): void {
  sent = COLD_ANSWERS;
}
