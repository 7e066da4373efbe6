import { limits } from '../limits.ts';
import type { AreaSize, ScanArea, ScanEngine } from './engine.ts';

/** Room of an area that readers share. Deep enough for nearly every reader: its levels cost a byte each, a second area 300 KiB. */
export const STANDARD_AREA: AreaSize = {
  windowBytes: limits.windowBytes.default,
  maxDepth: 16_384,
  maxIdBytes: limits.maxIdBytes.default,
};

/**
 * Areas of one size, taken by turns. A second one is opened only when a reader is fed from inside the callback of another: the batch
 * of that callback still stands in the first. They are kept, since what was nested once will be again.
 */
export class AreaPool {
  readonly engine: ScanEngine;
  /** Readers of a thread take turns in its areas; else they are one reader's own. */
  readonly isShared: boolean;
  readonly #size: AreaSize;
  readonly #areas: ScanArea[] = [];

  constructor(engine: ScanEngine, size: AreaSize, isShared: boolean) {
    this.engine = engine;
    this.isShared = isShared;
    this.#size = size;
  }

  /**
   * The first area in which no reader is at work. Whoever starts work there sets `busy`.
   *
   * @throws FramingError `ENGINE_UNAVAILABLE`, or RangeError, when there is no memory for one
   */
  idle(): ScanArea {
    for (let index = 0; index < this.#areas.length; index++) {
      if (!this.#areas[index].busy) return this.#areas[index];
    }
    const area = this.engine.openArea(this.#size);
    this.#areas.push(area);
    return area;
  }

  /** Its only reader is done: lets go of the areas. Those that are shared stay. */
  close(): void {
    if (!this.isShared) this.#areas.length = 0;
  }
}

/** One pool per engine: a module is loaded once per thread, so these are the thread's. */
const shared = new Map<ScanEngine, AreaPool>();

/** Where readers of this size work: in the areas of their thread, or, when they need more room, in one of their own. Opens none yet. */
export function areasFor(engine: ScanEngine, size: AreaSize): AreaPool {
  if (!isStandard(size)) {
    const { windowBytes, maxDepth, maxIdBytes } = size;
    return new AreaPool(engine, { windowBytes, maxDepth, maxIdBytes }, false);
  }
  let pool = shared.get(engine);
  if (pool === undefined) {
    pool = new AreaPool(engine, STANDARD_AREA, true);
    shared.set(engine, pool);
  }
  return pool;
}

function isStandard({ windowBytes, maxDepth, maxIdBytes }: AreaSize): boolean {
  return (
    windowBytes <= STANDARD_AREA.windowBytes &&
    maxDepth <= STANDARD_AREA.maxDepth &&
    maxIdBytes <= STANDARD_AREA.maxIdBytes
  );
}
