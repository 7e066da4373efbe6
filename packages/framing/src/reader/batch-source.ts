import type { Leap } from '../json/lazy/lazy-source.ts';
import { FLAG_DROPPED, FLAG_STORED, LINE_END, META, ROW_WORDS, START } from '../table/row.ts';
import type { NameCache } from '../text/name-cache.ts';
import type { LongFrame } from './long-frame.ts';
import type { PayloadSlots } from './payload-slots.ts';
import { poisonByte, poisons } from './poison.ts';
import type { ReaderSettings } from './settings.ts';

/** Where the rows of a batch and their bytes are: in an area, or in memory of the reader's own. The object outlives its batches. */
export interface BatchSource {
  readonly options: ReaderSettings;
  readonly names: NameCache;
  readonly slots: PayloadSlots;
  readonly rows: Int32Array;
  readonly window: Uint8Array;
  /** Stream offset of the window's first byte. */
  readonly windowOffset: number;
  /** Passes over containers in the window; undefined where it was not checked that they are in order, or nothing faster is there. */
  readonly leap: Leap | undefined;
  /** What row 0 is about when it is long. */
  readonly long: LongFrame;
}

/** The one who owns a source may change it between batches. */
export type MutableSource = { -readonly [Key in keyof BatchSource]: BatchSource[Key] };

/** The frame outgrew the call in which it began, so that its bytes are not in the window. Only row 0 of a table can be. */
export function isLong(meta: number): boolean {
  return (meta & (FLAG_STORED | FLAG_DROPPED)) !== 0;
}

/** The rows from `from` to `to` are done with: their bytes may go. */
export function releaseRows(source: BatchSource, from: number, to: number): void {
  if (poisons) poisonRows(source, from, to);
  if (from === 0 && to > 0 && isLong(source.rows[META])) source.long.end();
}

function poisonRows({ rows, window, long }: BatchSource, from: number, to: number): void {
  for (let row = from * ROW_WORDS; row < to * ROW_WORDS; row += ROW_WORDS) {
    if (isLong(rows[row + META])) long.poison(poisonByte);
    else window.fill(poisonByte, rows[row + START], rows[row + LINE_END]);
  }
}
