import type { IdKey } from '@linewire/framing';
import type { Call } from './call.ts';

const SLOT_COUNT = 1024;
const SLOT_MASK = SLOT_COUNT - 1;

/**
 * Running calls by id. Ids of clients mostly count up: then the number's last ten bits are a place of its own in a table, which an entry that is gone
 * again a moment later costs next to nothing; a `Map` takes some sixty nanoseconds. Strings, and numbers whose place is taken, go to one.
 */
export class RunningCalls {
  private readonly slots: (Call | undefined)[] = new Array(SLOT_COUNT).fill(undefined);
  private readonly keys: Float64Array = new Float64Array(SLOT_COUNT);
  private inSlots = 0;
  private readonly others: Map<IdKey, Call> = new Map();

  get size(): number {
    return this.inSlots + this.others.size;
  }

  get(key: IdKey): Call | undefined {
    if (typeof key === 'number') {
      const slot = key & SLOT_MASK;
      const call = this.slots[slot];
      if (call !== undefined && this.keys[slot] === key) return call;
    }
    return this.others.size === 0 ? undefined : this.others.get(key);
  }

  /** `key` must not be there. */
  add(key: IdKey, call: Call): void {
    if (typeof key === 'number') {
      const slot = key & SLOT_MASK;
      if (this.slots[slot] === undefined) {
        this.slots[slot] = call;
        this.keys[slot] = key;
        this.inSlots++;
        return;
      }
    }
    this.others.set(key, call);
  }

  delete(key: IdKey): void {
    if (typeof key === 'number') {
      const slot = key & SLOT_MASK;
      if (this.slots[slot] !== undefined && this.keys[slot] === key) {
        this.slots[slot] = undefined;
        this.inSlots--;
        return;
      }
    }
    this.others.delete(key);
  }

  /** All of them, as they are now. */
  *values(): Generator<Call> {
    for (const call of this.slots) if (call !== undefined) yield call;
    yield* this.others.values();
  }
}
