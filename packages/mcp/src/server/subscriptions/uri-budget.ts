/** Characters that the URIs of all subscriptions of one connection and era may have together. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** Bounds what subscribed URIs take: their number alone would let each be as long as a frame. */
export class UriBudget {
  private left = MAX_CHARACTERS;

  /** False: there is no place for it. */
  take(uri: string): boolean {
    if (uri.length > this.left) return false;
    this.left -= uri.length;
    return true;
  }

  giveBack(uri: string): void {
    this.left += uri.length;
  }
}
