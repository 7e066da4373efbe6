import { CR, LF } from '../bytes.ts';
import { type FrameScanner, type ScanArea, type ScanOptions, waitBytes } from '../engine/engine.ts';
import { FORM_NONE, FORM_OBJECT } from '../engine/forms.ts';
import { PREVIEW_BYTES, TABLE_ROWS } from '../engine/sizes.ts';
import {
  CODE_DEPTH,
  CODE_DUPLICATE,
  CODE_NONE,
  CODE_TOO_LARGE,
  CODE_TRUNCATED,
  ID_INTEGER_SPELLED,
  ID_STRING,
  ID_UNUSABLE,
  KIND_FAULT,
  KIND_VALUE,
} from '../table/meta.ts';
import {
  CODE_SHIFT,
  END,
  FAULT_OFFSET,
  FLAG_ASCII,
  FLAG_DROPPED,
  FLAG_ERROR,
  FLAG_METHOD,
  FLAG_PARAMS,
  FLAG_RESULT,
  FLAG_STORED,
  FLAG_UNTERMINATED,
  ID_END,
  ID_FORM_SHIFT,
  ID_START,
  LINE_END,
  META,
  METHOD_END,
  METHOD_START,
  PAYLOAD_END,
  PAYLOAD_START,
  ROW_WORDS,
  START,
} from '../table/row.ts';
import { NO_WORDS } from '../text/plain-text.ts';
import type { ScalarArea } from './area.ts';
import { envelopeCode, envelopeKind } from './envelope.ts';
import { GrammarMachine } from './machine.ts';
import { MAX_BET_LEVELS } from './nesting.ts';
import { speculate } from './speculate.ts';
import { skipStreamBom } from './stream-bom.ts';
import { validValueEnd } from './valid-value.ts';

const MAX_INT32 = 2 ** 31 - 1;
const NO_BYTES = new Uint8Array(0);
/** The last newline of a read is looked for in so many bytes with a loop, which makes no view as the native search does. */
const NEAR_BYTES = 256;

/**
 * The scalar engine: whole frames by speculation, everything else by the grammar machine. Nothing is scanned twice but the frame on
 * which a bet was lost: the last newline of a read is looked up first, and what follows it waits, or goes to the machine if it is long.
 */
export class ScalarScanner implements FrameScanner {
  rowCount = 0;
  position = 0;
  frameStart = 0;
  blankFrames = 0;
  longFrameBytes = 0;

  /** The window and the slack behind it: the bets look a few bytes ahead. */
  #bytes: Uint8Array = NO_BYTES;
  #words: Int32Array = NO_WORDS;
  #rows: Int32Array = NO_WORDS;
  readonly #options: ScanOptions;
  readonly #machine: GrammarMachine;
  readonly #isPlain: boolean;
  readonly #valueLevels: number;
  readonly #waitBytes: number;
  readonly #bets: boolean;
  /** The machine is inside a frame. */
  #inFrame = false;
  /** Bytes of the unfinished frame that have left the window. */
  #spilledBytes = 0;
  /** Bytes matched of the byte order mark that may open the stream; -1 once that is settled. */
  #bom = 0;
  /** The window's bytes up to here have been searched for their last newline, which is at `#foundNewline`, or -1. */
  #searchedEnd = 0;
  #foundNewline = -1;
  /** The last byte that left the window was a CR: it belongs to the frame unless a newline follows. */
  #spilledCr = false;

  constructor(options: ScanOptions) {
    this.#options = options;
    this.#machine = new GrammarMachine(options);
    this.#isPlain = options.envelope === 'none';
    this.#bets = options.shortcuts !== false;
    this.#waitBytes = this.#bets ? waitBytes(options.windowBytes) : 0;
    this.#valueLevels = Math.min(options.maxDepth, MAX_BET_LEVELS);
  }

  get captured(): Uint8Array {
    return this.#machine.envelope.captured;
  }

  get hasSpilled(): boolean {
    return this.#spilledBytes > 0;
  }

  enter(area: ScanArea, at: number): void {
    const { bytes, words, rows } = area as ScalarArea;
    this.#bytes = bytes;
    this.#words = words;
    this.#rows = rows;
    this.position = at;
    this.frameStart = at;
    this.#searchedEnd = at;
    this.#foundNewline = -1;
    this.#machine.envelope.enter(at);
  }

