import type { AreaSize, ScanArea } from '../engine/engine.ts';
import {
  ID_SPELLING_SLACK_BYTES,
  MAX_CAPTURED_METHOD_BYTES,
  PREVIEW_BYTES,
  TABLE_ROWS,
} from '../engine/sizes.ts';
import { searchableView } from '../engine/window-bytes.ts';
import type { Leap } from '../json/lazy/lazy-source.ts';
import { ROW_WORDS } from '../table/row.ts';
import type { Kernel } from './kernel.ts';
import { openKernel } from './load-kernel.ts';
import { ROWS, STATE, STATE_BYTES, WINDOW, WINDOW_SLACK_BYTES } from './memory-map.ts';

const PAGE_BYTES = 65_536;

/** Whoever has state in an area, and must take it out when another comes. */
interface Resident {
  leave(): void;
}

/** An instance of the kernel with memory of its own: one scanner at a time is at home in it. */
export class WasmArea implements ScanArea {
  readonly window: Uint8Array;
  readonly rows: Int32Array;
  readonly leap: Leap;
  busy = false;
  readonly kernel: Kernel;
  /** State of the scanner at home, as bytes. */
  readonly state: Uint8Array;
  /** Preview, id and method of a frame whose bytes are gone; the spelling of a name that is being read; one byte per open container. */
  readonly captured: Uint8Array;
  readonly kept: Uint8Array;
  readonly containers: Uint8Array;
  /** Whose state is in the memory. */
  resident: Resident | undefined;

  /** @throws FramingError `ENGINE_UNAVAILABLE` when there is no WebAssembly, or no memory for it */
  constructor({ windowBytes, maxDepth, maxIdBytes }: AreaSize) {
    const keptBytes = maxIdBytes + ID_SPELLING_SLACK_BYTES + MAX_CAPTURED_METHOD_BYTES;
    const capturedBytes = PREVIEW_BYTES + keptBytes;
    const captured = WINDOW + windowBytes + WINDOW_SLACK_BYTES;
    const kept = captured + capturedBytes;
    const containers = kept + keptBytes;
    // Level 0 does not exist, and the deepest may be written to before it is counted.
    const containerBytes = maxDepth + 2;
    const pages = Math.ceil((containers + containerBytes) / PAGE_BYTES);
    const { exports, memory } = openKernel(pages);
    this.kernel = exports as unknown as Kernel;
    this.leap = this.kernel.leap;
    this.kernel.place(captured, kept, containers);
    const { buffer } = memory;
    this.window = searchableView(buffer, WINDOW, windowBytes);
    this.rows = new Int32Array(buffer, ROWS, TABLE_ROWS * ROW_WORDS);
    this.state = new Uint8Array(buffer, STATE, STATE_BYTES);
    this.captured = new Uint8Array(buffer, captured, capturedBytes);
    this.kept = new Uint8Array(buffer, kept, keptBytes);
    this.containers = new Uint8Array(buffer, containers, containerBytes);
  }
}
