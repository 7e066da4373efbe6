/** How both engines name the members of an envelope and the types of their values. Both read this file, so it holds nothing but constants. */

/** Bits for the members of the envelope. From `MEMBER_PARAMS` on they have a payload, whose value is passed over as a whole. */
export const MEMBER_VERSION = 1;
export const MEMBER_ID = 2;
export const MEMBER_METHOD = 4;
export const MEMBER_PARAMS = 8;
export const MEMBER_RESULT = 16;
export const MEMBER_ERROR = 32;

/** Type of a JSON value, as far as the envelope cares. */
export const FORM_NONE = 0;
export const FORM_STRING = 1;
export const FORM_NUMBER = 2;
export const FORM_NULL = 3;
export const FORM_BOOLEAN = 4;
export const FORM_OBJECT = 5;
export const FORM_ARRAY = 6;
