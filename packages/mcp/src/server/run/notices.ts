import type { SessionCounters } from '../../session/session-stats.ts';
import type { ReplyWriter } from './reply-writer.ts';

/**
 * Notifications on their way to a client that may read slowly. While the outbox is full a log message is dropped, of the progress of one call the
 * last step waits, and of change notices with the same key one waits; `flush` sends what has waited. So they take, beyond the outbox, one frame
 * for each running call and each key. In front of an outbox that is not full it all costs one look.
 */
export class Notices {
  private readonly out: ReplyWriter;
  private readonly counters: SessionCounters;
  /** The latest step by progress token, as it is echoed. Made for the first slow client, like the other map. */
  private steps: Map<string, string> | undefined = undefined;
  private changes: Map<string, string> | undefined = undefined;

  constructor(out: ReplyWriter, counters: SessionCounters) {
    this.out = out;
    this.counters = counters;
  }

  /** @param tokenText - the token as JSON text */
  progress(tokenText: string, frame: string): void {
    this.forgetProgress(tokenText);
    if (!this.out.isFull) this.out.notify(frame);
    else {
      this.steps ??= new Map();
      this.steps.set(tokenText, frame);
    }
  }

  /** The call of that token is answered or cancelled: no progress may follow. */
  forgetProgress(tokenText: string): void {
    if (this.steps?.delete(tokenText) === true) this.counters.mergedNotices++;
  }

  /** A log message. */
  message(frame: string): void {
    if (this.out.isFull) this.counters.droppedLogs++;
    else this.out.notify(frame);
  }

  /**
   * Says that something has changed.
   *
   * @param key - frames of the same key say the same to the same receiver, so the last one stands for all
   */
  coalesce(key: string, frame: string): void {
    const replaces = this.changes?.has(key) === true;
    if (replaces) this.counters.mergedNotices++;
    if (this.out.isFull) {
      this.changes ??= new Map();
      this.changes.set(key, frame);
    } else {
      if (replaces) this.changes?.delete(key);
      this.out.notify(frame);
    }
  }

  /** Nobody wants to hear of this any more. */
  forgetChange(key: string): void {
    this.changes?.delete(key);
  }

  /** The client has read on: sends what has waited, until the outbox is full again. */
  flush(): void {
    this.send(this.changes);
    this.send(this.steps);
  }

  private send(waiting: Map<string, string> | undefined): void {
    if (waiting === undefined) return;
    for (const [key, frame] of waiting) {
      if (this.out.isFull) return;
      waiting.delete(key);
      this.out.notify(frame);
    }
  }
}
