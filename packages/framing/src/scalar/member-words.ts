// Nothing but constants and no imports: only then does the bundler write them as literals into the code that uses them.

/** The keys of the envelope with their quotes, as words of four bytes, the first byte lowest: `"jso` and `nrpc` (and a quote). */
export const KEY_JSONRPC = 0x6f736a22;
export const REST_OF_JSONRPC = 0x6370726e;
/** `"id"`: whole in one. */
export const KEY_ID = 0x22646922;
/** `"met` and `hod"` */
export const KEY_METHOD = 0x74656d22;
export const REST_OF_METHOD = 0x22646f68;
/** `"par` and `ams"` */
export const KEY_PARAMS = 0x72617022;
export const REST_OF_PARAMS = 0x22736d61;
/** `"res` and `ult"` */
export const KEY_RESULT = 0x73657222;
export const REST_OF_RESULT = 0x22746c75;
/** `"err` and `ror"` */
export const KEY_ERROR = 0x72726522;
export const REST_OF_ERROR = 0x22726f72;
/** `"2.0`, of the version. */
export const VERSION_2 = 0x302e3222;

/** The usual head of a frame, `{"jsonrpc":"2.0"`, in four words. */
export const HEAD_1 = 0x736a227b;
export const HEAD_2 = 0x70726e6f;
export const HEAD_3 = 0x223a2263;
export const HEAD_4 = 0x22302e32;
export const HEAD_BYTES = 16;
