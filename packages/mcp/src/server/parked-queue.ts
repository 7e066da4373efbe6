import type { IdKey } from '@linewire/framing';

/** A request that waits for credit. It holds the text of its params, not the decoded value: that is 3–10 times bigger. */
export interface ParkedRequest {
  readonly key: IdKey;
  readonly idText: string;
  readonly method: string;
  readonly paramsText: string | undefined;
  /** Bytes of the frame as it came. */
  readonly byteCount: number;
}

/** First in, first out, with removal by id for a cancel. A Map keeps both in constant time. */
export class ParkedQueue {
  /** Sum of the parked frames. */
  byteCount = 0;
  private readonly entries: Map<IdKey, ParkedRequest> = new Map();

  get size(): number {
    return this.entries.size;
  }

  has(key: IdKey): boolean {
    return this.entries.has(key);
  }

  add(request: ParkedRequest): void {
    this.entries.set(request.key, request);
    this.byteCount += request.byteCount;
  }

  remove(key: IdKey): ParkedRequest | undefined {
    const request = this.entries.get(key);
    if (request === undefined) return undefined;
    this.entries.delete(key);
    this.byteCount -= request.byteCount;
    return request;
  }

  /** The oldest request, taken out. */
  shift(): ParkedRequest | undefined {
    for (const key of this.entries.keys()) return this.remove(key);
    return undefined;
  }

  clear(): void {
    this.entries.clear();
    this.byteCount = 0;
  }
}
