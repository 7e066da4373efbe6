import { type FrameScanner, type ScanArea, type ScanOptions, waitBytes } from '../engine/engine.ts';
import { ID_SPELLING_SLACK_BYTES } from '../engine/sizes.ts';
import type { WasmArea } from './area.ts';
import {
  OPTION_FULL,
  OPTION_JSONRPC,
  OPTION_LAST_WINS,
  OPTION_LINES,
  OPTION_SHORTCUTS,
  OPTION_STRICT_UTF8,
} from './memory-map.ts';
import { SavedState } from './saved-state.ts';

/**
 * A stream that the kernel scans. Its state lives in the memory of the area that it last worked in, and moves out only when another
 * scanner takes over there, or when it goes on in another area.
 */
export class WasmScanner implements FrameScanner {
  rowCount = 0;
  readonly #options: ScanOptions;
  readonly #saved = new SavedState();
  /** Where the state is; undefined while it is saved, or there is none yet. */
  #home: WasmArea | undefined;

  constructor(options: ScanOptions) {
    this.#options = options;
  }

  get position(): number {
    return this.#home?.kernel.position() ?? 0;
  }

  get frameStart(): number {
    return this.#home?.kernel.frameStart() ?? 0;
  }

  get hasSpilled(): boolean {
    return this.#home === undefined ? this.#saved.hasSpilled : this.#home.kernel.hasSpilled() !== 0;
  }

  get blankFrames(): number {
    return this.#home?.kernel.blankFrames() ?? this.#saved.blankFrames;
  }

  get longFrameBytes(): number {
    return this.#home?.kernel.longFrameBytes() ?? 0;
  }

  get captured(): Uint8Array {
    return this.#home?.captured ?? NOTHING;
  }

  enter(area: ScanArea, at: number): void {
    // Areas come from the engine that made this scanner.
    if (this.#home !== area) this.#moveTo(area as WasmArea);
    (area as WasmArea).kernel.enter(at);
  }

  scan(end: number): number {
    this.rowCount = this.#home?.kernel.scanTo(end) ?? 0;
    return this.rowCount;
  }

  finish(end: number): number {
    this.rowCount = this.#home?.kernel.finish(end) ?? 0;
    return this.rowCount;
  }

  spill(): void {
    this.#home?.kernel.spill();
  }

  close(): void {
    this.leave();
  }

  #moveTo(area: WasmArea): void {
    area.resident?.leave();
    this.leave();
    if (this.#saved.isFresh) {
      area.state.fill(0);
      this.#configure(area);
    } else {
      this.#saved.putBack(area);
    }
    area.resident = this;
    this.#home = area;
  }

  /** Takes the state out of the area that it is in. */
  leave(): void {
    if (this.#home === undefined) return;
    this.#saved.take(this.#home);
    this.#home.resident = undefined;
    this.#home = undefined;
  }

  #configure({ kernel }: WasmArea): void {
    const { envelope, validate, utf8, duplicates, shortcuts } = this.#options;
    const { maxFrameBytes, maxDepth, maxIdBytes, windowBytes } = this.#options;
    const bets = shortcuts !== false;
    let flags = 0;
    if (envelope === 'jsonrpc') flags |= OPTION_JSONRPC;
    if (validate === 'full') flags |= OPTION_FULL;
    if (validate === 'none') flags |= OPTION_LINES;
    if (utf8 === 'strict') flags |= OPTION_STRICT_UTF8;
    if (duplicates === 'last') flags |= OPTION_LAST_WINS;
    if (bets) flags |= OPTION_SHORTCUTS;
    const maxIdSpelling = maxIdBytes + ID_SPELLING_SLACK_BYTES;
    kernel.configure(
      flags,
      maxFrameBytes,
      maxDepth,
      maxIdBytes,
      maxIdSpelling,
      bets || validate === 'none' ? waitBytes(windowBytes) : 0,
    );
  }
}

const NOTHING = new Uint8Array(0);
