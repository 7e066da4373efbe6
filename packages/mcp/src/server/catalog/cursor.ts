/**
 * A cursor names the last item of a page by the number that it got at its registration, behind one letter for the list. Numbers are never
 * given twice and lists are in their order, so the next page begins behind it whatever came or went in the meantime.
 */
export function cursorText(letter: string, sequence: number): string {
  return letter + sequence.toString(36);
}

/**
 * The number in a cursor; `undefined` for anything that was never handed out for this list.
 *
 * @param last - the latest number that was given.
 */
export function cursorSequence(letter: string, cursor: unknown, last: number): number | undefined {
  // 2^53 has eleven digits.
  if (typeof cursor !== 'string' || cursor.length > 12 || cursor[0] !== letter) return undefined;
  const sequence = Number.parseInt(cursor.slice(1), 36);
  if (!(sequence >= 1 && sequence <= last)) return undefined;
  // Other spellings of the number (capitals, zeros in front, trailing junk) are not ours.
  return cursorText(letter, sequence) === cursor ? sequence : undefined;
}
