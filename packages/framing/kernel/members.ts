import { BACKSLASH, QUOTE } from '../src/bytes.ts';
import {
  MEMBER_ERROR,
  MEMBER_ID,
  MEMBER_METHOD,
  MEMBER_PARAMS,
  MEMBER_RESULT,
  MEMBER_VERSION,
} from '../src/engine/forms.ts';
import { hexValue } from './escapes.ts';
import { byteAt } from './vectors.ts';

/* Names with the quote that ends them, as bytes in memory order, and the bytes of an eight-byte word that each takes up. */
const JSONRPC: u64 = 0x22_63_70_72_6e_6f_73_6a;
const ID: u64 = 0x22_64_69;
const METHOD: u64 = 0x22_64_6f_68_74_65_6d;
const PARAMS: u64 = 0x22_73_6d_61_72_61_70;
const RESULT: u64 = 0x22_74_6c_75_73_65_72;
const ERROR: u64 = 0x22_72_6f_72_72_65;
const BYTES_3: u64 = 0xff_ffff;
const BYTES_6: u64 = 0xffff_ffff_ffff;
const BYTES_7: u64 = 0xff_ffff_ffff_ffff;

/** `2.0` and the quote that ends it. */
const VERSION: u32 = 0x22_30_2e_32;

/** A key with every character written as a six-byte escape; a longer spelling cannot be an envelope member. */
const MAX_KEY_BYTES = 7 * 6;
const MAX_VERSION_BYTES = 3 * 6;

/** The envelope member whose plainly written name begins at `p`, behind its opening quote; 0 for any other. Reads eight bytes. */
// @inline
export function plainMember(p: usize): i32 {
  return memberOfWord(load<u64>(p));
}

// @inline
function memberOfWord(word: u64): i32 {
  if (word == JSONRPC) return MEMBER_VERSION;
  if ((word & BYTES_3) == ID) return MEMBER_ID;
  const seven = word & BYTES_7;
  if (seven == METHOD) return MEMBER_METHOD;
  if (seven == PARAMS) return MEMBER_PARAMS;
  if (seven == RESULT) return MEMBER_RESULT;
  return (word & BYTES_6) == ERROR ? MEMBER_ERROR : 0;
}

/** Bytes of a plainly written member's name. */
// @inline
export function nameBytes(member: i32): usize {
  if (member == MEMBER_VERSION) return 7;
  if (member == MEMBER_ID) return 2;
  return member == MEMBER_ERROR ? 5 : 6;
}

/** The envelope member whose name is the text from `from` to `to` in any JSON spelling, or 0. */
export function memberOf(from: usize, to: usize): i32 {
  return <i32>(to - from) > MAX_KEY_BYTES ? 0 : memberOfWord(decodedWord(from, to));
}

/** True when the text, in any spelling, is `2.0`. */
export function isVersion(from: usize, to: usize): bool {
  return <i32>(to - from) <= MAX_VERSION_BYTES && decodedWord(from, to) == VERSION;
}

/**
 * The text of up to seven ASCII characters, decoded, with a quote behind it, as one word; 0 for any other. The grammar has accepted it,
 * so a quote comes only behind a backslash, and a decoded quote is refused: it would be taken for the end.
 */
function decodedWord(from: usize, to: usize): u64 {
  let word: u64 = 0;
  let shift: u64 = 0;
  let p = from;
  while (p < to) {
    let byte = byteAt(p++);
    if (byte == BACKSLASH) {
      // Of the escapes only those by number spell letters, digits and dots.
      if (byteAt(p) != 0x75) return 0;
      byte = (hexValue(load<u8>(p, 1)) << 12) | (hexValue(load<u8>(p, 2)) << 8);
      byte |= (hexValue(load<u8>(p, 3)) << 4) | hexValue(load<u8>(p, 4));
      p += 5;
    }
    if (byte >= 0x80 || byte == QUOTE || byte == 0 || shift == 56) return 0;
    word |= (<u64>byte) << shift;
    shift += 8;
  }
  return word | ((<u64>QUOTE) << shift);
}
