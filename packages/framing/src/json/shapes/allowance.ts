/** What a slot may still learn. Nothing is given back: its memory is bounded by it. */
export interface Allowance {
  /** Members, places of array items included: each is a few objects of some hundred bytes, and four known strings make it 2.3 KiB at most. */
  members: number;
  /** Bytes of objects that are copied to see whether they come again. */
  objectBytes: number;
}
