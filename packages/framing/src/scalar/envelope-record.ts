import type { ScanOptions } from '../engine/engine.ts';
import {
  FORM_ARRAY,
  FORM_NONE,
  FORM_NULL,
  FORM_NUMBER,
  FORM_OBJECT,
  FORM_STRING,
  MEMBER_ID,
  MEMBER_METHOD,
  MEMBER_PARAMS,
  MEMBER_RESULT,
  MEMBER_VERSION,
} from '../engine/forms.ts';
import { ID_SPELLING_SLACK_BYTES, MAX_CAPTURED_METHOD_BYTES, PREVIEW_BYTES } from '../engine/sizes.ts';
import { ID_ABSENT, ID_NULL, ID_STRING, ID_UNUSABLE } from '../table/meta.ts';
import type { EnvelopeFacts } from './envelope.ts';
import { IdNumber } from './id-number.ts';
import { isSpelling, memberOf } from './member.ts';
import { isWellFormed } from './utf8.ts';

/** Members whose text the record itself must read. */
const TEXT_MEMBERS = MEMBER_VERSION | MEMBER_ID | MEMBER_METHOD;

/**
 * What the machine learns about one frame at depth 1: which members stand there, of which type, and where.
 *
 * Frames that outgrow the window lose their bytes while they are scanned. `spill` is told before that happens, and keeps the piece
 * of a name that is being read, and copies of id and method, in constant memory.
 */
export class EnvelopeRecord implements EnvelopeFacts {
  rootForm: number = FORM_NONE;
  versionGood = false;
  idForm: number = ID_ABSENT;
  methodForm: number = FORM_NONE;
  paramsForm: number = FORM_NONE;
  resultForm: number = FORM_NONE;
  errorForm: number = FORM_NONE;

  idStart = 0;
  idEnd = 0;
  methodStart = 0;
  methodEnd = 0;
  paramsStart = 0;
  paramsEnd = 0;
  outcomeStart = 0;
  outcomeEnd = 0;

  /** First bytes of the frame, then its id, then its method: filled by `spill` only. */
  readonly captured: Uint8Array;
  readonly capturedMethodStart: number;

  #member = 0;
  #seen = 0;
  #duplicated = 0;
  #valueForm = FORM_NONE;
  /** First byte of the key or value being read at depth 1, relative to the frame; -1 when none is open. */
  #tokenStart = -1;
  /** The part of the open token that has left the window. */
  readonly #kept: Uint8Array;
  #keptBytes = 0;
  #keptOverflow = false;
  /** Where the stream went on in the window: what of an open token stands there begins at or after this. */
  #entered = 0;
  readonly #number = new IdNumber();
  readonly #enabled: boolean;
  readonly #maxIdBytes: number;
  readonly #maxIdSpelling: number;
  readonly #lastWins: boolean;

  /* Where the token that just ended can be read: set by #locate. */
  #textBytes: Uint8Array;
  #textStart = 0;
  #textEnd = 0;

  constructor(options: ScanOptions) {
    this.#enabled = options.envelope === 'jsonrpc';
    this.#maxIdBytes = options.maxIdBytes;
    this.#maxIdSpelling = options.maxIdBytes + ID_SPELLING_SLACK_BYTES;
    this.#lastWins = options.duplicates === 'last';
    this.capturedMethodStart = PREVIEW_BYTES + this.#maxIdSpelling;
    const room = this.#enabled ? this.#maxIdSpelling + MAX_CAPTURED_METHOD_BYTES : 0;
    this.captured = new Uint8Array(PREVIEW_BYTES + room);
    this.#kept = new Uint8Array(room);
    this.#textBytes = this.#kept;
  }

