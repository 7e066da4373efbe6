import { LF } from '../src/bytes.ts';
import { AFTER_VALUE, BAD, SKIM, SKIM_STRING, STRING } from '../src/engine/grammar-states.ts';
import { OPTION_FULL, OPTION_JSONRPC, OPTION_SHORTCUTS } from '../src/wasm/memory-map.ts';
import { endString, endValue, take } from './grammar.ts';
import { newlineOrEnd } from './newlines.ts';
import { skim } from './skim.ts';
import { has, machine, options } from './state.ts';
import { byteAt } from './vectors.ts';
import { stringEnd, stuckAt, walk } from './walk.ts';

/** Where an accelerator stopped at something odd, the bytes up to here go to the grammar one by one: odd bytes seldom come alone. */
const ODD_BYTES = 32;

/**
 * Takes bytes from `p` up to a newline or `to`, and returns where it stopped (a newline is not taken). A newline must stand at `to`.
 * The accelerators take what they know, the grammar the rest.
 */
export function run(p: usize, to: usize): usize {
  const shortcuts = has(OPTION_SHORTCUTS);
  const isFull = has(OPTION_FULL);
  /** Depth from which on no member of an envelope is left to be seen. */
  const innerDepth = has(OPTION_JSONRPC) ? 2 : 1;
  let slowUntil = p;
  while (p < to) {
    if (byteAt(p) == LF) return p;
    const state = machine.state;
    if (state == BAD) return newlineOrEnd(p, to);
    if (shortcuts && p >= slowUntil) {
      const depth = machine.depth;
      let next = p;
      if (state == SKIM || state == SKIM_STRING) {
        if (depth <= options.maxDepth) {
          next = skim(p, to);
          if (machine.depth == machine.floor) endValue(next);
        }
      } else if (state == STRING) {
        const end = stringEnd(p, to);
        next = end == 0 ? stuckAt : end;
        if (end != 0) endString(end - 1);
      } else if (isFull && state <= AFTER_VALUE && depth >= innerDepth && depth <= options.maxDepth) {
        machine.floor = innerDepth - 1;
        next = walk(p, to);
        if (machine.depth == machine.floor && machine.state == AFTER_VALUE) endValue(next);
      }
      if (next != p) {
        p = next;
        continue;
      }
      slowUntil = p + ODD_BYTES;
    }
    // A number ends at the first byte that is not part of it; that byte is then looked at again.
    if (take(p)) p++;
  }
  return p;
}
