// Constants first, and no imports: see text/plain-text.ts.

const LAST_ASCII = 0x7f;
/** A UTF-8 sequence of three bytes: the bits that are fixed, and what they are. */
const THREE_BYTES = 0xc0c0f0;
const IS_THREE_BYTES = 0x8080e0;
/** The low half of its first byte and bit 5 of its second: none of them in an overlong form, 0xD and that bit in a surrogate. */
const RANGE_OF_THREE = 0x200f;
const OVERLONG = 0;
const SURROGATE = 0x200d;

/**
 * Well-formed UTF-8 as in the Unicode Standard, table 3-7: the lead byte fixes the length and the range of the second byte,
 * which keeps out overlong forms, surrogates and values above U+10FFFF.
 */

/** Bytes that must follow a lead byte; 0 where no sequence may begin. */
export const TRAIL_COUNT: Uint8Array = trailCounts();

function trailCounts(): Uint8Array {
  const table = new Uint8Array(256);
  table.fill(1, 0xc2, 0xe0);
  table.fill(2, 0xe0, 0xf0);
  table.fill(3, 0xf0, 0xf5);
  return table;
}

/** Smallest second byte after `lead`. */
export function secondLow(lead: number): number {
  return lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
}

/** Largest second byte after `lead`. */
export function secondHigh(lead: number): number {
  return lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
}

/**
 * End of the well-formed sequence that begins at `start`, or 0 when it is ill-formed or does not end before `end`.
 * `start` holds a byte above 0x7F.
 */
export function sequenceEnd(bytes: Uint8Array, start: number, end: number): number {
  if (start + 2 < end) {
    const word = bytes[start] | (bytes[start + 1] << 8) | (bytes[start + 2] << 16);
    if ((word & THREE_BYTES) === IS_THREE_BYTES) {
      const range = word & RANGE_OF_THREE;
      return range === OVERLONG || range === SURROGATE ? 0 : start + 3;
    }
  }
  return endByTable(bytes, start, end);
}

/** As `sequenceEnd`, by the rules of every length: for those that are not three bytes, and for what is no sequence. */
function endByTable(bytes: Uint8Array, start: number, end: number): number {
  const lead = bytes[start];
  const trails = TRAIL_COUNT[lead];
  if (trails === 0 || start + trails >= end) return 0;
  const second = bytes[start + 1];
  if (second < secondLow(lead) || second > secondHigh(lead)) return 0;
  if (trails >= 2 && (bytes[start + 2] & 0xc0) !== 0x80) return 0;
  if (trails === 3 && (bytes[start + 3] & 0xc0) !== 0x80) return 0;
  return start + trails + 1;
}

/**
 * End of the sequences that follow each other from `start` on, or 0 when one is ill-formed. `start` holds a byte above 0x7F, and a newline
 * follows somewhere. Those of three bytes are checked as words (bench case `frame index`, corpora `1mb-thai` and `thai-emoji`).
 */
export function sequencesEnd(bytes: Uint8Array, view: DataView, start: number): number {
  let i = start;
  do {
    const word = view.getInt32(i, true);
    if ((word & THREE_BYTES) === IS_THREE_BYTES) {
      const range = word & RANGE_OF_THREE;
      if (range === OVERLONG || range === SURROGATE) return 0;
      i += 3;
    } else {
      i = endByTable(bytes, i, bytes.length);
      if (i === 0) return 0;
    }
  } while (bytes[i] > LAST_ASCII);
  return i;
}

/** True when the range is well-formed UTF-8. */
export function isWellFormed(bytes: Uint8Array, start: number, end: number): boolean {
  let i = start;
  while (i < end) {
    if (bytes[i] < 0x80) {
      i++;
      continue;
    }
    i = sequenceEnd(bytes, i, end);
    if (i === 0) return false;
  }
  return true;
}
