import { WINDOW } from '../src/wasm/memory-map.ts';
import { enter as enterAt, finishStream, scanFrames, spill as spillFrame } from './frames.ts';
import { leap as leapAt } from './leap.ts';
import { machine, options, placeBehindWindow, record, scan } from './state.ts';

/*
 * What the scanner calls. Positions count from the window's first byte; the addresses in memory are nobody's business outside.
 */

/** Says where the parts behind the window begin. Once per memory. */
export function place(captured: usize, kept: usize, containersAt: usize): void {
  placeBehindWindow(captured, kept, containersAt);
}

/** What a new stream was opened with; the rest of its state is zeros. */
export function configure(
  flags: i32,
  maxFrameBytes: i32,
  maxDepth: i32,
  maxIdBytes: i32,
  maxIdSpelling: i32,
  waitBytes: i32,
): void {
  options.flags = flags;
  options.maxFrameBytes = maxFrameBytes;
  options.maxDepth = maxDepth;
  options.maxIdBytes = maxIdBytes;
  options.maxIdSpelling = maxIdSpelling;
  options.waitBytes = waitBytes;
}

/** The stream goes on at `at`. */
export function enter(at: i32): void {
  enterAt(WINDOW + at);
}

/** Starts a new table and scans up to `end`; the number of rows. */
export function scanTo(end: i32): i32 {
  return scanFrames(WINDOW + end);
}

/** The stream ends at `end`; the number of rows, at most one. */
export function finish(end: i32): i32 {
  return finishStream(WINDOW + end);
}

/** The bytes from the frame's start to the position leave the window. */
export function spill(): void {
  spillFrame();
}

/** Position behind the container at `start` of a scanned payload; 0 when it does not end before `end`. */
export function leap(start: i32, end: i32): i32 {
  const behind = leapAt(WINDOW + start, WINDOW + end);
  return behind == 0 ? 0 : <i32>(behind - WINDOW);
}

export function position(): i32 {
  return <i32>(scan.position - WINDOW);
}

export function frameStart(): i32 {
  return <i32>(scan.frameStart - WINDOW);
}

/** Bytes of the unfinished frame have left the window. */
export function hasSpilled(): bool {
  return scan.spilledBytes > 0;
}

export function blankFrames(): f64 {
  return <f64>scan.blankFrames;
}

export function longFrameBytes(): f64 {
  return <f64>scan.longFrameBytes;
}

/** Bytes of a name or id that is being read and has left the window. */
export function keptBytes(): i32 {
  return record.tokenStart >= 0 ? record.keptBytes : 0;
}

/** Bytes of the containers part in use. */
export function openContainerBytes(): i32 {
  return scan.inFrame ? min(machine.depth, options.maxDepth) + 1 : 0;
}
