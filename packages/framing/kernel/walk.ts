import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  DIGIT_0,
  DOT,
  LOWER_E,
  MINUS,
  NON_ASCII,
  OPEN_BRACE,
  OPEN_BRACKET,
  PLUS,
  QUOTE,
} from '../src/bytes.ts';
import {
  AFTER_VALUE,
  ARRAY_FIRST,
  COLON_NEXT,
  KEY,
  OBJECT_FIRST,
  STRING,
  VALUE,
} from '../src/engine/grammar-states.ts';
import { OPTION_STRICT_UTF8 } from '../src/wasm/memory-map.ts';
import { containerOf, OBJECT } from './brackets.ts';
import { isHex, isSimpleEscape } from './escapes.ts';
import { containers, has, machine, options } from './state.ts';
import { afterSpace, plainEnd, textEnd } from './text.ts';
import { byteAt } from './vectors.ts';

/** Literals as four bytes in memory order. */
const TRUE = 0x65757274;
const NULL = 0x6c6c756e;
const FALS = 0x736c6166;

// @inline
function isDigit(byte: i32): bool {
  return <u32>(byte - DIGIT_0) <= 9;
}

/** Where `stringEnd` left a text whose end it did not find. */
export let stuckAt: usize = 0;

/**
 * Position behind the closing quote of the text that begins at `p`; 0 when the grammar must look at the byte at `stuckAt`: a fault, or
 * something that `to` cuts. A newline must stand at `to`.
 */
// @inline
export function stringEnd(p: usize, to: usize): usize {
  p = plainEnd(p);
  return byteAt(p) == QUOTE ? p + 1 : stringEndSlow(p, to);
}

/** The same for text with escapes or other than ASCII. */
function stringEndSlow(p: usize, to: usize): usize {
  const strict = has(OPTION_STRICT_UTF8);
  while (true) {
    const byte = byteAt(p);
    if (byte == QUOTE) return p + 1;
    if (byte == BACKSLASH) {
      const letter = <i32>load<u8>(p, 1);
      if (isSimpleEscape(letter)) {
        p += 2;
      } else {
        if (letter != 0x75 || !isHex(load<u8>(p, 2)) || !isHex(load<u8>(p, 3))) break;
        if (!isHex(load<u8>(p, 4)) || !isHex(load<u8>(p, 5))) break;
        p += 6;
      }
      p = plainEnd(p);
    } else if (byte >= NON_ASCII) {
      machine.ascii = false;
      if (strict) {
        p = textEnd(p, to);
        if (byteAt(p) >= NON_ASCII) break;
      } else {
        while (byteAt(p) >= NON_ASCII) p++;
        p = plainEnd(p);
      }
    } else {
      break;
    }
  }
  stuckAt = p;
  return 0;
}

/** Position behind the number that begins at `p`; 0 when it is malformed. */
// @inline
function numberEnd(p: usize): usize {
  let byte = byteAt(p);
  if (byte == MINUS) byte = byteAt(++p);
  if (byte == DIGIT_0) {
    byte = byteAt(++p);
  } else {
    if (!isDigit(byte)) return 0;
    do byte = byteAt(++p);
    while (isDigit(byte));
  }
  return byte == DOT || (byte | 0x20) == LOWER_E ? fractionEnd(p) : p;
}

/** The rest of a number from its point or exponent on. */
function fractionEnd(p: usize): usize {
  let byte = byteAt(p);
  if (byte == DOT) {
    byte = byteAt(++p);
    if (!isDigit(byte)) return 0;
    do byte = byteAt(++p);
    while (isDigit(byte));
  }
  if ((byte | 0x20) == LOWER_E) {
    byte = byteAt(++p);
    if (byte == PLUS || byte == MINUS) byte = byteAt(++p);
    if (!isDigit(byte)) return 0;
    do byte = byteAt(++p);
    while (isDigit(byte));
  }
  return p;
}

/** Position behind the literal that begins at `p`; 0 when none does. */
// @inline
function literalEnd(p: usize): usize {
  const word = load<u32>(p);
  if (word == TRUE || word == NULL) return p + 4;
  return word == FALS && load<u8>(p, 4) == LOWER_E ? p + 5 : 0;
}

