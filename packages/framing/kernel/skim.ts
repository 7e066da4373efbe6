import { BACKSLASH, LF, QUOTE, SPACE } from '../src/bytes.ts';
import { SKIM, SKIM_ESCAPE, SKIM_STRING } from '../src/engine/grammar-states.ts';
import { OPTION_STRICT_UTF8 } from '../src/wasm/memory-map.ts';
import { containerOf, isClosing } from './brackets.ts';
import { containers, has, machine, options } from './state.ts';
import { openTail, vectorErrors } from './utf8.ts';
import { BLOCK, byteAt, mask, splat } from './vectors.ts';

/*
 * Structure only, 64 bytes at a time: which bytes are quotes, brackets and so on becomes one 64-bit mask each, a few operations on the
 * masks tell what is inside strings, and a walk over the brackets that are left does the rest. docs/kernel.md works a block through.
 */

/** `[`, `]`, `{` or `}`. */
// @inline
function isBracket(bytes: v128): v128 {
  // 0x20 is what the square brackets lack; 0x06 apart are the two of a pair.
  const curly = v128.or(bytes, splat(0x20));
  return v128.or(i8x16.eq(curly, splat(0x7b)), i8x16.eq(curly, splat(0x7d)));
}

/** The lowest bit that is set. */
// @inline
function lowest(bits: u64): u64 {
  return bits & (0 - bits);
}

/** Each bit is the exclusive or of itself and all lower ones: from an opening quote up to before its closing one. */
// @inline
function prefixXor(bits: u64): u64 {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  bits ^= bits << 32;
  return bits;
}

/** Whether the byte behind the last `escapedBy` is escaped: 1 or 0. */
let carriedEscape: u64 = 0;

/**
 * The bytes behind runs of backslashes of odd length: those that are escaped and no backslash themselves. `carry` is 1 when the first byte
 * is escaped from before. `size` bytes of the block count. (Langdale and Lemire, "Parsing gigabytes of JSON per second", 2019, 3.1.1.)
 */
function escapedBy(backslashes: u64, carry: u64, size: usize): u64 {
  const EVEN: u64 = 0x5555_5555_5555_5555;
  // A backslash that is escaped itself escapes nothing.
  const active = backslashes & ~carry;
  const starts = active & ~(active << 1);
  // Adding its start to a run carries into the bit behind it.
  const evenSum = active + (starts & EVEN);
  const oddSum = active + (starts & ~EVEN);
  const escaped = (((evenSum & ~EVEN) | (oddSum & EVEN)) & ~active) | carry;
  carriedEscape = size == BLOCK ? u64(oddSum < active) : (escaped >> <u64>size) & 1;
  return escaped;
}

/**
 * Goes on through a region of which only structure counts: state `SKIM` or `SKIM_STRING`, at least one level above `machine.floor`, none
 * above the deepest allowed. Stops behind the bracket that closes down to the floor, at `to`, or at a byte that the grammar must look at: a
 * newline, a fault, a sequence cut by `to`. The state is that of the byte at which it stops.
 */
