import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  CR,
  DIGIT_0,
  DOT,
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
  UPPER_Z,
} from '../src/bytes.ts';
import {
  FORM_ARRAY,
  FORM_BOOLEAN,
  FORM_NONE,
  FORM_NULL,
  FORM_NUMBER,
  FORM_OBJECT,
  FORM_STRING,
} from '../src/engine/forms.ts';
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
} from '../src/engine/grammar-states.ts';
import {
  CODE_BOM,
  CODE_DEPTH,
  CODE_DUPLICATE,
  CODE_LSP_HEADER,
  CODE_NONE,
  CODE_SYNTAX,
  CODE_TRAILING,
  CODE_UTF8,
} from '../src/table/meta.ts';
import { OPTION_FULL, OPTION_STRICT_UTF8 } from '../src/wasm/memory-map.ts';
import { containerOf, OBJECT } from './brackets.ts';
import { isHex, isSimpleEscape } from './escapes.ts';
import {
  beginRecord,
  beginRecordValue,
  endRecordKey,
  endRecordValue,
  noteNumberByte,
  openToken,
} from './record.ts';
import { base, containers, has, machine, options } from './state.ts';
import { secondHigh, secondLow, trailCount } from './utf8.ts';
import { byteAt } from './vectors.ts';

/*
 * The whole grammar, one byte at a time, resumable after any byte: what decides about faults, and takes what the accelerators leave.
 *
 * Positions in events are relative to the frame's first byte. The first fault by offset is kept; after those that leave the structure
 * readable (UTF-8, depth, a duplicate member) the grammar goes on, so that id and method stay known.
 */

const LITERAL_TRUE: i64 = 0x65_75_72_74;
const LITERAL_NULL: i64 = 0x6c_6c_75_6e;
const LITERAL_FALSE: i64 = 0x65_73_6c_61_66;

/** `content-length:`, a byte each. */
const LSP_HEADER = memory.data<u8>([
  0x63, 0x6f, 0x6e, 0x74, 0x65, 0x6e, 0x74, 0x2d, 0x6c, 0x65, 0x6e, 0x67, 0x74, 0x68, 0x3a,
]);
const LSP_HEADER_BYTES = 15;

/** Forgets the last frame. */
export function beginFrameGrammar(): void {
  machine.faultCode = CODE_NONE;
  machine.faultOffset = 0;
  machine.ascii = true;
  machine.textIsGood = true;
  machine.state = BLANK;
  machine.depth = 0;
  machine.rootForm = FORM_NONE;
  beginRecord();
}

/** Records a fault unless an earlier one stands: offsets only grow, so the first is the smallest. */
function fault(code: i32, offset: i64): void {
  if (machine.faultCode != CODE_NONE) return;
  machine.faultCode = code;
  machine.faultOffset = offset;
}

/** Takes the byte at `p`, which is no newline. False: it was not taken, look again in the new state. */
export function take(p: usize): bool {
  const byte = byteAt(p);
  const at = <i64>p - base();
  switch (machine.state) {
    case BLANK:
      if (isSpace(byte)) return true;
      machine.state = VALUE;
      return false;
    case VALUE:
      return isSpace(byte) || takeValue(byte, at);
    case ARRAY_FIRST:
      if (byte == CLOSE_BRACKET) return close(byte, at);
      return isSpace(byte) || takeValue(byte, at);
    case OBJECT_FIRST:
      if (byte == CLOSE_BRACE) return close(byte, at);
      return isSpace(byte) || takeKey(byte, at);
    case KEY:
      return isSpace(byte) || takeKey(byte, at);
    case COLON_NEXT:
      if (isSpace(byte)) return true;
      if (byte != COLON) return stray(byte, at);
      machine.state = VALUE;
      return true;
    case AFTER_VALUE:
      return isSpace(byte) || takeSeparator(byte, at);
    case ROOT_DONE:
      return isSpace(byte) || stray(byte, at);
    case STRING:
      return takeText(byte, at);
    case STRING_ESCAPE:
      if (isSimpleEscape(byte)) {
        machine.state = STRING;
        return true;
      }
      if (byte != 0x75) return stray(byte, at);
      machine.hexLeft = 4;
      machine.state = STRING_HEX;
      return true;
    case STRING_HEX:
      if (!isHex(byte)) return stray(byte, at);
      if (--machine.hexLeft == 0) machine.state = STRING;
      return true;
    case SKIM:
      return skimByte(byte, at);
    case SKIM_STRING:
      return skimText(byte, at);
    case SKIM_ESCAPE:
      if (byte < SPACE) return stray(byte, at);
      machine.state = SKIM_STRING;
      return byte < NON_ASCII;
    case LITERAL:
      return takeLiteral(byte, at);
    case UTF8:
      return takeTrail(byte);
    case LSP:
      return takeLspHeader(byte);
    case BAD:
      return true;
    default:
      return takeNumber(byte, at);
  }
}

