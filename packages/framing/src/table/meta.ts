/**
 * The numbers that stand in the META word of a row; `codes.ts` has their names.
 * Both engines read this file, so it holds nothing but constants.
 */

/* Kinds. */
export const KIND_REQUEST = 0;
export const KIND_NOTIFICATION = 1;
export const KIND_RESULT = 2;
export const KIND_ERROR = 3;
export const KIND_BATCH = 4;
export const KIND_INVALID = 5;
export const KIND_FAULT = 6;
export const KIND_VALUE = 7;

/* Codes; `codes.ts` says which of several is reported. */
export const CODE_NONE = 0;
export const CODE_TRUNCATED = 1;
export const CODE_TOO_LARGE = 2;
export const CODE_UTF8 = 3;
export const CODE_BOM = 4;
export const CODE_LSP_HEADER = 5;
export const CODE_SYNTAX = 6;
export const CODE_DEPTH = 7;
export const CODE_TRAILING = 8;
export const CODE_DUPLICATE = 9;
export const CODE_VERSION = 10;
export const CODE_ID = 11;
export const CODE_METHOD = 12;
export const CODE_PARAMS = 13;
export const CODE_OUTCOME = 14;
export const CODE_SHAPE = 15;

/** How the id of a frame is spelled. Forms 2 to 4 can be answered. */
export const ID_ABSENT = 0;
export const ID_NULL = 1;
export const ID_STRING = 2;
/** Optional minus and digits. */
export const ID_INTEGER = 3;
/** An integer by value in another spelling: `1.0`, `1e3`. */
export const ID_INTEGER_SPELLED = 4;
/** Present, but a fraction, a boolean, a container, longer than `maxIdBytes`, or given twice. */
export const ID_UNUSABLE = 5;
