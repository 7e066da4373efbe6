import type { FrameCode } from './table/codes.ts';
import type { FrameFault } from './table/fault.ts';

/** How the library was used wrongly; the other codes tell what is wrong with a frame. */
export type MisuseCode =
  | 'VIEW_RELEASED'
  | 'REENTRANT'
  | 'OPTION_RANGE'
  | 'OPTION_INVALID'
  | 'ENGINE_UNAVAILABLE'
  | 'OUT_OF_MEMORY'
  | 'READER_CLOSED'
  | 'ENCODE_REFUSED'
  | 'PATH_MISSING'
  | 'VALUE_KIND'
  | 'VALUE_RANGE'
  | 'SIMDJSON_UNAVAILABLE';

/** Every code that this package reports or throws. */
export type FramingCode = FrameCode | MisuseCode;

/** What each misuse code means. The docs are made from this. */
export const MISUSE_CODES: Readonly<Record<MisuseCode, string>> = {
  VIEW_RELEASED: 'a batch, or a lazy value of one, was used after its callback returned',
  REENTRANT:
    'the reader was fed from inside its own callback, or its reserved bytes were committed inside that of another',
  OPTION_RANGE: 'a limit, a count or an index is outside its range',
  OPTION_INVALID: 'an option has a value that does not exist, or two options contradict each other',
  ENGINE_UNAVAILABLE:
    'the engine asked for does not work here, or there is no memory for one more window of it',
  OUT_OF_MEMORY: 'there is no memory for a frame that is longer than the window; the reader is closed',
  READER_CLOSED: 'the reader was fed after close() or end()',
  ENCODE_REFUSED: 'a value cannot be written as JSON',
  PATH_MISSING: 'a lazy value has no member or item at the path asked for',
  VALUE_KIND: 'a lazy value is of another kind than the call or the path needs',
  VALUE_RANGE: 'an integer has more digits than are written out as a bigint',
  SIMDJSON_UNAVAILABLE:
    'the optional package simdjson is not installed, or its addon was not built for this runtime',
};

/** Where and how much, for the errors that know. */
export interface FramingErrorDetails {
  /** Byte offset in the stream (faults), or in the frame (decoding one frame). */
  readonly offset?: number;
  /** The limit that was passed, in its unit. */
  readonly limit?: number;
  /** What was there instead, in the same unit. */
  readonly actual?: number;
  /** The frame's fault, when the error is about one. */
  readonly fault?: FrameFault;
  readonly cause?: unknown;
}

const BRAND = Symbol.for('linewire.FramingError');

/** The one error class of this package. Match `code`; the message is for people. */
export class FramingError extends Error {
  override readonly name: string = 'FramingError';
  readonly code: FramingCode;
  readonly offset: number | undefined;
  readonly limit: number | undefined;
  readonly actual: number | undefined;
  /** The frame's fault, when the error came from reading one. */
  readonly fault: FrameFault | undefined;

  constructor(code: FramingCode, message: string, details: FramingErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    Object.defineProperty(this, BRAND, { value: true });
    this.code = code;
    this.offset = details.offset;
    this.limit = details.limit;
    this.actual = details.actual;
    this.fault = details.fault;
  }
}

/** A fault as an error to throw, for the frames whose badness shows when they are decoded. */
export function faultError(fault: FrameFault, cause: unknown): FramingError {
  return new FramingError(fault.code, fault.message, { offset: fault.offset, fault, cause });
}

/** True for a FramingError of any copy of this package (recognised by a registry symbol, not by class identity). */
export function isFramingError(value: unknown): value is FramingError {
  return typeof value === 'object' && value !== null && BRAND in value;
}
