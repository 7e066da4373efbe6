import { BACKSLASH, QUOTE } from '../src/bytes.ts';
import { isBracket, isClosing } from './brackets.ts';
import { isBracketLike, prefixXor } from './skim.ts';
import { BLOCK, byteAt, splat, WIDTH } from './vectors.ts';

/**
 * Behind the bracket that closes the container at `p`; 0 when none does before `to`, or when there is a backslash on the way. For
 * payloads that were scanned: their brackets pair up, by kind, so that counting them is enough. Touches nothing of a scan's state.
 */
export function leap(p: usize, to: usize): usize {
  let depth = 0;
  /** All ones inside a string. */
  let inside: u64 = 0;
  for (; p < to; p += BLOCK) {
    let quotes: u64 = 0;
    let brackets: u64 = 0;
    let backslashes = splat(0);
    for (let at: usize = 0; at < BLOCK; at += WIDTH) {
      const bytes = v128.load(p + at);
      quotes |= (<u64>i8x16.bitmask(i8x16.eq(bytes, splat(QUOTE)))) << (<u64>at);
      brackets |= (<u64>i8x16.bitmask(isBracketLike(bytes))) << (<u64>at);
      backslashes = v128.or(backslashes, i8x16.eq(bytes, splat(BACKSLASH)));
    }
    const inStrings = prefixXor(quotes) ^ inside;
    for (brackets &= ~inStrings; brackets != 0; brackets &= brackets - 1) {
      const at = p + <usize>ctz(brackets);
      const bracket = byteAt(at);
      if (!isBracket(bracket)) continue;
      if (!isClosing(bracket)) depth++;
      else if (--depth == 0) return v128.any_true(backslashes) ? 0 : at + 1;
    }
    if (v128.any_true(backslashes)) return 0;
    inside = <u64>(<i64>inStrings >> 63);
  }
  return 0;
}
