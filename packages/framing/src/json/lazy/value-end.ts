import { OUT_CLOSE, OUT_OPEN, OUT_QUOTE, SKIM_CLASS } from '../../byte-classes.ts';
import { OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../../bytes.ts';
import { FramingError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { LazySource } from './lazy-source.ts';
import { skippedStringEnd } from './strings.ts';
import { syntaxFault } from './syntax-fault.ts';

/** An integer has bits for 32 levels; depth in these units, as a mask and as a shift. */
const WORD_LEVELS_MASK = 31;
const WORD_LEVELS_SHIFT = 5;

/** So much must be left of the container around it that a call into the engine may be worth it. */
const LEAPT_BYTES = 48;

/** The bit that tells braces from square brackets. */
const BRACE_SHIFT = 5;

/**
 * The kinds of the outer containers, a bit each, 32 levels a word. Shared, since nothing runs in the middle; grows with the deepest
 * value passed over, up to 125 KB.
 */
let outerKinds = new Int32Array(32);

/** 1 for the bytes that numbers and literals are made of. */
const IS_TOKEN: Uint8Array = tokenBytes();

function tokenBytes(): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of '+-.0123456789Eabcdefghijklmnopqrstuvwxyz') table[byte.charCodeAt(0)] = 1;
  return table;
}

/** End of the value at `start`, passed over: strings and brackets by kind are heeded, what scalars say is not. Linear, no recursion. */
export function valueEnd(source: LazySource, bytes: Uint8Array, start: number, end: number): number {
  const first = start < end ? bytes[start] : 0;
  if (first === QUOTE) return skippedStringEnd(source, bytes, start + 1, end);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) {
    const { leap } = source;
    if (leap !== undefined && end - start >= LEAPT_BYTES) {
      const behind = leap(start, end);
      if (behind > 0 && behind <= end) return behind;
    }
    return containerEnd(source, bytes, start, end);
  }
  let i = start;
  while (i < end && IS_TOKEN[bytes[i]] === 1) i++;
  if (i === start) throw syntaxFault(source, i);
  return i;
}

function containerEnd(source: LazySource, bytes: Uint8Array, start: number, end: number): number {
  let i = start + 1;
  let depth = 1;
  // One bit per open container, the innermost lowest: 1 for an object.
  let kinds = (bytes[start] >> BRACE_SHIFT) & 1;
  while (i < end) {
    const byte = bytes[i++];
    const what = SKIM_CLASS[byte];
    if (what === 0) continue;
    if (what === OUT_QUOTE) {
      i = skippedStringEnd(source, bytes, i, end);
    } else if (what === OUT_OPEN) {
      if ((depth & WORD_LEVELS_MASK) === 0) putBy(source, i - 1, depth, kinds);
      depth++;
      kinds = (kinds << 1) | ((byte >> BRACE_SHIFT) & 1);
    } else if (what === OUT_CLOSE) {
      if ((kinds & 1) !== ((byte >> BRACE_SHIFT) & 1)) throw syntaxFault(source, i - 1);
      depth--;
      if (depth === 0) return i;
      kinds = (depth & WORD_LEVELS_MASK) === 0 ? outerKinds[depth >> WORD_LEVELS_SHIFT] : kinds >>> 1;
    }
  }
  throw syntaxFault(source, end);
}

function putBy(source: LazySource, at: number, depth: number, kinds: number): void {
  const limit = limits.maxDepth.max;
  if (depth >= limit) {
    const offset = source.origin + at;
    const message = `nested deeper than ${limit} levels at byte ${offset}`;
    throw new FramingError('JSON_DEPTH', message, { offset, limit });
  }
  const word = depth >> WORD_LEVELS_SHIFT;
  if (word === outerKinds.length) {
    const grown = new Int32Array(word * 2);
    grown.set(outerKinds);
    outerKinds = grown;
  }
  outerKinds[word] = kinds;
}