/**
 * The newline or the end of the stream is reached, `length` bytes after the frame's first byte (without a dropped CR).
 * Settles a value that only the end can end, and reports what is missing.
 */
export function finishFrameGrammar(length: i64): void {
  const state = machine.state;
  if (state == BLANK || state == ROOT_DONE || state == BAD) return;
  const endsNumber =
    state == NUMBER_ZERO || state == NUMBER_INTEGER || state == NUMBER_FRACTION || state == NUMBER_EXPONENT;
  if (endsNumber && machine.depth == 0) {
    machine.state = ROOT_DONE;
    return;
  }
  if (state == UTF8) endSequence(false);
  else if (state == LSP) fault(CODE_SYNTAX, 0);
  fault(CODE_SYNTAX, length);
  machine.state = BAD;
}

/** An accelerator found the end of a value just before `p`. */
export function endValue(p: usize): void {
  endValueAt(<i64>p - base());
}

/** An accelerator found the quote at `p` that ends the open string. */
export function endString(p: usize): void {
  endStringAt(<i64>p - base());
}

/** At depth 1 of an object: where the envelope's members are. */
// @inline
function isAtMembers(): bool {
  return machine.depth == 1 && machine.rootForm == FORM_OBJECT;
}

function isSpace(byte: i32): bool {
  return byte == SPACE || byte == TAB || byte == CR;
}

/** The first byte of a value. */
function takeValue(byte: i32, at: i64): bool {
  if (byte == OPEN_BRACE || byte == OPEN_BRACKET) return open(byte, at);
  if (byte == QUOTE) {
    beginValue(FORM_STRING, at);
    machine.stringIsKey = false;
    machine.state = STRING;
    return true;
  }
  if (byte == MINUS || <u32>(byte - DIGIT_0) <= 9) {
    beginValue(FORM_NUMBER, at);
    noteNumber(byte);
    machine.state = byte == MINUS ? NUMBER_MINUS : byte == DIGIT_0 ? NUMBER_ZERO : NUMBER_INTEGER;
    return true;
  }
  if (byte == LOWER_T || byte == LOWER_F || byte == LOWER_N) {
    beginValue(byte == LOWER_N ? FORM_NULL : FORM_BOOLEAN, at);
    machine.literal = byte == LOWER_T ? LITERAL_TRUE : byte == LOWER_F ? LITERAL_FALSE : LITERAL_NULL;
    machine.matched = 1;
    machine.state = LITERAL;
    return true;
  }
  return stray(byte, at);
}

function takeKey(byte: i32, at: i64): bool {
  if (byte != QUOTE) return stray(byte, at);
  machine.stringIsKey = true;
  if (machine.depth == 1) openToken(at);
  machine.state = STRING;
  return true;
}

function takeSeparator(byte: i32, at: i64): bool {
  if (byte == CLOSE_BRACE || byte == CLOSE_BRACKET) return close(byte, at);
  if (byte != COMMA) return stray(byte, at);
  machine.state = byteAt(containers + machine.depth) == OBJECT ? KEY : VALUE;
  return true;
}

function open(byte: i32, at: i64): bool {
  beginValue(byte == OPEN_BRACE ? FORM_OBJECT : FORM_ARRAY, at);
  const level = machine.depth + 1;
  const tooDeep = level > options.maxDepth;
  if (tooDeep) fault(CODE_DEPTH, at);
  if (tooDeep || (!has(OPTION_FULL) && level == 2)) {
    machine.floor = machine.depth;
    machine.state = SKIM;
  } else {
    machine.state = byte == OPEN_BRACE ? OBJECT_FIRST : ARRAY_FIRST;
  }
  push(byte);
  return true;
}

