import { DecoderSlot } from '../json/shapes/decoder-slot.ts';

/** Methods that get a slot of their own; the first ones, since nobody has more but to do harm. */
const MAX_METHODS = 64;

/** The decoder slots of one reader, which is one direction: one a method, one for answers, one for whole frames. */
export class PayloadSlots {
  /** Payloads of answers: which method they belong to, only the caller knows. */
  readonly answers: DecoderSlot = new DecoderSlot();
  /** Frames that are decoded as a whole. */
  readonly frames: DecoderSlot = new DecoderSlot();
  /** Methods beyond the limit. */
  readonly #others: DecoderSlot = new DecoderSlot();
  readonly #byMethod: Map<string, DecoderSlot> = new Map();
  #lastMethod = '';
  #lastSlot: DecoderSlot = this.#others;

  /** The slot for the payloads of a method. */
  of(method: string): DecoderSlot {
    if (method !== this.#lastMethod) {
      this.#lastSlot = this.#byMethod.get(method) ?? this.#add(method);
      this.#lastMethod = method;
    }
    return this.#lastSlot;
  }

  #add(method: string): DecoderSlot {
    if (this.#byMethod.size === MAX_METHODS) return this.#others;
    const slot = new DecoderSlot();
    this.#byMethod.set(method, slot);
    return slot;
  }
}
