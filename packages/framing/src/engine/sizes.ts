/** Sizes that both engines agree on. Both read this file, so it holds nothing but constants. */

/** Rows of one table: enough to amortise the callback, small enough to stay in the second-level cache (48 KiB). */
export const TABLE_ROWS = 1024;

/** A frame longer than the window keeps this many first bytes for the preview of its fault. */
export const PREVIEW_BYTES = 32;

/** A method name longer than this is reported as absent when its frame was over the limit. */
export const MAX_CAPTURED_METHOD_BYTES = 1024;

/** An id's spelling may be longer than its digits (`1.000e2`); this much more survives in a frame over the limit. */
export const ID_SPELLING_SLACK_BYTES = 64;

/** Most that `waitBytes` says, in bytes. */
export const MAX_WAIT_BYTES = 16384;