  scan(end: number): number {
    this.rowCount = 0;
    if (this.#bom >= 0 && !this.#settleBom(end)) return 0;
    if (this.#inFrame) this.#resumeFrame(end);
    const lastNewline = this.#lastNewline(end);
    while (this.position <= lastNewline && this.rowCount < TABLE_ROWS) this.#scanWholeFrame();
    const rest = end - this.position;
    // A short beginning waits for its newline, so that it can be read whole; nothing of it is looked at twice.
    if (this.position > lastNewline && rest > 0 && (this.#inFrame || rest > this.#waitBytes)) {
      this.#resumeFrame(end);
    }
    return this.rowCount;
  }

  finish(end: number): number {
    this.rowCount = 0;
    if (this.#bom > 0) this.#beginFrame(this.position);
    this.#bom = -1;
    if (this.#inFrame || this.position < end) {
      this.#resumeFrame(end);
      this.#endFrame(end, true);
    }
    return this.rowCount;
  }

  spill(): void {
    const from = this.frameStart;
    const to = this.position;
    this.#machine.envelope.spill(this.#bytes, from, to, this.#base(), this.#spilledBytes === 0);
    this.#spilledBytes += to - from;
    if (to > from) this.#spilledCr = this.#bytes[to - 1] === CR;
    this.frameStart = to;
  }

  close(): void {
    this.#bytes = NO_BYTES;
    this.#words = NO_WORDS;
    this.#rows = NO_WORDS;
  }

  /** Where the frame's first byte is, or would be, in the window. */
  #base(): number {
    return this.frameStart - this.#spilledBytes;
  }

  /** Skips one byte order mark at the start of the stream. False: more bytes are needed to tell. */
  #settleBom(end: number): boolean {
    const matched = skipStreamBom(this.#bytes, this.position, end);
    if (matched < 0) {
      this.#bom = end - this.position;
      return false;
    }
    this.position += matched;
    this.frameStart = this.position;
    this.#bom = -1;
    return true;
  }

  /** Position of the last newline before `end`; before `position` when there is none. Searched once per read, however many tables it fills. */
  #lastNewline(end: number): number {
    if (end === this.#searchedEnd || this.position >= end) return this.#foundNewline;
    const bytes = this.#bytes;
    // Bounds the backward search to the new bytes, so that work stays linear.
    const from = Math.max(this.position, this.#searchedEnd);
    const near = Math.max(from, end - NEAR_BYTES);
    let index = end - 1;
    while (index >= near && bytes[index] !== LF) index--;
    if (index < near) {
      // The view is the one object that a read may cost here, and only when its last frame is not a short one.
      index = bytes.subarray(from, near).lastIndexOf(LF);
      index = index < 0 ? -1 : from + index;
    }
    this.#searchedEnd = end;
    if (index >= 0) this.#foundNewline = index;
    return this.#foundNewline;
  }

  #scanWholeFrame(): void {
    const newline = this.#bets ? this.#bet(this.position) : 0;
    if (newline > 0) {
      this.rowCount++;
      this.position = newline + 1;
      this.frameStart = newline + 1;
      return;
    }
    // The machine stops at the newline that is known to follow.
    this.#resumeFrame(this.#bytes.length);
  }

  #bet(start: number): number {
    return this.#isPlain
      ? this.#speculateValue(start)
      : speculate(this.#bytes, this.#words, start, this.#rows, this.rowCount, this.#options);
  }

  /** The plain NDJSON bet: any valid value. Returns the position of the newline, or 0. */
  #speculateValue(start: number): number {
    const signedEnd = validValueEnd(this.#bytes, this.#words, start, this.#valueLevels);
    const end = signedEnd < 0 ? -signedEnd : signedEnd;
    const newline = this.#bytes[end] === CR ? end + 1 : end;
    if (end === 0 || this.#bytes[newline] !== LF || end - start > this.#options.maxFrameBytes) return 0;
    this.#writeRow(start, end, newline, KIND_VALUE | (signedEnd < 0 ? 0 : FLAG_ASCII), 0);
    return newline;
  }

  #beginFrame(start: number): void {
    this.frameStart = start;
    this.#inFrame = true;
    this.#spilledBytes = 0;
    this.#spilledCr = false;
    this.#machine.begin();
  }

  /** Lets the machine go on with the current frame, or begin one, up to its newline or `end`. */
  #resumeFrame(end: number): void {
    if (!this.#inFrame) this.#beginFrame(this.position);
    const stop = this.#machine.run(this.#bytes, this.#words, this.position, end, this.#base());
    this.position = stop;
    if (stop < end) this.#endFrame(stop, false);
  }

  /** The frame ends before `lineEnd`: settles what it was, writes its row unless it is blank. */
  #endFrame(lineEnd: number, unterminated: boolean): void {
    const machine = this.#machine;
    const lastIsCr = lineEnd > this.frameStart ? this.#bytes[lineEnd - 1] === CR : this.#spilledCr;
    const length = lineEnd - this.#base() - (lastIsCr ? 1 : 0);
    machine.finish(length);
    if (!machine.blank) this.#writeMachineRow(length, lineEnd, unterminated);
    else if (!unterminated) this.blankFrames++;
    this.#inFrame = false;
    this.#spilledBytes = 0;
    this.frameStart = unterminated ? lineEnd : lineEnd + 1;
    this.position = this.frameStart;
  }

  #writeMachineRow(length: number, lineEnd: number, unterminated: boolean): void {
    const machine = this.#machine;
    if (length > this.#options.maxFrameBytes) {
      machine.faultCode = CODE_TOO_LARGE;
      machine.faultOffset = this.#options.maxFrameBytes;
    } else if (unterminated && !this.#isWholeObject()) {
      machine.faultCode = CODE_TRUNCATED;
      machine.faultOffset = length;
    }
    const isFault = machine.faultCode !== CODE_NONE;
    const envelopeBreach = isFault || this.#isPlain ? CODE_NONE : this.#envelopeBreach();
    let meta = machine.faultCode << CODE_SHIFT;
    if (isFault) meta |= KIND_FAULT;
    else if (this.#isPlain) meta |= KIND_VALUE;
    else meta |= envelopeKind(machine.envelope, envelopeBreach) | (envelopeBreach << CODE_SHIFT);
    // Behind a fault nobody has looked at the bytes.
    if (machine.ascii && !isFault) meta |= FLAG_ASCII;
    if (unterminated) meta |= FLAG_UNTERMINATED;
    const spilled = this.#spilledBytes > 0;
    if (spilled) {
      meta |= machine.faultCode === CODE_TOO_LARGE ? FLAG_DROPPED : FLAG_STORED;
      this.longFrameBytes = length;
      this.#writeRow(0, Math.min(length, MAX_INT32), lineEnd, meta, machine.faultOffset);
    } else {
      this.#writeRow(this.frameStart, this.frameStart + length, lineEnd, meta, machine.faultOffset);
    }
    // Of a faulty frame nothing is believed, but one that is only too large still says whose it is.
    const isTooLarge = machine.faultCode === CODE_TOO_LARGE;
    if (!this.#isPlain && (!isFault || isTooLarge)) this.#writeMembers(isTooLarge, spilled && isTooLarge);
    this.rowCount++;
  }

  /** An object closes itself, so a cut one is told apart. A fault that leaves it parsable (depth, a duplicate member) keeps its own code. */
  #isWholeObject(): boolean {
    const machine = this.#machine;
    if (!machine.rootDone || machine.rootForm !== FORM_OBJECT || !machine.textIsGood) return false;
    const code = machine.faultCode;
    return code === CODE_NONE || code === CODE_DEPTH || code === CODE_DUPLICATE;
  }

  #envelopeBreach(): number {
    const envelope = this.#machine.envelope;
    envelope.rootForm = this.#machine.rootForm;
    return envelopeCode(envelope);
  }

  #writeRow(start: number, end: number, lineEnd: number, meta: number, faultOffset: number): void {
    const at = this.rowCount * ROW_WORDS;
    this.#rows.fill(0, at, at + ROW_WORDS);
    this.#rows[at + START] = start;
    this.#rows[at + END] = end;
    this.#rows[at + META] = meta;
    this.#rows[at + FAULT_OFFSET] = faultOffset;
    this.#rows[at + LINE_END] = lineEnd;
  }

