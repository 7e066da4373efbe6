import { CR, SPACE, TAB } from '../src/bytes.ts';
import { TABLE_ROWS } from '../src/engine/sizes.ts';
import { CODE_TOO_LARGE, KIND_FAULT, KIND_VALUE } from '../src/table/meta.ts';
import {
  CODE_SHIFT,
  END,
  FLAG_DROPPED,
  FLAG_STORED,
  FLAG_UNTERMINATED,
  LINE_END,
  META,
  START,
} from '../src/table/row.ts';
import { WINDOW } from '../src/wasm/memory-map.ts';
import { newlineMask } from './newlines.ts';
import { clearRow, nextRow, setWord, writeRow } from './rows.ts';
import { options, scan } from './state.ts';
import { BLOCK, byteAt } from './vectors.ts';

/* `validate: 'none'`: frames are what stands between newlines. Looks at the bytes themselves only to tell a blank line. */

/** Frames up to `to`, as many as the table holds. A newline must stand at `to`. */
export function scanLines(to: usize): void {
  let block = scan.position;
  while (block < to) {
    let newlines = newlineMask(block);
    while (newlines != 0) {
      const lineEnd = block + <usize>ctz(newlines);
      if (lineEnd >= to) break;
      newlines &= newlines - 1;
      endLine(lineEnd, false);
      if (scan.rowCount == TABLE_ROWS) return;
    }
    block += BLOCK;
  }
  // A short beginning waits for its newline.
  if (scan.spilledBytes > 0 || <i32>(to - scan.position) > options.waitBytes) scan.position = to;
}

/** The line ends before `lineEnd`: its row, unless it is blank. */
// @inline
export function endLine(lineEnd: usize, unterminated: bool): void {
  const start = scan.frameStart;
  const first = byteAt(start);
  // Nearly every line begins with a byte that settles that it is not blank, and stands whole in the window.
  if (scan.spilledBytes == 0 && first > SPACE && lineEnd > start && !unterminated) {
    const end = byteAt(lineEnd - 1) == CR ? lineEnd - 1 : lineEnd;
    if (<i64>(end - start) <= options.maxFrameBytes) {
      const row = nextRow();
      clearRow(row);
      setWord(row, START, <i32>(start - WINDOW));
      setWord(row, END, <i32>(end - WINDOW));
      setWord(row, META, KIND_VALUE);
      setWord(row, LINE_END, <i32>(lineEnd - WINDOW));
      scan.rowCount++;
      scan.frameStart = lineEnd + 1;
      scan.position = lineEnd + 1;
      return;
    }
  }
  endOddLine(lineEnd, unterminated);
}

function endOddLine(lineEnd: usize, unterminated: bool): void {
  const start = scan.frameStart;
  const isSpilled = scan.spilledBytes > 0;
  if (isBlank(start, lineEnd) && (!isSpilled || scan.spilledBlank)) {
    if (!unterminated) scan.blankFrames++;
  } else {
    const lastIsCr = lineEnd > start ? byteAt(lineEnd - 1) == CR : scan.spilledCr;
    const length = scan.spilledBytes + <i64>(lineEnd - start) - (lastIsCr ? 1 : 0);
    const tooLarge = length > options.maxFrameBytes;
    let meta = tooLarge ? KIND_FAULT | (CODE_TOO_LARGE << CODE_SHIFT) : KIND_VALUE;
    if (unterminated) meta |= FLAG_UNTERMINATED;
    if (isSpilled) meta |= tooLarge ? FLAG_DROPPED : FLAG_STORED;
    writeRow(length, lineEnd, meta, tooLarge ? options.maxFrameBytes : 0);
  }
  scan.spilledBytes = 0;
  scan.position = unterminated ? lineEnd : lineEnd + 1;
  scan.frameStart = scan.position;
}

/** White space only. */
export function isBlank(from: usize, to: usize): bool {
  for (let p = from; p < to; p++) {
    const byte = byteAt(p);
    if (byte != SPACE && byte != TAB && byte != CR) return false;
  }
  return true;
}
