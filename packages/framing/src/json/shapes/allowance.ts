/** What a slot may still learn. Nothing is given back: its memory is bounded by it. */
export interface Allowance {
  /** Members, places of array items included: each is a few objects of some hundred bytes. */
  members: number;
  /** Bytes of objects that are copied to see whether they come again. */
  objectBytes: number;
}
