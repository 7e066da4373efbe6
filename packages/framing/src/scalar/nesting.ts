/** Deepest nesting that a bet is made on; deeper frames go to the machine. */
export const MAX_BET_LEVELS = 1024;

/** An integer has bits for 32 levels; depth in these units, as a mask and as a shift. */
export const WORD_LEVELS_MASK = 31;
export const WORD_LEVELS_SHIFT = 5;

/** The bit that tells braces from square brackets, which are alike otherwise. */
export const BRACE_BIT = 0x20;
export const BRACE_SHIFT = 5;

/**
 * The kinds of the outer containers, a bit each, for more levels than one integer holds: it is put by when it is full, and taken back
 * when its containers are the innermost again. Shared, since nothing runs in the middle of a bet.
 */
export const OUTER_KINDS: Int32Array = new Int32Array(MAX_BET_LEVELS >> WORD_LEVELS_SHIFT);
