/**
 * Where things lie in the kernel's memory, in bytes. The kernel and its loader both read this file, so it holds nothing but constants.
 *
 *     0        1 KiB     4 KiB   8 KiB    56 KiB       64 KiB                          window end
 *     │ unused │ statics │ state │ rows   │ slack      │ window                        │ slack │ captured │ kept │ containers │
 *
 * What stands behind the window depends on the sizes that the area was opened for.
 */

/** State of the scanner that is at home here: what moves when another one takes over. */
export const STATE = 4096;
export const STATE_BYTES = 640;

/** The frame table. */
export const ROWS = 8192;

/** The landing window; the bytes before it may be overwritten. */
export const WINDOW = 65536;

/** Bytes behind the window that may be read, or hold a sentinel: one block and one vector. */
export const WINDOW_SLACK_BYTES = 128;

/* Bits of the options word. */
export const OPTION_JSONRPC = 1;
export const OPTION_FULL = 2;
export const OPTION_STRICT_UTF8 = 4;
export const OPTION_LAST_WINS = 8;
export const OPTION_SHORTCUTS = 16;
/** `validate: 'none'` */
export const OPTION_LINES = 32;
