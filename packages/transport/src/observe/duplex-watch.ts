import type { CloseReason, DuplexStats } from '../duplex.ts';
import { isFrameWatched, publishClose, publishFrames, publishQueue } from './channels.ts';

/** What a watch reads of its duplex when somebody listens. */
export interface WatchedDuplex {
  describe(): string;
  readonly queuedBytes: number;
  readonly stats: DuplexStats;
}

let lastId = 0;

/** The side of a duplex that speaks to `diagnostics_channel`. */
export class DuplexWatch {
  readonly #duplex: WatchedDuplex;
  #id = 0;
  /** Totals at the message before. */
  #framesIn = 0;
  #bytesIn = 0;
  #framesOut = 0;
  #bytesOut = 0;

  constructor(duplex: WatchedDuplex) {
    this.#duplex = duplex;
  }

  /** A read batch was delivered. */
  read(): void {
    if (!isFrameWatched()) return;
    const { framesIn, bytesIn } = this.#duplex.stats;
    publishFrames({
      ...this.#name(),
      direction: 'in',
      frames: framesIn - this.#framesIn,
      bytes: bytesIn - this.#bytesIn,
    });
    this.#framesIn = framesIn;
    this.#bytesIn = bytesIn;
  }

  /** A chunk was handed to the system. */
  wrote(): void {
    if (!isFrameWatched()) return;
    const { framesOut, bytesOut } = this.#duplex.stats;
    publishFrames({
      ...this.#name(),
      direction: 'out',
      // A frame that was taken back is one less than before.
      frames: Math.max(0, framesOut - this.#framesOut),
      bytes: bytesOut - this.#bytesOut,
    });
    this.#framesOut = framesOut;
    this.#bytesOut = bytesOut;
  }

  stalled(): void {
    publishQueue('linewire:stall', () => ({ ...this.#name(), queuedBytes: this.#duplex.queuedBytes }));
  }

  drained(): void {
    publishQueue('linewire:drain', () => ({ ...this.#name(), queuedBytes: this.#duplex.queuedBytes }));
  }

  closed(reason: CloseReason): void {
    publishClose(() => ({ ...this.#name(), reason, stats: this.#duplex.stats }));
  }

  #name(): { duplex: string; id: number } {
    if (this.#id === 0) this.#id = ++lastId;
    return { duplex: this.#duplex.describe(), id: this.#id };
  }
}
