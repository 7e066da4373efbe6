/** The states of the JSON grammar, one byte at a time. Both engines read this file, so it holds nothing but constants. */

/* States. The caret stands under the next byte. */
export const BLANK = 0; //          ^{"id":1}          nothing but white space so far
export const VALUE = 1; //          {"id":^1}
export const ARRAY_FIRST = 2; //    [^1]               a value or the end of an empty array
export const OBJECT_FIRST = 3; //   {^"id":1}          a key or the end of an empty object
export const KEY = 4; //            {"id":1,^"a":2}
export const COLON_NEXT = 5; //     {"id"^:1}
export const AFTER_VALUE = 6; //    {"id":1^,"a":2}
export const ROOT_DONE = 7; //      {"id":1}^          only white space may follow
export const STRING = 8; //         "a^b"
export const STRING_ESCAPE = 9; //  "\^n"
export const STRING_HEX = 10; //    "\u0^0e9"
export const NUMBER_MINUS = 11; //  -^1
export const NUMBER_ZERO = 12; //   0^.5
export const NUMBER_INTEGER = 13; // 1^2
export const NUMBER_DOT = 14; //    1.^5
export const NUMBER_FRACTION = 15; // 1.5^2
export const NUMBER_E = 16; //      1e^+5
export const NUMBER_SIGN = 17; //   1e+^5
export const NUMBER_EXPONENT = 18; // 1e5^0
export const LITERAL = 19; //       t^rue
export const SKIM = 20; //          {"params":{^…}}    deeper than the grammar is checked
export const SKIM_STRING = 21; //   {"params":{"^…"}}
export const SKIM_ESCAPE = 22; //   {"params":{"\^n"}}
export const UTF8 = 23; //          inside a multi-byte sequence
export const LSP = 24; //           Cont^ent-Length: 12
export const BAD = 25; //           a fault ended the grammar: only the newline matters
