import {
  ESCAPE_CLASS,
  IN_BACKSLASH,
  IN_CONTROL,
  IN_QUOTE,
  IS_HEX,
  OUT_CLOSE,
  OUT_NEWLINE,
  OUT_OPEN,
  OUT_QUOTE,
  SKIM_CLASS,
  STRING_CLASS,
} from '../byte-classes.ts';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  CR,
  DIGIT_0,
  DIGIT_1,
  DIGIT_9,
  DOT,
  LF,
  LOWER_E,
  LOWER_F,
  LOWER_N,
  LOWER_T,
  MINUS,
  NON_ASCII,
  OPEN_BRACE,
  OPEN_BRACKET,
  PLUS,
  QUOTE,
  SPACE,
  TAB,
  UPPER_A,
  UPPER_E,
  UPPER_Z,
} from '../bytes.ts';
import type { ScanOptions } from '../engine/engine.ts';
import {
  FORM_ARRAY,
  FORM_BOOLEAN,
  FORM_NONE,
  FORM_NULL,
  FORM_NUMBER,
  FORM_OBJECT,
  FORM_STRING,
} from '../engine/forms.ts';
import {
  AFTER_VALUE,
  ARRAY_FIRST,
  BAD,
  BLANK,
  COLON_NEXT,
  KEY,
  LITERAL,
  LSP,
  NUMBER_DOT,
  NUMBER_E,
  NUMBER_EXPONENT,
  NUMBER_FRACTION,
  NUMBER_INTEGER,
  NUMBER_MINUS,
  NUMBER_SIGN,
  NUMBER_ZERO,
  OBJECT_FIRST,
  ROOT_DONE,
  SKIM,
  SKIM_ESCAPE,
  SKIM_STRING,
  STRING,
  STRING_ESCAPE,
  STRING_HEX,
  UTF8,
  VALUE,
} from '../engine/grammar-states.ts';
import {
  CODE_BOM,
  CODE_DEPTH,
  CODE_DUPLICATE,
  CODE_LSP_HEADER,
  CODE_NONE,
  CODE_SYNTAX,
  CODE_TRAILING,
  CODE_UTF8,
} from '../table/meta.ts';
import { plainTextEnd } from '../text/plain-text.ts';
import { EnvelopeRecord } from './envelope-record.ts';
import { secondHigh, secondLow, sequenceEnd, TRAIL_COUNT } from './utf8.ts';

const LSP_HEADER = 'content-length:';
const LITERALS = ['true', 'false', 'null'];
const NOTHING = new Uint8Array(0);

/**
 * The whole grammar, one byte at a time, resumable after any byte: the reference that everything faster must agree with.
 * One instance per stream; `begin` starts a frame, `run` takes bytes until a newline, `finish` says what the frame was.
 *
 * Positions handed out are relative to the frame's first byte. Faults: the first by offset is kept, and the machine goes on
 * after those that leave the structure readable (UTF-8, depth, a duplicate member), so that id and method stay known.
 */
export class GrammarMachine {
  /** Code of the first fault, or `CODE_NONE`. */
  faultCode: number = CODE_NONE;
  /** First byte that cannot belong, relative to the frame. */
  faultOffset = 0;
  /** No byte above 0x7F so far. */
  ascii = true;
  /** Text so far is what the options ask of it, also behind an earlier fault. */
  textIsGood = true;
  readonly envelope: EnvelopeRecord;

  #state = BLANK;
  #depth = 0;
  /** `OPEN_BRACE` or `OPEN_BRACKET` per level, from 1. Grows up to `maxDepth`. */
  #containers = new Uint8Array(64);
  /** While skimming: the level at which the full grammar takes over again. */
  #skimFloor = 0;
  #stringIsKey = false;
  #hexLeft = 0;
  #literal = '';
  #matched = 0;
  /** State to go back to after a split multi-byte sequence; `BAD` when the sequence stands where no text may be. */
  #utf8Return = STRING;
  #utf8Start = 0;
  #utf8Left = 0;
  #utf8Low = 0;
  #utf8High = 0;
  /** Code of a sequence that stands where no text may be, once it proves well-formed. */
  #sequenceCode = CODE_SYNTAX;
  #rootForm = FORM_NONE;

  readonly #strictUtf8: boolean;
  readonly #skimsNested: boolean;
  readonly #maxDepth: number;

  constructor(options: ScanOptions) {
    this.envelope = new EnvelopeRecord(options);
    this.#strictUtf8 = options.utf8 === 'strict';
    this.#skimsNested = options.validate === 'envelope';
    this.#maxDepth = options.maxDepth;
  }

