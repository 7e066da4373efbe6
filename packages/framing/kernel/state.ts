import { STATE } from '../src/wasm/memory-map.ts';

/*
 * Everything that outlives a call, as records at fixed addresses: together they are the state that moves when another scanner takes
 * over this memory. Positions relative to a frame are 64-bit, since a frame that is over the limit may be longer than memory.
 */

/** What the scanner was made with. */
@unmanaged
export class Options {
  flags: i32;
  maxFrameBytes: i32;
  maxDepth: i32;
  maxIdBytes: i32;
  /** Bytes behind which unscanned beginnings do not wait. */
  waitBytes: i32;
  /** Longest spelling of an id that is kept. */
  maxIdSpelling: i32;
}

/** Where the scan of the stream stands. */
@unmanaged
export class Scan {
  position: usize;
  frameStart: usize;
  /** The window is searched up to here for its last newline, which is at `foundNewline`. */
  searchedEnd: usize;
  foundNewline: usize;
  /** Bytes of the unfinished frame that have left the window. */
  spilledBytes: i64;
  longFrameBytes: i64;
  blankFrames: i64;
  rowCount: i32;
  /** The grammar is inside a frame. */
  inFrame: bool;
  spilledCr: bool;
  spilledBlank: bool;
  /** The byte order mark that may open the stream: 0 not looked for, 1 begun, 2 settled. */
  bom: u8;
}

/** Where the grammar stands in the current frame. */
@unmanaged
export class Machine {
  state: i32;
  depth: i32;
  /** Level at which the current accelerated region ends. */
  floor: i32;
  faultCode: i32;
  faultOffset: i64;
  rootForm: i32;
  hexLeft: i32;
  /** The literal being read, one byte per position, and how many of them match. */
  literal: i64;
  matched: i32;
  utf8Return: i32;
  utf8Start: i64;
  utf8Left: i32;
  utf8Low: i32;
  utf8High: i32;
  /** Code of a sequence that stands where no text may be, once it proves well-formed. */
  sequenceCode: i32;
  ascii: bool;
  textIsGood: bool;
  stringIsKey: bool;
}

/** What is known of the envelope of the current frame. */
@unmanaged
export class Record {
  idStart: i64;
  idEnd: i64;
  methodStart: i64;
  methodEnd: i64;
  paramsStart: i64;
  paramsEnd: i64;
  outcomeStart: i64;
  outcomeEnd: i64;
  /** First byte of the key or value being read at depth 1, relative to the frame; -1 when none is open. */
  tokenStart: i64;
  keptBytes: i32;
  idForm: i32;
  methodForm: i32;
  paramsForm: i32;
  resultForm: i32;
  errorForm: i32;
  valueForm: i32;
  member: i32;
  seen: i32;
  duplicated: i32;
  versionGood: bool;
  keptOverflow: bool;
}

/** The number of an id, weighed digit by digit. */
@unmanaged
export class IdNumber {
  digits: i64;
  firstNonZero: i64;
  lastNonZero: i64;
  point: i64;
  exponent: i64;
  negativeExponent: bool;
  inExponent: bool;
  plain: bool;
}

export const options = changetype<Options>(STATE);
export const scan = changetype<Scan>(STATE + 64);
export const machine = changetype<Machine>(STATE + 192);
export const record = changetype<Record>(STATE + 320);
export const idNumber = changetype<IdNumber>(STATE + 512);

/* Behind the window: see memory-map.ts. Set once per memory, by `place`. */
/** Preview, id and method of a frame whose bytes are gone. */
export let captured: usize = 0;
/** The part of a name or id that has left the window while it is read. */
export let kept: usize = 0;
/** One byte per level from 1: `containerOf` its bracket. */
export let containers: usize = 0;

export function placeBehindWindow(capturedAt: usize, keptAt: usize, containersAt: usize): void {
  captured = capturedAt;
  kept = keptAt;
  containers = containersAt;
}

// @inline
export function has(option: i32): bool {
  return (options.flags & option) != 0;
}

/** Where the frame's first byte is, or would be, in memory. */
// @inline
export function base(): i64 {
  return <i64>scan.frameStart - scan.spilledBytes;
}
