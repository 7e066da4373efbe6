/**
 * The frame table: one row of `ROW_WORDS` 32-bit words per frame, written by a scan engine and read by the batch.
 * This file is the one source of the layout that both engines read, so it holds nothing but constants; `row-layout.ts` says it in words.
 *
 * Positions are bytes. `START`, `END` and `LINE_END` count from the first byte of the landing window; all other positions count
 * from the frame's first byte, so a frame can move to the store without a fix-up. 0 means absent for the member positions:
 * no member of an object can begin at its first byte.
 */
export const ROW_WORDS = 12;

export const START = 0;
export const END = 1;
export const META = 2;
export const ID_START = 3;
export const ID_END = 4;
export const METHOD_START = 5;
export const METHOD_END = 6;
export const PAYLOAD_START = 7;
export const PAYLOAD_END = 8;
export const FAULT_OFFSET = 9;
export const LINE_END = 10;

/** `META` packs kind (bits 0–3), id form (4–7), code (8–15) and flags (16–30). */
export const KIND_MASK = 0xf;
export const ID_FORM_SHIFT = 4;
export const ID_FORM_MASK = 0xf;
export const CODE_SHIFT = 8;
export const CODE_MASK = 0xff;

export const FLAG_ASCII = 0x10000;
export const FLAG_UNTERMINATED = 0x20000;
export const FLAG_STORED = 0x40000;
export const FLAG_DROPPED = 0x80000;
export const FLAG_METHOD = 0x100000;
export const FLAG_PARAMS = 0x200000;
export const FLAG_RESULT = 0x400000;
export const FLAG_ERROR = 0x800000;