  /** Forgets the last frame. */
  begin(): void {
    this.faultCode = CODE_NONE;
    this.faultOffset = 0;
    this.ascii = true;
    this.textIsGood = true;
    this.#state = BLANK;
    this.#depth = 0;
    this.#rootForm = FORM_NONE;
    this.envelope.begin();
  }

  /** Only white space so far. */
  get blank(): boolean {
    return this.#state === BLANK;
  }

  /** The root value is whole and only white space followed. */
  get rootDone(): boolean {
    return this.#state === ROOT_DONE;
  }

  /** Type of the root value (`FORM_…`). */
  get rootForm(): number {
    return this.#rootForm;
  }

  /**
   * Takes bytes from `from` up to a newline or `to`, and returns where it stopped (a newline is not taken).
   * `words` covers the same memory (see `plainTextEnd`). `base` is the position of the frame's first byte in `bytes`, negative when it has left the window.
   * Cost: one table look-up per byte inside strings and skimmed values, one switch per byte elsewhere.
   */
  run(bytes: Uint8Array, words: Int32Array, from: number, to: number, base: number): number {
    let i = from;
    while (i < to) {
      const byte = bytes[i];
      if (byte === LF) return i;
      switch (this.#state) {
        case STRING:
          i = this.#runString(bytes, words, i, to, base);
          continue;
        case SKIM:
          i = this.#runSkim(bytes, i, to, base);
          continue;
        case SKIM_STRING:
          i = this.#runSkimString(bytes, words, i, to, base);
          continue;
        case BAD: {
          const newline = bytes.subarray(i, to).indexOf(LF);
          return newline < 0 ? to : i + newline;
        }
        case UTF8:
          if (this.#takeTrail(byte)) i++;
          continue;
        default:
          // A number ends at the first byte that is not part of it; that byte is then looked at again.
          if (this.#take(byte, i - base, bytes, i, base)) i++;
      }
    }
    return i;
  }

  /**
   * The newline or the end of the stream is reached, `length` bytes after the frame's first byte (without a dropped CR).
   * Settles a value that only the end can end, and reports what is missing.
   */
  finish(length: number): void {
    switch (this.#state) {
      case BLANK:
      case ROOT_DONE:
      case BAD:
        return;
      case NUMBER_ZERO:
      case NUMBER_INTEGER:
      case NUMBER_FRACTION:
      case NUMBER_EXPONENT:
        if (this.#depth === 0) {
          this.#state = ROOT_DONE;
          return;
        }
        break;
      case UTF8:
        this.#endSequence(false);
        break;
      case LSP:
        this.fault(CODE_SYNTAX, 0);
        break;
    }
    this.fault(CODE_SYNTAX, length);
    this.#state = BAD;
  }

  /** Records a fault unless an earlier one stands: offsets only grow, so the first is the smallest. */
  fault(code: number, offset: number): void {
    if (this.faultCode !== CODE_NONE) return;
    this.faultCode = code;
    this.faultOffset = offset;
  }

  /** One byte outside strings and skimmed values. False: the byte was not taken, look again in the new state. */
  #take(byte: number, at: number, bytes: Uint8Array, i: number, base: number): boolean {
    switch (this.#state) {
      case BLANK:
        if (isSpace(byte)) return true;
        this.#state = VALUE;
        return false;
      case VALUE:
        return isSpace(byte) || this.#takeValue(byte, at);
      case ARRAY_FIRST:
        if (byte === CLOSE_BRACKET) return this.#close(byte, at);
        return isSpace(byte) || this.#takeValue(byte, at);
      case OBJECT_FIRST:
        if (byte === CLOSE_BRACE) return this.#close(byte, at);
        return isSpace(byte) || this.#takeKey(byte, at);
      case KEY:
        return isSpace(byte) || this.#takeKey(byte, at);
      case COLON_NEXT:
        if (isSpace(byte)) return true;
        if (byte !== COLON) return this.#stray(byte, at);
        this.#state = VALUE;
        return true;
      case AFTER_VALUE:
        return isSpace(byte) || this.#takeSeparator(byte, at);
      case ROOT_DONE:
        return isSpace(byte) || this.#stray(byte, at);
      case STRING_ESCAPE:
        return this.#takeEscape(byte, at);
      case STRING_HEX:
        if (IS_HEX[byte] === 0) return this.#stray(byte, at);
        if (--this.#hexLeft === 0) this.#state = STRING;
        return true;
      case SKIM_ESCAPE:
        if (byte < SPACE) return this.#stray(byte, at);
        this.#state = SKIM_STRING;
        return byte < NON_ASCII;
      case LITERAL:
        return this.#takeLiteral(byte, at, bytes, i, base);
      case LSP:
        return this.#takeLspHeader(byte);
      default:
        return this.#takeNumber(byte, at, bytes, i, base);
    }
  }

  /** The first byte of a value. */
  #takeValue(byte: number, at: number): boolean {
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return this.#open(byte, at);
    if (byte === QUOTE) {
      this.#beginValue(FORM_STRING, at);
      this.#stringIsKey = false;
      this.#state = STRING;
      return true;
    }
    const isDigit = byte >= DIGIT_0 && byte <= DIGIT_9;
    if (isDigit || byte === MINUS) {
      this.#beginValue(FORM_NUMBER, at);
      this.#noteNumberByte(byte);
      this.#state = byte === MINUS ? NUMBER_MINUS : byte === DIGIT_0 ? NUMBER_ZERO : NUMBER_INTEGER;
      return true;
    }
    if (byte === LOWER_T || byte === LOWER_F || byte === LOWER_N) {
      this.#beginValue(byte === LOWER_N ? FORM_NULL : FORM_BOOLEAN, at);
      this.#literal = LITERALS[byte === LOWER_T ? 0 : byte === LOWER_F ? 1 : 2];
      this.#matched = 1;
      this.#state = LITERAL;
      return true;
    }
    return this.#stray(byte, at);
  }

  #takeKey(byte: number, at: number): boolean {
    if (byte !== QUOTE) return this.#stray(byte, at);
    this.#stringIsKey = true;
    if (this.#depth === 1) this.envelope.beginKey(at);
    this.#state = STRING;
    return true;
  }

  #takeSeparator(byte: number, at: number): boolean {
    if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) return this.#close(byte, at);
    if (byte !== COMMA) return this.#stray(byte, at);
    this.#state = this.#containers[this.#depth] === OPEN_BRACE ? KEY : VALUE;
    return true;
  }

  #open(byte: number, at: number): boolean {
    this.#beginValue(byte === OPEN_BRACE ? FORM_OBJECT : FORM_ARRAY, at);
    const level = this.#depth + 1;
    const tooDeep = level > this.#maxDepth;
    if (tooDeep) this.fault(CODE_DEPTH, at);
    if (tooDeep || (this.#skimsNested && level === 2)) {
      this.#skimFloor = this.#depth;
      this.#state = SKIM;
    } else {
      this.#state = byte === OPEN_BRACE ? OBJECT_FIRST : ARRAY_FIRST;
    }
    this.#push(byte);
    return true;
  }

  #push(byte: number): void {
    const level = ++this.#depth;
    if (level > this.#maxDepth) return; // counted, but their kinds are no longer compared
    if (level === this.#containers.length) this.#growContainers();
    this.#containers[level] = byte;
  }

  #growContainers(): void {
    const grown = new Uint8Array(Math.min(this.#containers.length * 2, this.#maxDepth + 1));
    grown.set(this.#containers);
    this.#containers = grown;
  }

  #closesOpen(byte: number): boolean {
    if (this.#depth > this.#maxDepth) return true;
    return this.#containers[this.#depth] === (byte === CLOSE_BRACE ? OPEN_BRACE : OPEN_BRACKET);
  }

  #close(byte: number, at: number): boolean {
    if (!this.#closesOpen(byte)) return this.#stray(byte, at);
    this.#depth--;
    this.#endValue(at + 1);
    return true;
  }

  #beginValue(form: number, at: number): void {
    if (this.#depth === 0) this.#rootForm = form;
    else if (this.#depth === 1 && this.#rootForm === FORM_OBJECT) this.envelope.beginValue(form, at);
  }

  /** A value ended just before `end`, at the level that is current now. `bytes` is given for the forms that may be an envelope member. */
  #endValue(end: number, bytes: Uint8Array = NOTHING, base = 0): void {
    if (this.#depth === 0) {
      this.#state = ROOT_DONE;
      return;
    }
    this.#state = AFTER_VALUE;
    if (this.#depth === 1 && this.#rootForm === FORM_OBJECT) this.envelope.endValue(end, bytes, base);
  }

  #endKey(end: number, bytes: Uint8Array, base: number): void {
    this.#state = COLON_NEXT;
    if (this.#depth !== 1) return;
    const duplicateAt = this.envelope.endKey(end, bytes, base);
    if (duplicateAt > 0) this.fault(CODE_DUPLICATE, duplicateAt);
  }

  /** A byte that cannot stand here. A multi-byte sequence is read to its end first: if it is ill-formed, that is the fault. */
  #stray(byte: number, at: number): boolean {
    if (byte >= NON_ASCII) {
      this.#beginSequence(byte, at, BAD);
      return true;
    }
    if (at === 0 && lowerCase(byte) === LSP_HEADER.charCodeAt(0)) {
      this.#matched = 1;
      this.#state = LSP;
      return true;
    }
    this.fault(this.#strayCode(), at);
    this.#state = BAD;
    return true;
  }

  #strayCode(): number {
    const closed =
      this.#rootForm === FORM_OBJECT || this.#rootForm === FORM_ARRAY || this.#rootForm === FORM_STRING;
    return this.#state === ROOT_DONE && closed ? CODE_TRAILING : CODE_SYNTAX;
  }

  #takeLspHeader(byte: number): boolean {
    if (lowerCase(byte) !== LSP_HEADER.charCodeAt(this.#matched)) {
      this.fault(CODE_SYNTAX, 0);
      this.#state = BAD;
    } else if (++this.#matched === LSP_HEADER.length) {
      this.fault(CODE_LSP_HEADER, 0);
      this.#state = BAD;
    }
    return true;
  }

  #takeLiteral(byte: number, at: number, bytes: Uint8Array, i: number, base: number): boolean {
    if (byte !== this.#literal.charCodeAt(this.#matched)) return this.#stray(byte, at);
    if (++this.#matched === this.#literal.length) this.#endValue(i + 1 - base, bytes, base);
    return true;
  }

  #takeNumber(byte: number, at: number, bytes: Uint8Array, i: number, base: number): boolean {
    const next = numberStateAfter(this.#state, byte);
    if (next === BAD) return this.#stray(byte, at);
    if (next === AFTER_VALUE) {
      this.#endValue(i - base, bytes, base);
      return false;
    }
    this.#noteNumberByte(byte);
    this.#state = next;
    return true;
  }

  #noteNumberByte(byte: number): void {
    if (this.#depth === 1) this.envelope.noteNumberByte(byte);
  }

  #takeEscape(byte: number, at: number): boolean {
    const kind = ESCAPE_CLASS[byte];
    if (kind === 0) return this.#stray(byte, at);
    this.#hexLeft = 4;
    this.#state = kind === 2 ? STRING_HEX : STRING;
    return true;
  }

  /** Inside a string whose grammar counts. */
  #runString(bytes: Uint8Array, words: Int32Array, from: number, to: number, base: number): number {
    let i = from;
    for (;;) {
      i = plainTextEnd(bytes, words, i, to);
      if (i === to) return i;
      switch (STRING_CLASS[bytes[i]]) {
        case IN_QUOTE:
          if (this.#stringIsKey) this.#endKey(i + 1 - base, bytes, base);
          else this.#endValue(i + 1 - base, bytes, base);
          return i + 1;
        case IN_BACKSLASH:
          if (i + 1 === to || ESCAPE_CLASS[bytes[i + 1]] !== 1) {
            this.#state = STRING_ESCAPE;
            return i + 1;
          }
          i += 2;
          break;
        case IN_CONTROL:
          return this.#endText(bytes, i, base);
        default:
          return this.#runNonAscii(bytes, i, to, base, STRING);
      }
    }
  }

  /** Between the brackets of a value of which only structure, strings and UTF-8 are checked. */
  #runSkim(bytes: Uint8Array, from: number, to: number, base: number): number {
    let i = from;
    while (i < to && SKIM_CLASS[bytes[i]] === 0) i++;
    if (i === to) return i;
    switch (SKIM_CLASS[bytes[i]]) {
      case OUT_QUOTE:
        this.#state = SKIM_STRING;
        return i + 1;
      case OUT_OPEN:
        if (this.#depth === this.#maxDepth) this.fault(CODE_DEPTH, i - base);
        this.#push(bytes[i]);
        return i + 1;
      case OUT_CLOSE:
        if (!this.#closesOpen(bytes[i])) this.#stray(bytes[i], i - base);
        else if (--this.#depth === this.#skimFloor) this.#endValue(i + 1 - base);
        return i + 1;
      case OUT_NEWLINE:
        return i;
      default:
        return this.#runNonAscii(bytes, i, to, base, SKIM);
    }
  }

  #runSkimString(bytes: Uint8Array, words: Int32Array, from: number, to: number, base: number): number {
    let i = from;
    for (;;) {
      i = plainTextEnd(bytes, words, i, to);
      if (i === to) return i;
      switch (STRING_CLASS[bytes[i]]) {
        case IN_QUOTE:
          this.#state = SKIM;
          return i + 1;
        case IN_BACKSLASH:
          if (i + 1 === to || bytes[i + 1] < SPACE || bytes[i + 1] >= NON_ASCII) {
            this.#state = SKIM_ESCAPE;
            return i + 1;
          }
          i += 2;
          break;
        case IN_CONTROL:
          return this.#endText(bytes, i, base);
        default:
          return this.#runNonAscii(bytes, i, to, base, SKIM_STRING);
      }
    }
  }

  /** A control byte inside a string: the newline is left for the caller, any other cannot stand there. */
  #endText(bytes: Uint8Array, i: number, base: number): number {
    if (bytes[i] === LF) return i;
    this.#stray(bytes[i], i - base);
    return i + 1;
  }

  /** Multi-byte text: whole sequences at once, then byte by byte where one is ill-formed or split. */
  #runNonAscii(bytes: Uint8Array, from: number, to: number, base: number, state: number): number {
    this.ascii = false;
    let i = from;
    while (i < to && bytes[i] >= NON_ASCII) {
      const end = sequenceEnd(bytes, i, to);
      if (end === 0) {
        this.#beginSequence(bytes[i], i - base, state);
        return i + 1;
      }
      i = end;
    }
    return i;
  }

  #beginSequence(lead: number, at: number, returnState: number): void {
    // Asked of the state before it changes: a stray sequence after a whole root is trailing.
    this.#sequenceCode = at === 0 && lead === 0xef ? CODE_BOM : this.#strayCode();
    this.ascii = false;
    this.#utf8Return = returnState;
    this.#utf8Start = at;
    this.#utf8Left = TRAIL_COUNT[lead];
    this.#utf8Low = secondLow(lead);
    this.#utf8High = secondHigh(lead);
    this.#state = UTF8;
    if (this.#utf8Left === 0) this.#endSequence(false);
  }

  /** The next byte of a split sequence. False: it does not belong to it. */
  #takeTrail(byte: number): boolean {
    if (byte < this.#utf8Low || byte > this.#utf8High) {
      this.#endSequence(false);
      return false;
    }
    // U+FEFF is EF BB BF; any other sequence that begins with EF is not a byte order mark.
    if (this.#sequenceCode === CODE_BOM && byte !== (this.#utf8Left === 2 ? 0xbb : 0xbf)) {
      this.#sequenceCode = CODE_SYNTAX;
    }
    this.#utf8Low = 0x80;
    this.#utf8High = 0xbf;
    if (--this.#utf8Left === 0) this.#endSequence(true);
    return true;
  }

  #endSequence(wellFormed: boolean): void {
    if (!wellFormed && this.#sequenceCode === CODE_BOM) this.#sequenceCode = CODE_SYNTAX;
    if (!wellFormed && this.#strictUtf8) {
      this.textIsGood = false;
      this.fault(CODE_UTF8, this.#utf8Start);
    } else if (this.#utf8Return === BAD) this.fault(this.#sequenceCode, this.#utf8Start);
    this.#state = this.#utf8Return;
  }
}

function lowerCase(byte: number): number {
  return byte >= UPPER_A && byte <= UPPER_Z ? byte | 0x20 : byte;
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === TAB || byte === CR;
}

/** The number state after `byte`; `AFTER_VALUE` when the number ended before it, `BAD` when it cannot stand there. */
function numberStateAfter(state: number, byte: number): number {
  const isDigit = byte >= DIGIT_0 && byte <= DIGIT_9;
  switch (state) {
    case NUMBER_MINUS:
      return byte === DIGIT_0 ? NUMBER_ZERO : byte >= DIGIT_1 && isDigit ? NUMBER_INTEGER : BAD;
    case NUMBER_INTEGER:
      if (isDigit) return NUMBER_INTEGER;
      return integerEnd(byte);
    case NUMBER_ZERO:
      return integerEnd(byte);
    case NUMBER_DOT:
      return isDigit ? NUMBER_FRACTION : BAD;
    case NUMBER_FRACTION:
      if (isDigit) return NUMBER_FRACTION;
      return byte === LOWER_E || byte === UPPER_E ? NUMBER_E : AFTER_VALUE;
    case NUMBER_E:
      if (byte === PLUS || byte === MINUS) return NUMBER_SIGN;
      return isDigit ? NUMBER_EXPONENT : BAD;
    case NUMBER_SIGN:
      return isDigit ? NUMBER_EXPONENT : BAD;
    default:
      return isDigit ? NUMBER_EXPONENT : AFTER_VALUE;
  }
}

function integerEnd(byte: number): number {
  if (byte === DOT) return NUMBER_DOT;
  return byte === LOWER_E || byte === UPPER_E ? NUMBER_E : AFTER_VALUE;
}