/** The state in which `keyEnd` left what it did not finish at `stuckAt`. */
let stuckState = KEY;

/** Position behind the colon of the key at `p`; 0 when the grammar must look at the byte at `stuckAt`. */
// @inline
function keyEnd(p: usize, to: usize): usize {
  const end = stringEnd(p + 1, to);
  if (end == 0) {
    stuckState = STRING;
    return 0;
  }
  const colon = afterSpace(end);
  if (byteAt(colon) == COLON) return colon + 1;
  stuckAt = colon;
  stuckState = COLON_NEXT;
  return 0;
}

/**
 * Goes on through a region whose whole grammar counts, token by token: any state between tokens, at least one level above `machine.floor`
 * or at the beginning of a value there. Stops when a value is whole at the floor, or at a token that the byte-wise grammar must look at: a
 * fault, a newline, something that `to` may cut. The state is that of the byte at which it stops.
 *
 * A newline must stand at `to`, so that no token runs beyond it.
 */
export function walk(p: usize, to: usize): usize {
  const stack = containers;
  const floor = machine.floor;
  const deepest = options.maxDepth;
  let depth = machine.depth;
  let state = machine.state;

  if (state == OBJECT_FIRST || state == KEY || state == COLON_NEXT) {
    p = afterSpace(p);
    if (byteAt(p) != (state == COLON_NEXT ? COLON : QUOTE)) return stop(p, depth, state);
    p = state == COLON_NEXT ? p + 1 : keyEnd(p, to);
    if (p == 0) return stopInKey(depth);
    state = VALUE;
  }
  while (true) {
    if (state != AFTER_VALUE) {
      p = afterSpace(p);
      const byte = byteAt(p);
      if (byte == QUOTE) {
        const end = stringEnd(p + 1, to);
        if (end == 0) {
          machine.stringIsKey = false;
          return stop(stuckAt, depth, STRING);
        }
        p = end;
      } else if (byte == OPEN_BRACE || byte == OPEN_BRACKET) {
        if (depth >= deepest) return stop(p, depth, state);
        store<u8>(stack + ++depth, containerOf(byte));
        p = afterSpace(p + 1);
        const next = byteAt(p);
        if (byte == OPEN_BRACKET) {
          state = ARRAY_FIRST;
          if (next != CLOSE_BRACKET) continue;
        } else if (next == QUOTE) {
          p = keyEnd(p, to);
          if (p == 0) return stopInKey(depth);
          state = VALUE;
          continue;
        } else if (next != CLOSE_BRACE) {
          return stop(p, depth, OBJECT_FIRST);
        }
        p++;
        depth--;
      } else {
        const end = byte == MINUS || isDigit(byte) ? numberEnd(p) : literalEnd(p);
        // What ends where the bytes end may go on in the next ones.
        if (end == 0 || end >= to) return stop(p, depth, state);
        p = end;
      }
      if (depth == floor) return stop(p, depth, AFTER_VALUE);
    }
    // A value ended: close containers until the next value is due.
    while (true) {
      p = afterSpace(p);
      const byte = byteAt(p);
      const container = byteAt(stack + depth);
      if (byte == COMMA) {
        p++;
        state = VALUE;
        if (container == OBJECT) {
          p = afterSpace(p);
          if (byteAt(p) != QUOTE) return stop(p, depth, KEY);
          p = keyEnd(p, to);
          if (p == 0) return stopInKey(depth);
        }
        break;
      }
      if ((byte != CLOSE_BRACE && byte != CLOSE_BRACKET) || container != containerOf(byte)) {
        return stop(p, depth, AFTER_VALUE);
      }
      p++;
      if (--depth == floor) return stop(p, depth, AFTER_VALUE);
    }
  }
}

// @inline
function stop(p: usize, depth: i32, state: i32): usize {
  machine.depth = depth;
  machine.state = state;
  return p;
}

function stopInKey(depth: i32): usize {
  machine.stringIsKey = true;
  return stop(stuckAt, depth, stuckState);
}