function push(byte: i32): void {
  const level = ++machine.depth;
  // Deeper brackets are counted, but their kinds are no longer compared.
  if (level <= options.maxDepth) store<u8>(containers + level, containerOf(byte));
}

function closesOpen(byte: i32): bool {
  return machine.depth > options.maxDepth || byteAt(containers + machine.depth) == containerOf(byte);
}

function close(byte: i32, at: i64): bool {
  if (!closesOpen(byte)) return stray(byte, at);
  machine.depth--;
  endValueAt(at + 1);
  return true;
}

function beginValue(form: i32, at: i64): void {
  if (machine.depth == 0) machine.rootForm = form;
  else if (isAtMembers()) beginRecordValue(form, at);
}

/** A value ended just before `end`, at the level that is current now. */
function endValueAt(end: i64): void {
  if (machine.depth == 0) {
    machine.state = ROOT_DONE;
    return;
  }
  machine.state = AFTER_VALUE;
  if (isAtMembers()) endRecordValue(end);
}

/** A quote at `at` ends the open string. */
function endStringAt(at: i64): void {
  if (!machine.stringIsKey) {
    endValueAt(at + 1);
    return;
  }
  machine.state = COLON_NEXT;
  if (machine.depth != 1) return;
  const duplicateAt = endRecordKey(at + 1);
  if (duplicateAt > 0) fault(CODE_DUPLICATE, duplicateAt);
}

/** A byte that cannot stand here. A multi-byte sequence is read to its end first: if it is ill-formed, that is the fault. */
function stray(byte: i32, at: i64): bool {
  if (byte >= NON_ASCII) {
    beginSequence(byte, at, BAD);
    return true;
  }
  if (at == 0 && lowerCase(byte) == byteAt(LSP_HEADER)) {
    machine.matched = 1;
    machine.state = LSP;
    return true;
  }
  fault(strayCode(), at);
  machine.state = BAD;
  return true;
}

function strayCode(): i32 {
  const form = machine.rootForm;
  const closed = form == FORM_OBJECT || form == FORM_ARRAY || form == FORM_STRING;
  return machine.state == ROOT_DONE && closed ? CODE_TRAILING : CODE_SYNTAX;
}

function takeLspHeader(byte: i32): bool {
  if (lowerCase(byte) != byteAt(LSP_HEADER + machine.matched)) {
    fault(CODE_SYNTAX, 0);
    machine.state = BAD;
  } else if (++machine.matched == LSP_HEADER_BYTES) {
    fault(CODE_LSP_HEADER, 0);
    machine.state = BAD;
  }
  return true;
}

function lowerCase(byte: i32): i32 {
  return byte >= UPPER_A && byte <= UPPER_Z ? byte | 0x20 : byte;
}

function takeLiteral(byte: i32, at: i64): bool {
  const rest = machine.literal >> ((<i64>machine.matched) << 3);
  if (byte != <i32>(rest & 0xff)) return stray(byte, at);
  machine.matched++;
  if (rest >> 8 == 0) endValueAt(at + 1);
  return true;
}

function takeNumber(byte: i32, at: i64): bool {
  const next = numberStateAfter(machine.state, byte);
  if (next == BAD) return stray(byte, at);
  if (next == AFTER_VALUE) {
    endValueAt(at);
    return false;
  }
  noteNumber(byte);
  machine.state = next;
  return true;
}

function noteNumber(byte: i32): void {
  if (machine.depth == 1) noteNumberByte(byte);
}