  #writeMembers(isTooLarge: boolean, isDropped: boolean): void {
    const envelope = this.#machine.envelope;
    const at = this.rowCount * ROW_WORDS;
    const rows = this.#rows;
    let idForm = envelope.trustedIdForm;
    const hasId =
      idForm >= ID_STRING && idForm <= ID_INTEGER_SPELLED && !(isTooLarge && envelope.isIdTooLong);
    if (!hasId && idForm >= ID_STRING) idForm = ID_UNUSABLE;
    const hasMethod = envelope.trustsMethod && !(isTooLarge && envelope.isMethodTooLong);
    let flags = idForm << ID_FORM_SHIFT;
    if (envelope.methodForm !== FORM_NONE) flags |= FLAG_METHOD;
    if (envelope.paramsForm !== FORM_NONE) flags |= FLAG_PARAMS;
    if (envelope.resultForm !== FORM_NONE) flags |= FLAG_RESULT;
    if (envelope.errorForm !== FORM_NONE) flags |= FLAG_ERROR;
    rows[at + META] |= flags;
    // Of a dropped frame the captured copies are all that is left.
    if (isDropped) envelope.captureMembers(this.#bytes, this.frameStart, this.#base());
    if (hasId) {
      rows[at + ID_START] = isDropped ? PREVIEW_BYTES : envelope.idStart;
      rows[at + ID_END] = rows[at + ID_START] + envelope.idEnd - envelope.idStart;
    }
    if (hasMethod) {
      rows[at + METHOD_START] = isDropped ? envelope.capturedMethodStart : envelope.methodStart;
      rows[at + METHOD_END] = rows[at + METHOD_START] + envelope.methodEnd - envelope.methodStart;
    }
    if (isTooLarge) return;
    const isCall = envelope.methodForm !== FORM_NONE;
    rows[at + PAYLOAD_START] = isCall ? envelope.paramsStart : envelope.outcomeStart;
    rows[at + PAYLOAD_END] = isCall ? envelope.paramsEnd : envelope.outcomeEnd;
  }
}
