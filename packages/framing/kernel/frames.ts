import { CR, LF } from '../src/bytes.ts';
import { FORM_OBJECT } from '../src/engine/forms.ts';
import { BLANK, ROOT_DONE } from '../src/engine/grammar-states.ts';
import { PREVIEW_BYTES, TABLE_ROWS } from '../src/engine/sizes.ts';
import { CODE_DEPTH, CODE_DUPLICATE, CODE_NONE } from '../src/table/meta.ts';
import { OPTION_JSONRPC, OPTION_LINES, OPTION_SHORTCUTS } from '../src/wasm/memory-map.ts';
import { betMessage, betValue } from './bet.ts';
import { beginFrameGrammar, finishFrameGrammar } from './grammar.ts';
import { endLine, isBlank, scanLines } from './lines.ts';
import { lastNewline } from './newlines.ts';
import { spillRecord } from './record.ts';
import { writeGrammarRow } from './rows.ts';
import { run } from './run.ts';
import { captured, has, machine, options, scan } from './state.ts';
import { byteAt } from './vectors.ts';

/* What is known of the byte order mark that may open the stream; 0: nothing yet. */
const BOM_BEGUN: u8 = 1;
const BOM_SETTLED: u8 = 2;
const BOM: u32 = 0xbf_bb_ef;

/** The stream goes on at `p`. */
export function enter(p: usize): void {
  scan.position = p;
  scan.frameStart = p;
  scan.searchedEnd = p;
  scan.foundNewline = p - 1;
  // The UTF-8 check of vectors looks at the three bytes before.
  store<u32>(p - 4, 0);
}

/** Starts a new table and scans up to `to`, until the bytes or the rows run out. */
export function scanFrames(to: usize): i32 {
  scan.rowCount = 0;
  // Bytes behind are of no use; a newline there stops whatever would read on.
  store<u8>(to, LF);
  if (scan.bom != BOM_SETTLED && !settleBom(to)) return 0;
  if (has(OPTION_LINES)) {
    scanLines(to);
    return scan.rowCount;
  }
  if (scan.inFrame) resumeFrame(to);
  const last = findLastNewline(to);
  while (scan.position <= last && scan.rowCount < TABLE_ROWS) scanWholeFrame(to);
  const rest = <i32>(to - scan.position);
  // A short beginning waits for its newline, so that it can be read whole; nothing of it is looked at twice.
  if (scan.position > last && rest > 0 && (scan.inFrame || rest > options.waitBytes)) resumeFrame(to);
  return scan.rowCount;
}

/** End of the stream: a new table with at most one row, for what is left before `to`. */
export function finishStream(to: usize): i32 {
  scan.rowCount = 0;
  store<u8>(to, LF);
  const wasBegun = scan.bom == BOM_BEGUN;
  scan.bom = BOM_SETTLED;
  if (has(OPTION_LINES)) {
    if (to > scan.frameStart || scan.spilledBytes > 0) endLine(to, true);
    return scan.rowCount;
  }
  if (wasBegun) beginFrame();
  if (scan.inFrame || scan.position < to) {
    resumeFrame(to);
    endFrame(to, true);
  }
  return scan.rowCount;
}

/** The bytes from the frame's start to the position leave the window. */
export function spill(): void {
  const from = scan.frameStart;
  const to = scan.position;
  if (has(OPTION_LINES)) {
    if (scan.spilledBytes == 0) {
      memory.copy(captured, from, min<usize>(to - from, PREVIEW_BYTES));
      scan.spilledBlank = true;
    }
    scan.spilledBlank = scan.spilledBlank && isBlank(from, to);
  } else {
    spillRecord(from, to, scan.spilledBytes == 0);
  }
  scan.spilledBytes += to - from;
  if (to > from) scan.spilledCr = byteAt(to - 1) == CR;
}

/** Skips one byte order mark at the start of the stream. False: more bytes are needed to tell. */
function settleBom(to: usize): bool {
  const start = scan.position;
  const length = to - start;
  const bytes = load<u32>(start) & 0xff_ffff;
  if (length < 3) {
    const seen: u32 = (1 << ((<u32>length) << 3)) - 1;
    if ((bytes & seen) == (BOM & seen)) {
      if (length > 0) scan.bom = BOM_BEGUN;
      return false;
    }
  } else if (bytes == BOM) {
    scan.position += 3;
    scan.frameStart = scan.position;
  }
  scan.bom = BOM_SETTLED;
  return true;
}

/** Position of the last newline before `to`; before `position` when there is none. Searched once per read, however many tables it fills. */
function findLastNewline(to: usize): usize {
  if (to == scan.searchedEnd || scan.position >= to) return scan.foundNewline;
  const from = max(scan.position, scan.searchedEnd);
  const found = lastNewline(from, to);
  scan.searchedEnd = to;
  if (found >= from) scan.foundNewline = found;
  return scan.foundNewline;
}

// @inline
function scanWholeFrame(to: usize): void {
  const start = scan.position;
  let newline: usize = 0;
  if (has(OPTION_SHORTCUTS)) newline = has(OPTION_JSONRPC) ? betMessage(start, to) : betValue(start, to);
  if (newline == 0) {
    // The newline that is known to follow ends it.
    resumeFrame(to);
    return;
  }
  scan.position = newline + 1;
  scan.frameStart = newline + 1;
}

function beginFrame(): void {
  scan.frameStart = scan.position;
  scan.inFrame = true;
  scan.spilledBytes = 0;
  scan.spilledCr = false;
  beginFrameGrammar();
}

/** Lets the grammar go on with the current frame, or begin one, up to its newline or `to`. */
function resumeFrame(to: usize): void {
  if (!scan.inFrame) beginFrame();
  const stop = run(scan.position, to);
  scan.position = stop;
  if (stop < to) endFrame(stop, false);
}

/** The frame ends before `lineEnd`: settles what it was, writes its row unless it is blank. */
function endFrame(lineEnd: usize, unterminated: bool): void {
  const lastIsCr = lineEnd > scan.frameStart ? byteAt(lineEnd - 1) == CR : scan.spilledCr;
  const length = <i64>(lineEnd - scan.frameStart) + scan.spilledBytes - (lastIsCr ? 1 : 0);
  finishFrameGrammar(length);
  if (machine.state != BLANK) writeGrammarRow(length, lineEnd, unterminated, isWholeObject());
  else if (!unterminated) scan.blankFrames++;
  scan.inFrame = false;
  scan.spilledBytes = 0;
  scan.position = unterminated ? lineEnd : lineEnd + 1;
  scan.frameStart = scan.position;
}

/** An object closes itself, so a cut one is told apart. A fault that leaves it parsable (depth, a duplicate member) keeps its own code. */
function isWholeObject(): bool {
  if (machine.state != ROOT_DONE || machine.rootForm != FORM_OBJECT || !machine.textIsGood) return false;
  const code = machine.faultCode;
  return code == CODE_NONE || code == CODE_DEPTH || code == CODE_DUPLICATE;
}
