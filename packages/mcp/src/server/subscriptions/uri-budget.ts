/** What the URIs of all subscriptions of one connection and era may take together, in characters. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
/** What a short one takes all the same: a string, and its places in two sets. */
const URI_OVERHEAD = 64;

/** Bounds what subscribed URIs take: their number alone would let each be as long as a frame, their lengths alone millions of short ones. */
export class UriBudget {
  private left = MAX_CHARACTERS;

  /** False: there is no place for it. */
  take(uri: string): boolean {
    const cost = uri.length + URI_OVERHEAD;
    if (cost > this.left) return false;
    this.left -= cost;
    return true;
  }

  giveBack(uri: string): void {
    this.left += uri.length + URI_OVERHEAD;
  }
}
