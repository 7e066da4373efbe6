import { cutText } from '../../text/recent-text.ts';
import { decodeRange } from '../codec.ts';
import type { Allowance } from './allowance.ts';
import type { DecodingStats } from './decoding-stats.ts';
import { learn } from './learn.ts';
import { Place } from './place.ts';
import { MISS, missedAt, walk } from './walk.ts';
import { WALK_SLACK_BYTES } from './walk-constants.ts';

/** Longer texts are left to the runtime. */
const MAX_WALKED_BYTES = 16 * 1024 * 1024;
/** Longest text that is worth cutting out. */
const MAX_CUT_BYTES = 2048;
/** Members that one slot learns at most: its memory is bounded by them. */
const MAX_MEMBERS = 256;
/** Bytes of objects that one slot copies at most to see whether they come again. */
const MAX_OBJECT_BYTES = 16 * 1024;
/** Bytes that may be walked in vain before walking stops. Every hit earns some back. */
const MAX_CREDIT_BYTES = 16 * 1024;
/** A hit earns half its bytes, as a shift: the walk takes less than half the time of `JSON.parse`. */
const EARNED_SHIFT = 1;
/** What a miss costs beyond the bytes that were walked: the call, and learning. */
const MISS_BYTES = 64;
/** In a row, each miss costs one time more than the one before, up to so many times. */
const MAX_MISS_WEIGHT = 8;
/** Misses in a row after which nothing more is learned. */
const MAX_MISS_STREAK = 32;
/** Texts that are not walked after the credit is used up the first time; twice as many each time it happens again. */
const FIRST_PAUSE = 1024;
const LONGEST_PAUSE = 1024 * 1024;

/**
 * Decodes the payloads of one method and direction. It learns their shapes and from then on compares what stays and reads what changes;
 * everything else, and everything that is no JSON, goes to `JSON.parse`, whose values it always equals. Learning and walking stop where they do not pay: a
 * peer that sends a new shape each time costs what `JSON.parse` costs.
 */
export class DecoderSlot {
  readonly #root: Place = new Place();
  readonly #allowance: Allowance = { members: MAX_MEMBERS, objectBytes: MAX_OBJECT_BYTES };
  #credit = MAX_CREDIT_BYTES;
  /** Texts still to be passed to the runtime unwalked. */
  #pause: number;
  #nextPause = FIRST_PAUSE;
  #missStreak = 0;
  #hits = 0;
  #misses = 0;
  #passed = 0;

  /** @param pause - texts that go to the runtime before the first is walked; for ever, if it has no end */
  constructor(pause = 0) {
    this.#pause = pause;
  }

  /** The value of a range of JSON text. `ascii`: no byte of it is above 0x7F. Throws SyntaxError like `JSON.parse`. @internal */
  decode(bytes: Uint8Array, start: number, end: number, ascii: boolean): unknown {
    const length = end - start;
    if (this.#pause > 0 || length > MAX_WALKED_BYTES || end + WALK_SLACK_BYTES > bytes.length) {
      return this.#pass(bytes, start, end, ascii);
    }
    const value = walk(this.#root, bytes, start, end, ascii);
    if (value === MISS) return this.#miss(bytes, start, end, ascii);
    this.#hits++;
    this.#missStreak = 0;
    this.#credit = Math.min(MAX_CREDIT_BYTES, this.#credit + (length >> EARNED_SHIFT));
    return value;
  }

  /** Counters so far. */
  stats(): DecodingStats {
    return {
      hits: this.#hits,
      misses: this.#misses,
      passed: this.#passed,
      members: MAX_MEMBERS - this.#allowance.members,
    };
  }

  #pass(bytes: Uint8Array, start: number, end: number, ascii: boolean): unknown {
    this.#passed++;
    if (this.#pause > 0) this.#pause--;
    return parse(bytes, start, end, ascii);
  }

  #miss(bytes: Uint8Array, start: number, end: number, ascii: boolean): unknown {
    this.#misses++;
    this.#missStreak++;
    this.#credit -= missedAt() - start + MISS_BYTES * Math.min(this.#missStreak, MAX_MISS_WEIGHT);
    if (this.#credit < 0) {
      this.#pause = this.#nextPause;
      this.#nextPause = Math.min(LONGEST_PAUSE, this.#nextPause * 2);
      this.#credit = MAX_CREDIT_BYTES;
      // Who comes back after the pause may be somebody else: learning gets another try, within the same allowance.
      this.#missStreak = 0;
    }
    const value = parse(bytes, start, end, ascii);
    if (this.#missStreak <= MAX_MISS_STREAK && this.#allowance.members > 0) {
      const { members } = this.#allowance;
      learn(this.#root, bytes, start, end, this.#allowance);
      // Learning what is known already, again and again, must not be free: it costs more than `JSON.parse`.
      if (this.#allowance.members === members) this.#credit -= end - start;
    }
    return value;
  }
}

/** Short texts are cut out of a longer one, which saves a call into the runtime; `JSON.parse` keeps nothing of them. */
function parse(bytes: Uint8Array, start: number, end: number, ascii: boolean): unknown {
  if (ascii && end - start <= MAX_CUT_BYTES) return JSON.parse(cutText(bytes, start, end));
  return decodeRange(bytes, start, end, ascii);
}
