import { BACKSLASH, LF, NON_ASCII, QUOTE, SPACE } from '../src/bytes.ts';
import { SKIM, SKIM_ESCAPE, SKIM_STRING } from '../src/engine/grammar-states.ts';
import { OPTION_STRICT_UTF8 } from '../src/wasm/memory-map.ts';
import { containerOf, isBracket, isClosing } from './brackets.ts';
import { containers, has, machine, options } from './state.ts';
import { openTail, vectorErrors } from './utf8.ts';
import { BLOCK, byteAt, mask, splat, WIDTH } from './vectors.ts';

/*
 * Structure only, 64 bytes at a time: which bytes are quotes, brackets and so on becomes one 64-bit mask each, a few operations on the
 * masks tell what is inside strings, and a walk over the brackets that are left does the rest. docs/kernel.md works a block through.
 */

/** Brackets, and four lookalikes (`Y`, `_`, `y`, DEL) that seldom stand outside strings: the walk tells them apart. */
// @inline
export function isBracketLike(bytes: v128): v128 {
  // All the bits that differ between the brackets are set; what is left is one comparison.
  return i8x16.eq(v128.or(bytes, splat(0x26)), splat(0x7f));
}

/** The lowest bit that is set. */
// @inline
function lowest(bits: u64): u64 {
  return bits & (0 - bits);
}

/** Each bit is the exclusive or of itself and all lower ones: from an opening quote up to before its closing one. */
// @inline
export function prefixXor(bits: u64): u64 {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  bits ^= bits << 32;
  return bits;
}

/** 1 when the byte behind the block of the last `escapedBy` is escaped, else 0. */
let carriedEscape: u64 = 0;

/**
 * The bytes behind runs of backslashes of odd length: those that are escaped and no backslash themselves. `carry` is 1 when the first byte
 * is escaped from before. (Langdale and Lemire, "Parsing gigabytes of JSON per second", 2019, 3.1.1.)
 */
function escapedBy(backslashes: u64, carry: u64): u64 {
  const EVEN: u64 = 0x5555_5555_5555_5555;
  // A backslash that is escaped itself escapes nothing.
  const active = backslashes & ~carry;
  const starts = active & ~(active << 1);
  // Adding its start to a run carries into the bit behind it.
  const evenSum = active + (starts & EVEN);
  const oddSum = active + (starts & ~EVEN);
  carriedEscape = u64(oddSum < active);
  return (((evenSum & ~EVEN) | (oddSum & EVEN)) & ~active) | carry;
}

/** The last block with bytes above 0x7F, and which they are; 0 when there is none whose bytes are not accounted for. */
let highBlock: usize = 0;
let highBytes: u64 = 0;

/**
 * Notes the bytes above 0x7F of the block at `p`. False when they are ill-formed, or cut by `to`.
 * Apart from the loop, which keeps its registers that way.
 */
function takeHighBytes(p: usize, to: usize): bool {
  if (highBlock != 0) machine.ascii = false;
  highBlock = p;
  let high: u64 = 0;
  let errors: u64 = 0;
  for (let at: usize = 0; at < BLOCK; at += WIDTH) {
    const bytes = v128.load(p + at);
    high |= (<u64>i8x16.bitmask(bytes)) << (<u64>at);
    errors |= (<u64>i8x16.bitmask(i8x16.ne(vectorErrors(p + at, bytes), splat(0)))) << (<u64>at);
  }
  highBytes = high;
  // The newline at `to` proves a sequence before it cut; what stands behind is nobody's.
  const meant: u64 = to - p < BLOCK ? ((<u64>2) << (<u64>(to - p))) - 1 : -1;
  return (errors & meant) == 0 || !has(OPTION_STRICT_UTF8) || !machine.textIsGood;
}

/**
 * Goes on through a region of which only structure counts: state `SKIM` or `SKIM_STRING`, at least one level above `machine.floor`, none
 * above the deepest allowed. Stops behind the bracket that closes down to the floor, or at a byte that the grammar must look at: a newline, a
 * fault, a sequence cut by `to`. The state is that of the byte at which it stops.
 *
 * A newline must stand at `to`.
 */
