import { CLOSE_BRACE, CLOSE_BRACKET } from '../../bytes.ts';
import { firstElement, memberValue, nextElement } from './elements.ts';
import type { LazySource } from './lazy-source.ts';
import { isName, stringEnd } from './strings.ts';
import { valueEnd } from './value-end.ts';

/** A range of the source that is one value. Narrowed in place, so that a path of many steps makes no objects. */
export interface Span {
  start: number;
  end: number;
}

/**
 * Narrows the span of an object to the value of its member `name`; false when it has none. The object is read to its end and the last such
 * member counts, as for `JSON.parse`; with `first` the search ends at the first one.
 */
export function narrowToMember(
  source: LazySource,
  bytes: Uint8Array,
  span: Span,
  name: string,
  first: boolean,
): boolean {
  const { end } = span;
  let isFound = false;
  let i = firstElement(source, bytes, span.start, end, CLOSE_BRACE);
  while (i >= 0) {
    const keyEnd = stringEnd(source, bytes, i, end);
    const value = memberValue(source, bytes, keyEnd < 0 ? -keyEnd : keyEnd, end);
    const next = valueEnd(source, bytes, value, end);
    if (isName(source, bytes, i, keyEnd, name)) {
      isFound = true;
      span.start = value;
      span.end = next;
      if (first) return true;
    }
    i = nextElement(source, bytes, next, end, CLOSE_BRACE);
  }
  return isFound;
}

/** Narrows the span of an array to its item `index`, and looks no further; false when it has none. */
export function narrowToItem(source: LazySource, bytes: Uint8Array, span: Span, index: number): boolean {
  const { end } = span;
  let count = 0;
  let i = firstElement(source, bytes, span.start, end, CLOSE_BRACKET);
  while (i >= 0) {
    const next = valueEnd(source, bytes, i, end);
    if (count++ === index) {
      span.start = i;
      span.end = next;
      return true;
    }
    i = nextElement(source, bytes, next, end, CLOSE_BRACKET);
  }
  return false;
}

/** How many items the array has. */
export function itemCount(source: LazySource, bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  let i = firstElement(source, bytes, start, end, CLOSE_BRACKET);
  while (i >= 0) {
    count++;
    i = nextElement(source, bytes, valueEnd(source, bytes, i, end), end, CLOSE_BRACKET);
  }
  return count;
}
