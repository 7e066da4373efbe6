import type { ScanOptions } from '../engine/engine.ts';
import type { NumberMode } from '../json/numbers/number-mode.ts';

/** The options of a reader with every default filled in: how to scan frames, and how to decode them. */
export interface ReaderSettings extends ScanOptions {
  readonly numbers: NumberMode;
}