/** The number state after `byte`; `AFTER_VALUE` when the number ended before it, `BAD` when it cannot stand there. */
function numberStateAfter(state: i32, byte: i32): i32 {
  const isDigit = <u32>(byte - DIGIT_0) <= 9;
  const isE = (byte | 0x20) == LOWER_E;
  switch (state) {
    case NUMBER_MINUS:
      return byte == DIGIT_0 ? NUMBER_ZERO : isDigit ? NUMBER_INTEGER : BAD;
    case NUMBER_INTEGER:
      if (isDigit) return NUMBER_INTEGER;
      return byte == DOT ? NUMBER_DOT : isE ? NUMBER_E : AFTER_VALUE;
    case NUMBER_ZERO:
      return byte == DOT ? NUMBER_DOT : isE ? NUMBER_E : AFTER_VALUE;
    case NUMBER_DOT:
      return isDigit ? NUMBER_FRACTION : BAD;
    case NUMBER_FRACTION:
      if (isDigit) return NUMBER_FRACTION;
      return isE ? NUMBER_E : AFTER_VALUE;
    case NUMBER_E:
      if (byte == PLUS || byte == MINUS) return NUMBER_SIGN;
      return isDigit ? NUMBER_EXPONENT : BAD;
    case NUMBER_SIGN:
      return isDigit ? NUMBER_EXPONENT : BAD;
    default:
      return isDigit ? NUMBER_EXPONENT : AFTER_VALUE;
  }
}

/** Inside a string whose grammar counts. */
function takeText(byte: i32, at: i64): bool {
  if (byte == QUOTE) {
    endStringAt(at);
    return true;
  }
  if (byte >= NON_ASCII) {
    beginSequence(byte, at, STRING);
    return true;
  }
  if (byte < SPACE) return stray(byte, at);
  if (byte == 0x5c) machine.state = STRING_ESCAPE;
  return true;
}

/** Between the brackets of a value of which only structure, strings and UTF-8 are checked. */
function skimByte(byte: i32, at: i64): bool {
  if (byte == QUOTE) {
    machine.state = SKIM_STRING;
  } else if (byte >= NON_ASCII) {
    beginSequence(byte, at, SKIM);
  } else if (byte == OPEN_BRACE || byte == OPEN_BRACKET) {
    if (machine.depth == options.maxDepth) fault(CODE_DEPTH, at);
    push(byte);
  } else if (byte == CLOSE_BRACE || byte == CLOSE_BRACKET) {
    if (!closesOpen(byte)) return stray(byte, at);
    if (--machine.depth == machine.floor) endValueAt(at + 1);
  }
  return true;
}

function skimText(byte: i32, at: i64): bool {
  if (byte >= NON_ASCII) {
    beginSequence(byte, at, SKIM_STRING);
    return true;
  }
  if (byte < SPACE) return stray(byte, at);
  if (byte == QUOTE) machine.state = SKIM;
  else if (byte == 0x5c) machine.state = SKIM_ESCAPE;
  return true;
}

function beginSequence(lead: i32, at: i64, returnState: i32): void {
  // Asked of the state before it changes: a stray sequence after a whole root is trailing.
  machine.sequenceCode = at == 0 && lead == 0xef ? CODE_BOM : strayCode();
  machine.ascii = false;
  machine.utf8Return = returnState;
  machine.utf8Start = at;
  machine.utf8Left = trailCount(lead);
  machine.utf8Low = secondLow(lead);
  machine.utf8High = secondHigh(lead);
  machine.state = UTF8;
  if (machine.utf8Left == 0) endSequence(false);
}

/** The next byte of a sequence. False: it does not belong to it. */
function takeTrail(byte: i32): bool {
  if (byte < machine.utf8Low || byte > machine.utf8High) {
    endSequence(false);
    return false;
  }
  // U+FEFF is EF BB BF; any other sequence that begins with EF is not a byte order mark.
  if (machine.sequenceCode == CODE_BOM && byte != (machine.utf8Left == 2 ? 0xbb : 0xbf)) {
    machine.sequenceCode = CODE_SYNTAX;
  }
  machine.utf8Low = 0x80;
  machine.utf8High = 0xbf;
  if (--machine.utf8Left == 0) endSequence(true);
  return true;
}

function endSequence(wellFormed: bool): void {
  if (!wellFormed && machine.sequenceCode == CODE_BOM) machine.sequenceCode = CODE_SYNTAX;
  if (!wellFormed && has(OPTION_STRICT_UTF8)) {
    machine.textIsGood = false;
    fault(CODE_UTF8, machine.utf8Start);
  } else if (machine.utf8Return == BAD) {
    fault(machine.sequenceCode, machine.utf8Start);
  }
  machine.state = machine.utf8Return;
}