  begin(): void {
    this.rootForm = FORM_NONE;
    this.versionGood = false;
    this.idForm = ID_ABSENT;
    this.methodForm = FORM_NONE;
    this.paramsForm = FORM_NONE;
    this.resultForm = FORM_NONE;
    this.errorForm = FORM_NONE;
    this.idStart = 0;
    this.idEnd = 0;
    this.methodStart = 0;
    this.methodEnd = 0;
    this.paramsStart = 0;
    this.paramsEnd = 0;
    this.outcomeStart = 0;
    this.outcomeEnd = 0;
    this.#member = 0;
    this.#seen = 0;
    this.#duplicated = 0;
    this.#tokenStart = -1;
    this.#keptBytes = 0;
    this.#keptOverflow = false;
  }

  /** The stream goes on at `at` in the window. */
  enter(at: number): void {
    this.#entered = at;
  }

  beginKey(at: number): void {
    this.#openToken(at);
  }

  /** Settles which member the key names. Returns the key's position when the member stands here a second time and that is a fault, else 0. */
  endKey(end: number, bytes: Uint8Array, base: number): number {
    if (!this.#enabled) return 0;
    const at = this.#tokenStart;
    const readable = this.#locate(end, bytes, base);
    const member = readable ? memberOf(this.#textBytes, this.#textStart + 1, this.#textEnd - 1) : 0;
    this.#closeToken();
    this.#member = member;
    const isAgain = (this.#seen & member) !== 0;
    this.#seen |= member;
    if (!isAgain || this.#lastWins) return 0;
    this.#duplicated |= member;
    return at;
  }

  beginValue(form: number, at: number): void {
    this.#valueForm = form;
    this.#openToken(at);
    if (this.#member === MEMBER_ID && form === FORM_NUMBER) this.#number.reset();
  }

  noteNumberByte(byte: number): void {
    if (this.#member === MEMBER_ID) this.#number.take(byte);
  }

  endValue(end: number, bytes: Uint8Array, base: number): void {
    const member = this.#member;
    if (member === 0) {
      this.#closeToken();
      return;
    }
    const start = this.#tokenStart;
    const form = this.#valueForm;
    if ((member & TEXT_MEMBERS) !== 0) this.#endText(member, form, end, bytes, base);
    else if (member === MEMBER_PARAMS) this.#endParams(form, start, end);
    else this.#endOutcome(member, form, start, end);
    this.#closeToken();
    this.#member = 0;
  }

  /** The usable form of the id: one that was given twice answers to nobody. */
  get trustedIdForm(): number {
    return (this.#duplicated & MEMBER_ID) === 0 ? this.idForm : ID_UNUSABLE;
  }

  /** Method is a string and stands once. */
  get trustsMethod(): boolean {
    return this.methodForm === FORM_STRING && (this.#duplicated & MEMBER_METHOD) === 0;
  }

  /** Too long to be captured, so not reported for a frame over the limit, wherever it stood. */
  get isIdTooLong(): boolean {
    return this.idEnd - this.idStart > this.#maxIdSpelling;
  }

  get isMethodTooLong(): boolean {
    return this.methodEnd - this.methodStart > MAX_CAPTURED_METHOD_BYTES;
  }

  /** The bytes from `from` to `to` are about to leave the window. `isFirst`: the frame begins at `from`. */
  spill(bytes: Uint8Array, from: number, to: number, base: number, isFirst: boolean): void {
    if (isFirst) this.captured.set(bytes.subarray(from, Math.min(to, from + PREVIEW_BYTES)));
    if (!this.#enabled) return;
    if (this.#tokenStart >= 0) this.#keep(bytes, Math.max(from, this.#tokenStart + base), to);
    this.captureMembers(bytes, from, base);
  }

  /** Copies id and method as far as they stand whole in the window, at or after `from`. */
  captureMembers(bytes: Uint8Array, from: number, base: number): void {
    if (this.idStart > 0 && this.idStart + base >= from) {
      this.#captureId(bytes, this.idStart + base, this.idEnd + base);
    }
    if (this.methodStart > 0 && this.methodStart + base >= from) {
      this.#captureMethod(bytes, this.methodStart + base, this.methodEnd + base);
    }
  }

  #openToken(at: number): void {
    this.#tokenStart = at;
    this.#keptBytes = 0;
    this.#keptOverflow = false;
  }

  #closeToken(): void {
    this.#tokenStart = -1;
  }

  #keep(bytes: Uint8Array, from: number, to: number): void {
    const room = this.#kept.length - this.#keptBytes;
    if (to - from > room) this.#keptOverflow = true;
    const taken = Math.min(room, to - from);
    this.#kept.set(bytes.subarray(from, from + taken), this.#keptBytes);
    this.#keptBytes += taken;
  }

  /** Finds the text of the token that ends at `end`; false when it is too long to matter. */
  #locate(end: number, bytes: Uint8Array, base: number): boolean {
    const start = this.#tokenStart + base;
    if (this.#keptBytes === 0 && start >= this.#entered) {
      this.#textBytes = bytes;
      this.#textStart = start;
      this.#textEnd = end + base;
      return true;
    }
    this.#keep(bytes, this.#entered, end + base);
    this.#textBytes = this.#kept;
    this.#textStart = 0;
    this.#textEnd = this.#keptBytes;
    return !this.#keptOverflow;
  }

  #endText(member: number, form: number, end: number, bytes: Uint8Array, base: number): void {
    const start = this.#tokenStart;
    const hasLeft = this.#keptBytes > 0;
    // The end of a container comes without bytes: what these members say is never in one.
    const readable = form !== FORM_OBJECT && form !== FORM_ARRAY && this.#locate(end, bytes, base);
    if (member === MEMBER_VERSION) {
      this.versionGood =
        readable &&
        form === FORM_STRING &&
        isSpelling(this.#textBytes, this.#textStart + 1, this.#textEnd - 1, '2.0');
    } else if (member === MEMBER_ID) {
      this.idStart = start;
      this.idEnd = end;
      this.idForm = this.#formOfId(form, end - start, readable);
      if (hasLeft && readable) this.#captureId(this.#textBytes, this.#textStart, this.#textEnd);
    } else {
      this.methodForm = form;
      this.methodStart = form === FORM_STRING ? start + 1 : 0;
      this.methodEnd = form === FORM_STRING ? end - 1 : 0;
      if (hasLeft && readable && form === FORM_STRING) {
        this.#captureMethod(this.#textBytes, this.#textStart + 1, this.#textEnd - 1);
      }
    }
  }

  #formOfId(form: number, length: number, readable: boolean): number {
    if (form === FORM_NULL) return ID_NULL;
    if (form === FORM_NUMBER) return this.#number.form(this.#maxIdBytes);
    if (form !== FORM_STRING || length - 2 > this.#maxIdBytes || !readable) return ID_UNUSABLE;
    // No answer could echo such bytes: with utf8: 'replace', and in a frame over the limit, they are no fault of the frame.
    if (!isWellFormed(this.#textBytes, this.#textStart, this.#textEnd)) return ID_UNUSABLE;
    return ID_STRING;
  }

  #endParams(form: number, start: number, end: number): void {
    this.paramsForm = form === FORM_NULL ? FORM_NONE : form;
    this.paramsStart = form === FORM_NULL ? 0 : start;
    this.paramsEnd = form === FORM_NULL ? 0 : end;
  }

  #endOutcome(member: number, form: number, start: number, end: number): void {
    if (member === MEMBER_RESULT) this.resultForm = form;
    else this.errorForm = form;
    this.outcomeStart = start;
    this.outcomeEnd = end;
  }

  #captureId(bytes: Uint8Array, from: number, to: number): void {
    if (to - from > this.#maxIdSpelling) return;
    this.captured.set(bytes.subarray(from, to), PREVIEW_BYTES);
  }

  #captureMethod(bytes: Uint8Array, from: number, to: number): void {
    if (to - from > MAX_CAPTURED_METHOD_BYTES) return;
    this.captured.set(bytes.subarray(from, to), this.capturedMethodStart);
  }
}
