/**
 * Texts that a thread leaves to `JSON.parse` before its slots walk at all. Until an engine has compiled the walk it takes several times as long
 * as `JSON.parse`, which is compiled already: a process that answers a thousand calls and ends would pay for it and get nothing.
 */
const COLD_TEXTS = 1024;

let seen = 0;

/** One more text is to be decoded, in a thread that has not seen enough of them. */
export function isCold(): boolean {
  if (seen === COLD_TEXTS) return false;
  seen++;
  return true;
}

/** From now on slots walk. For tests, which have no thousand texts to spare. */
export function endColdness(): void {
  seen = COLD_TEXTS;
}
