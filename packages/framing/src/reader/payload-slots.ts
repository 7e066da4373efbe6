import { DecoderSlot } from '../json/shapes/decoder-slot.ts';
import { type DecodingStats, sumOfStats } from '../json/shapes/decoding-stats.ts';
import { isCold } from '../json/shapes/warm-up.ts';

/** Methods that get a slot of their own; the first ones, since nobody has more but to do harm. */
const MAX_METHODS = 64;
/** Longer names get none: they are kept as long as the reader is. In UTF-16 units. */
const MAX_METHOD_LENGTH = 256;

/** The decoder slots of one reader, which is one direction: for requests and notifications of each method, for answers to each, for whole frames. */
export class PayloadSlots {
  readonly #calls: MethodSlots = new MethodSlots();
  readonly #answers: MethodSlots = new MethodSlots();
  readonly #frames: DecoderSlot = new DecoderSlot();
  /** Decodes what comes before the thread is warm. */
  readonly #cold: DecoderSlot = new DecoderSlot(Number.POSITIVE_INFINITY);

  /** For `params` of a method. */
  ofCall(method: string): DecoderSlot {
    return isCold() ? this.#cold : this.#calls.of(method);
  }

  /** For `result` and `error` of an answer to a method, which only the one who has called it knows. */
  ofAnswer(method: string | undefined): DecoderSlot {
    if (isCold()) return this.#cold;
    return method === undefined ? this.#answers.others : this.#answers.of(method);
  }

  /** For frames that are decoded as a whole. */
  ofFrame(): DecoderSlot {
    return isCold() ? this.#cold : this.#frames;
  }

  /** Counters of all slots together. */
  stats(): DecodingStats {
    const slots = [...this.#calls.all(), ...this.#answers.all(), this.#frames, this.#cold];
    return sumOfStats(slots.map((slot) => slot.stats()));
  }
}

/** A slot for each of the first methods, and one for all others. */
class MethodSlots {
  readonly others: DecoderSlot = new DecoderSlot();
  readonly #byMethod: Map<string, DecoderSlot> = new Map();
  #lastMethod = '';
  #lastSlot: DecoderSlot = this.others;

  of(method: string): DecoderSlot {
    if (method.length > MAX_METHOD_LENGTH) return this.others;
    if (method !== this.#lastMethod) {
      this.#lastSlot = this.#byMethod.get(method) ?? this.#add(method);
      this.#lastMethod = method;
    }
    return this.#lastSlot;
  }

  all(): DecoderSlot[] {
    return [this.others, ...this.#byMethod.values()];
  }

  #add(method: string): DecoderSlot {
    if (this.#byMethod.size === MAX_METHODS) return this.others;
    const slot = new DecoderSlot();
    this.#byMethod.set(method, slot);
    return slot;
  }
}
