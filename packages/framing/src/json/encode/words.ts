import { NON_ASCII } from '../../bytes.ts';

/** Bytes of the words that constants are kept and written in. */
const WORD_BYTES = 8;
/** Text up to this long is made ready without memory of its own: keys are learned from whatever comes. */
const SHORT_UNITS = 120;
const scratch = new DataView(new ArrayBuffer(SHORT_UNITS + WORD_BYTES));

/** JSON text that is written again and again, ready to be written. The first two words stand by themselves: most constants have no more. */
export interface JsonConstant {
  readonly text: string;
  /** Bytes. */
  readonly length: number;
  readonly first: number;
  readonly second: number;
  readonly more: readonly number[];
}

/**
 * JSON text as words of eight bytes, the last filled up with zeros. No word reads as a NaN, which could lose bits: that takes a byte 0xFF, or
 * a byte from 0xF0 on in front of 0x7F, and neither is UTF-8.
 */
export function jsonConstant(text: string): JsonConstant {
  const bytes = text.length <= SHORT_UNITS && isAscii(text) ? undefined : new TextEncoder().encode(text);
  const length = bytes === undefined ? text.length : bytes.length;
  const view = length <= SHORT_UNITS ? scratch : new DataView(new ArrayBuffer(length + WORD_BYTES));
  const words = Math.max(2, Math.ceil(length / WORD_BYTES));
  for (let i = 0; i < words; i++) view.setFloat64(i * WORD_BYTES, 0);
  for (let i = 0; i < length; i++) view.setUint8(i, bytes === undefined ? text.charCodeAt(i) : bytes[i]);
  const more: number[] = [];
  for (let i = 2; i < words; i++) more.push(view.getFloat64(i * WORD_BYTES, true));
  return { text, length, first: view.getFloat64(0, true), second: view.getFloat64(WORD_BYTES, true), more };
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= NON_ASCII) return false;
  return true;
}

/** Writes a constant from `at` on; gives the position after it. Up to seven bytes behind that become 0: there must be room. */
export function writeConstant(view: DataView, at: number, constant: JsonConstant): number {
  const { length, more } = constant;
  view.setFloat64(at, constant.first, true);
  if (length > WORD_BYTES) {
    view.setFloat64(at + WORD_BYTES, constant.second, true);
    for (let i = 0; i < more.length; i++) view.setFloat64(at + (i + 2) * WORD_BYTES, more[i], true);
  }
  return at + length;
}
