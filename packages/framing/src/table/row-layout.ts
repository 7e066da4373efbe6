import {
  END,
  FAULT_OFFSET,
  ID_END,
  ID_START,
  LINE_END,
  META,
  METHOD_END,
  METHOD_START,
  PAYLOAD_END,
  PAYLOAD_START,
  START,
} from './row.ts';

/** One documented field of the table. @public read by the generator of the docs */
export interface RowField {
  readonly where: string;
  readonly name: string;
  readonly meaning: string;
}

/** The layout in words, for `docs/table.md`. @public read by the generator of the docs */
export const ROW_LAYOUT: readonly RowField[] = [
  {
    where: `word ${START}`,
    name: 'START',
    meaning: 'first byte of the frame, in the window; 0 for stored and dropped frames',
  },
  {
    where: `word ${END}`,
    name: 'END',
    meaning: 'one past the last byte, without newline and dropped CR, counted like START',
  },
  { where: `word ${META}`, name: 'META', meaning: 'kind, id form, code and flags, packed as below' },
  {
    where: 'META bits 0–3',
    name: 'kind',
    meaning: 'request, notification, result, error, batch, invalid, fault, value',
  },
  {
    where: 'META bits 4–7',
    name: 'id form',
    meaning: 'absent, null, string, integer, integer in another spelling, unusable',
  },
  { where: 'META bits 8–15', name: 'code', meaning: '0 for a good frame, else the number of the code' },
  {
    where: 'META bit 16',
    name: 'FLAG_ASCII',
    meaning: 'no byte of the frame is above 0x7F: text can be decoded as Latin-1; never set for a fault',
  },
  {
    where: 'META bit 17',
    name: 'FLAG_UNTERMINATED',
    meaning: 'the stream ended without a newline after this frame',
  },
  {
    where: 'META bit 18',
    name: 'FLAG_STORED',
    meaning: 'reads have cut the frame, and it is long: its bytes are in the store',
  },
  {
    where: 'META bit 19',
    name: 'FLAG_DROPPED',
    meaning: 'the bytes are gone: member positions point into the captured envelope',
  },
  {
    where: 'META bits 20–23',
    name: 'FLAG_METHOD, _PARAMS, _RESULT, _ERROR',
    meaning: 'the member is present, whatever its type (params: null counts as absent)',
  },
  {
    where: `word ${ID_START}, ${ID_END}`,
    name: 'ID_START, ID_END',
    meaning: 'the id value as written, quotes included',
  },
  {
    where: `word ${METHOD_START}, ${METHOD_END}`,
    name: 'METHOD_START, METHOD_END',
    meaning: 'the text of method, between its quotes; absent when it is no string or given twice',
  },
  {
    where: `word ${PAYLOAD_START}, ${PAYLOAD_END}`,
    name: 'PAYLOAD_START, PAYLOAD_END',
    meaning: 'the value of params, or of result or error in an answer; absent under FRAME_TOO_LARGE',
  },
  {
    where: `word ${FAULT_OFFSET}`,
    name: 'FAULT_OFFSET',
    meaning: 'first byte that cannot belong, of a fault',
  },
  {
    where: `word ${LINE_END}`,
    name: 'LINE_END',
    meaning: 'position of the newline, in the window; where the bytes end at the end of the stream',
  },
  { where: 'word 11', name: '', meaning: 'not used, 0: rows of 48 bytes' },
];