export function skim(p: usize, to: usize): usize {
  const stack = containers;
  const floor = machine.floor;
  const deepest = options.maxDepth;
  let depth = machine.depth;
  /** All ones inside a string. */
  let inside: u64 = machine.state == SKIM_STRING ? -1 : 0;
  let escapeCarry: u64 = 0;
  highBlock = 0;

  while (true) {
    const isHigh = v128.or(
      v128.or(v128.load(p), v128.load(p, 16)),
      v128.or(v128.load(p, 32), v128.load(p, 48)),
    );
    // A sequence that the last block left open may be cut by a block that has no such bytes itself.
    if ((i8x16.bitmask(isHigh) != 0 || byteAt(p - 1) >= NON_ASCII) && !takeHighBytes(p, to)) {
      highBlock = 0;
      // The grammar must see that sequence from its first byte on.
      p -= <usize>openTail(p);
      return stop(p, depth, escapeCarry != 0 ? SKIM_ESCAPE : inside != 0 ? SKIM_STRING : SKIM, p);
    }
    // Loaded again: vectors that live on behind a call would be spilled in every block.
    const a = v128.load(p);
    const b = v128.load(p, 16);
    const c = v128.load(p, 32);
    const d = v128.load(p, 48);

    const quote = splat(QUOTE);
    let quotes = mask(i8x16.eq(a, quote), i8x16.eq(b, quote), i8x16.eq(c, quote), i8x16.eq(d, quote));
    const backslash = splat(BACKSLASH);
    const backslashA = i8x16.eq(a, backslash);
    const backslashB = i8x16.eq(b, backslash);
    const backslashC = i8x16.eq(c, backslash);
    const backslashD = i8x16.eq(d, backslash);
    let escaped = escapeCarry;
    let backslashes: u64 = 0;
    escapeCarry = 0;
    if (v128.any_true(v128.or(v128.or(backslashA, backslashB), v128.or(backslashC, backslashD)))) {
      backslashes = mask(backslashA, backslashB, backslashC, backslashD);
      escaped = escapedBy(backslashes, escaped);
      escapeCarry = carriedEscape;
    }
    quotes &= ~escaped;
    const inStrings = prefixXor(quotes) ^ inside;
    const space = splat(SPACE);
    const control = mask(
      i8x16.lt_u(a, space),
      i8x16.lt_u(b, space),
      i8x16.lt_u(c, space),
      i8x16.lt_u(d, space),
    );
    let brackets = mask(isBracketLike(a), isBracketLike(b), isBracketLike(c), isBracketLike(d)) & ~inStrings;

    // Where the grammar may have to look. Brackets before it come first: most often the last one ends the region.
    let doubtful = control | (backslashes & ~inStrings);
    while (true) {
      const doubt = lowest(doubtful);
      let due = brackets & (doubt - 1);
      brackets ^= due;
      while (due != 0) {
        const at = p + <usize>ctz(due);
        due &= due - 1;
        const bracket = byteAt(at);
        if (!isBracket(bracket)) continue;
        if (isClosing(bracket)) {
          if (byteAt(stack + depth) != containerOf(bracket)) return stop(at, depth, SKIM, p);
          depth--;
          if (depth == floor) return stop(at + 1, depth, SKIM, p);
        } else {
          if (depth >= deepest) return stop(at, depth, SKIM, p);
          depth++;
          store<u8>(stack + depth, containerOf(bracket));
        }
      }
      if (doubt == 0) break;
      const at = p + <usize>ctz(doubt);
      if ((doubt & inStrings) != 0) {
        return stop(at, depth, (doubt & escaped) != 0 ? SKIM_ESCAPE : SKIM_STRING, p);
      }
      if ((doubt & backslashes) != 0 || byteAt(at) == LF) return stop(at, depth, SKIM, p);
      doubtful ^= doubt;
    }
    inside = <u64>(<i64>inStrings >> 63);
    p += BLOCK;
  }
}

/** Stops at `p` in the block that begins at `block`, and says what the grammar goes on with. */
function stop(p: usize, depth: i32, state: i32, block: usize): usize {
  // Of the last block with high bytes only those before `p` count.
  if (highBlock != 0 && (highBlock != block || (p > block && highBytes << (<u64>(block + BLOCK - p)) != 0))) {
    machine.ascii = false;
  }
  machine.depth = depth;
  machine.state = state;
  return p;
}
