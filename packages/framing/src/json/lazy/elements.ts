import { COLON, COMMA, CR, LF, SPACE, TAB } from '../../bytes.ts';
import type { LazySource } from './lazy-source.ts';
import { syntaxFault } from './syntax-fault.ts';

/* The grammar between the members or items of one container that reaches from its bracket to `end`. -1 stands for "no more". */

/** First position from `start` on that is no white space, or `end`. */
export function afterSpace(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  while (i < end && bytes[i] <= SPACE && isSpace(bytes[i])) i++;
  return i;
}

/** End of a range without the white space that stands last. */
export function beforeSpace(bytes: Uint8Array, start: number, end: number): number {
  let i = end;
  while (i > start && isSpace(bytes[i - 1])) i--;
  return i;
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === LF || byte === CR || byte === TAB;
}

/** Where the first element of the container at `start` begins. `close` is the bracket that ends it. */
export function firstElement(
  source: LazySource,
  bytes: Uint8Array,
  start: number,
  end: number,
  close: number,
): number {
  const i = afterSpace(bytes, start + 1, end);
  if (i >= end) throw syntaxFault(source, end);
  return bytes[i] === close ? closed(source, i, end) : i;
}

/** Where the element after the value that ended before `from` begins. */
export function nextElement(
  source: LazySource,
  bytes: Uint8Array,
  from: number,
  end: number,
  close: number,
): number {
  // Nearly all JSON on a wire has no white space.
  if (from + 1 < end && bytes[from] === COMMA && bytes[from + 1] > SPACE) return from + 1;
  const i = afterSpace(bytes, from, end);
  if (i >= end) throw syntaxFault(source, end);
  if (bytes[i] === COMMA) return afterSpace(bytes, i + 1, end);
  if (bytes[i] !== close) throw syntaxFault(source, i);
  return closed(source, i, end);
}

/** The bracket at `at` closes the container: nothing may follow. */
function closed(source: LazySource, at: number, end: number): number {
  if (at + 1 !== end) throw syntaxFault(source, at + 1);
  return -1;
}

/** Where the value of the member whose key ended before `from` begins. */
export function memberValue(source: LazySource, bytes: Uint8Array, from: number, end: number): number {
  if (from + 1 < end && bytes[from] === COLON && bytes[from + 1] > SPACE) return from + 1;
  const i = afterSpace(bytes, from, end);
  if (i >= end || bytes[i] !== COLON) throw syntaxFault(source, i);
  return afterSpace(bytes, i + 1, end);
}
