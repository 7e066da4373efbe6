import type { Intake, Source } from '../reading/source.ts';
import type { Sink, SinkOwner } from '../writing/sink.ts';

/** One direction of a memory pair: the sink of one end and the source of the other, with room for one chunk. */
export class MemoryLink implements Sink, Source {
  writer: SinkOwner | undefined;
  #intake: Intake | undefined;
  #chunk: Buffer | undefined;
  #held = false;
  #scheduled = false;
  #writerEnded = false;
  #readerStopped = false;

  write(chunk: Buffer): boolean {
    this.#chunk = chunk;
    this.#schedule();
    return false;
  }

  /** At the exit of the process nobody is left to read it. */
  unsent(chunk: Buffer): Uint8Array {
    return chunk.subarray(chunk.length);
  }

  end(): void {
    this.#writerEnded = true;
    this.#schedule();
  }

  /** The writer has gone: the reader gets what was written, then the end. */
  release(): void {
    this.writer = undefined;
    this.end();
  }

  start(intake: Intake): void {
    this.#intake = intake;
    this.#schedule();
  }

  resume(): void {
    this.#held = false;
    this.#schedule();
  }

  /** The reader has gone: what the writer sends from now on fails as in a broken pipe. */
  stop(): void {
    this.#readerStopped = true;
    this.#intake = undefined;
    if (this.#chunk !== undefined) this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#deliver);
  }

  readonly #deliver = (): void => {
    this.#scheduled = false;
    const chunk = this.#chunk;
    if (this.#readerStopped) {
      this.#chunk = undefined;
      if (chunk !== undefined)
        this.writer?.failed(Object.assign(new Error('the other end is closed'), { code: 'EPIPE' }));
      return;
    }
    const intake = this.#intake;
    if (intake === undefined || this.#held) return;
    if (chunk !== undefined) {
      this.#chunk = undefined;
      this.#held = !intake.chunk(chunk);
      this.writer?.written();
    }
    if (this.#chunk !== undefined) this.#schedule();
    else if (this.#writerEnded && !this.#held) {
      this.#intake = undefined;
      intake.ended();
    }
  };
}
