/**
 * Which members and items of one value the rules so far have looked at, for `unevaluatedProperties` and
 * `unevaluatedItems`. Only schemas with these keywords make any.
 */
export class Evaluated {
  allKeys = false;
  readonly keys: Set<string> = new Set();
  allItems = false;
  /** Items in front of this index are evaluated. */
  firstItems = 0;
  /** Items further on that `contains` has found. */
  readonly foundItems: Set<number> = new Set();

  add(other: Evaluated): void {
    this.allKeys ||= other.allKeys;
    this.allItems ||= other.allItems;
    this.firstItems = Math.max(this.firstItems, other.firstItems);
    for (const key of other.keys) this.keys.add(key);
    for (const index of other.foundItems) this.foundItems.add(index);
  }

  hasKey(key: string): boolean {
    return this.allKeys || this.keys.has(key);
  }

  hasItem(index: number): boolean {
    return this.allItems || index < this.firstItems || this.foundItems.has(index);
  }
}