export function skim(p: usize, to: usize): usize {
  const strict = has(OPTION_STRICT_UTF8) && machine.textIsGood;
  const stack = containers;
  const floor = machine.floor;
  const deepest = options.maxDepth;
  let depth = machine.depth;
  /** All ones inside a string. */
  let inside: u64 = machine.state == SKIM_STRING ? -1 : 0;
  let escapeCarry: u64 = 0;

  while (p < to) {
    const a = v128.load(p);
    const b = v128.load(p, 16);
    const c = v128.load(p, 32);
    const d = v128.load(p, 48);

    let size = min<usize>(to - p, BLOCK);
    let high: u64 = 0;
    let errors: u64 = 0;
    if (i8x16.bitmask(v128.or(v128.or(a, b), v128.or(c, d))) != 0) {
      high = mask(a, b, c, d);
      if (strict) {
        size -= <usize>openTail(p + size);
        if (size == 0) break;
        errors = utf8Errors(p, a, b, c, d);
      }
    }
    const valid: u64 = size == BLOCK ? -1 : ((<u64>1) << (<u64>size)) - 1;

    let quotes =
      mask(
        i8x16.eq(a, splat(QUOTE)),
        i8x16.eq(b, splat(QUOTE)),
        i8x16.eq(c, splat(QUOTE)),
        i8x16.eq(d, splat(QUOTE)),
      ) & valid;
    const backslashA = i8x16.eq(a, splat(BACKSLASH));
    const backslashB = i8x16.eq(b, splat(BACKSLASH));
    const backslashC = i8x16.eq(c, splat(BACKSLASH));
    const backslashD = i8x16.eq(d, splat(BACKSLASH));
    let escaped = escapeCarry;
    let backslashes: u64 = 0;
    if (v128.any_true(v128.or(v128.or(backslashA, backslashB), v128.or(backslashC, backslashD)))) {
      backslashes = mask(backslashA, backslashB, backslashC, backslashD) & valid;
      escaped = escapedBy(backslashes, escapeCarry, size);
      escapeCarry = carriedEscape;
    } else {
      escapeCarry = 0;
    }
    quotes &= ~escaped;
    const inStrings = prefixXor(quotes) ^ inside;
    const control =
      mask(
        i8x16.lt_u(a, splat(SPACE)),
        i8x16.lt_u(b, splat(SPACE)),
        i8x16.lt_u(c, splat(SPACE)),
        i8x16.lt_u(d, splat(SPACE)),
      ) & valid;

    // Where the grammar may have to look. Brackets before it come first: most often the last one ends the region.
    let doubtful = control | (backslashes & ~inStrings);
    let brackets = mask(isBracket(a), isBracket(b), isBracket(c), isBracket(d)) & valid & ~inStrings;
    if ((errors & valid & (lowest(doubtful & (inStrings | backslashes)) - 1)) != 0) break;
    while (true) {
      const doubt = lowest(doubtful);
      let due = brackets & (doubt - 1);
      brackets &= ~(doubt - 1);
      while (due != 0) {
        const at = p + <usize>ctz(due);
        const bracket = byteAt(at);
        if (isClosing(bracket)) {
          if (byteAt(stack + depth) != containerOf(bracket)) return stop(at, depth, SKIM, high, p);
          depth--;
          if (depth == floor) return stop(at + 1, depth, SKIM, high, p);
        } else {
          if (depth >= deepest) return stop(at, depth, SKIM, high, p);
          depth++;
          store<u8>(stack + depth, containerOf(bracket));
        }
        due &= due - 1;
      }
      if (doubt == 0) break;
      const at = p + <usize>ctz(doubt);
      if ((doubt & inStrings) != 0) {
        return stop(at, depth, (doubt & escaped) != 0 ? SKIM_ESCAPE : SKIM_STRING, high, p);
      }
      if ((doubt & backslashes) != 0 || byteAt(at) == LF) return stop(at, depth, SKIM, high, p);
      doubtful ^= doubt;
    }
    const last = (<u64>1) << (<u64>(size - 1));
    inside = (inStrings & last) != 0 ? -1 : 0;
    if ((high & valid) != 0) machine.ascii = false;
    p += size;
  }
  return stop(p, depth, escapeCarry != 0 ? SKIM_ESCAPE : inside != 0 ? SKIM_STRING : SKIM, 0, p);
}

/** Stops at `p` in the block that begins at `block`, where `high` tells of the bytes above 0x7F. */
function stop(p: usize, depth: i32, state: i32, high: u64, block: usize): usize {
  if (high != 0 && p > block && high << (<u64>(block + BLOCK - p)) != 0) machine.ascii = false;
  machine.depth = depth;
  machine.state = state;
  return p;
}

/** A bit at each byte of the block that proves a sequence ill-formed. It tells nothing of the bytes behind it. */
function utf8Errors(p: usize, a: v128, b: v128, c: v128, d: v128): u64 {
  const none = splat(0);
  return mask(
    i8x16.ne(vectorErrors(p, a), none),
    i8x16.ne(vectorErrors(p + 16, b), none),
    i8x16.ne(vectorErrors(p + 32, c), none),
    i8x16.ne(vectorErrors(p + 48, d), none),
  );
}
