import type { ReadableStreamDefaultReader } from 'node:stream/web';
import type { Intake, Source } from '../reading/source.ts';

/**
 * Reads a Web stream, one chunk at a time: while the intake says false it is not asked, so its own queue fills and its producer waits.
 *
 * After `stop()` what comes is thrown away until `letGo()`: a producer that is cancelled may let fall what we wrote last.
 */
export class WebSource implements Source {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #intake: Intake | undefined;
  #stopped = false;
  #isAsking = false;
  #isOver = false;
  #whenOver: (() => void) | undefined;

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#reader = reader;
  }

  start(intake: Intake): void {
    this.#intake = intake;
    this.#ask();
  }

  resume(): void {
    this.#ask();
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#ask();
  }

  /** Waits for the end of the producer, for a limited time, then cancels it and calls back. */
  letGo(timeoutMs: number, done: () => void): void {
    this.stop();
    const over = (): void => {
      this.#whenOver = undefined;
      clearTimeout(timer);
      // The producer may refuse, or have failed before; either way nobody listens any more.
      this.#reader.cancel().then(this.#unlock, this.#unlock);
      done();
    };
    const timer = setTimeout(over, timeoutMs);
    if (this.#isOver) over();
    else this.#whenOver = over;
  }

  #ask(): void {
    if (this.#isAsking || this.#isOver) return;
    this.#isAsking = true;
    this.#reader.read().then(this.#onRead, this.#onFailure);
  }

  #end(): void {
    this.#isOver = true;
    this.#whenOver?.();
  }

  readonly #onRead = (result: { done: boolean; value?: Uint8Array | undefined }): void => {
    this.#isAsking = false;
    const intake = this.#intake;
    if (result.done) {
      this.#end();
      if (!this.#stopped) intake?.ended();
      return;
    }
    if (this.#stopped || intake === undefined) {
      this.#ask();
      return;
    }
    const { value } = result;
    if (!(value instanceof Uint8Array)) {
      this.#onFailure(
        Object.assign(new TypeError('a chunk is no Uint8Array'), { code: 'ERR_INVALID_ARG_TYPE' }),
      );
      return;
    }
    if (intake.chunk(value)) this.#ask();
  };

  readonly #onFailure = (error: unknown): void => {
    this.#isAsking = false;
    this.#end();
    if (!this.#stopped) this.#intake?.failed(error instanceof Error ? error : new Error(String(error)));
  };

  readonly #unlock = (): void => this.#reader.releaseLock();
}
