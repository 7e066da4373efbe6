import type { CloseReason, Duplex, QueueOptions, ReadingOptions } from '../duplex.ts';
import { StreamDuplex } from '../framed/stream-duplex.ts';
import { limits } from '../limits.ts';
import type { Source } from '../reading/source.ts';
import { MemoryLink } from './memory-link.ts';

/** Limits of both ends of a memory pair. */
export interface MemoryPairOptions extends ReadingOptions, QueueOptions {}

/**
 * Two duplexes that are each other's peer, without a process: for tests, and for a client and a server in one process. Frames travel as
 * bytes through the real outbox and the real frame reader, in order, each chunk on a turn of its own, with back-pressure: a paused end
 * lets the bytes pile up in the outbox of the other.
 */
export function memoryPair(options: MemoryPairOptions = {}): [Duplex, Duplex] {
  const there = new MemoryLink();
  const back = new MemoryLink();
  return [new MemoryDuplex(options, there, back), new MemoryDuplex(options, back, there)];
}

class MemoryDuplex extends StreamDuplex {
  readonly #input: MemoryLink;

  constructor(options: MemoryPairOptions, output: MemoryLink, input: MemoryLink) {
    super(options, limits.exitFlushMs.default);
    this.#input = input;
    output.writer = this.outbox;
    this.outbox.attach(output);
  }

  override close(): Promise<CloseReason> {
    this.#input.stop();
    return super.close();
  }

  describe(): string {
    return 'memory';
  }

  protected openSource(): Source {
    return this.#input;
  }

  protected released(reason: CloseReason): void {
    this.#input.stop();
    this.tellEnd(reason);
  }
}
