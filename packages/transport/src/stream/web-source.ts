import type { ReadableStreamDefaultReader } from 'node:stream/web';
import type { Intake, Source } from '../reading/source.ts';

/** Reads a Web stream, one chunk at a time: while the intake says false it is not asked, so its own queue fills and its producer waits. */
export class WebSource implements Source {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #intake: Intake | undefined;
  #stopped = false;

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
    // The producer may refuse, or have failed before; either way nobody listens any more.
    this.#reader.cancel().then(this.#unlock, this.#unlock);
  }

  #ask(): void {
    if (!this.#stopped) this.#reader.read().then(this.#onRead, this.#onFailure);
  }

  readonly #onRead = (result: { done: boolean; value?: Uint8Array | undefined }): void => {
    const intake = this.#intake;
    if (this.#stopped || intake === undefined) return;
    if (result.done) {
      intake.ended();
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
    if (!this.#stopped) this.#intake?.failed(error instanceof Error ? error : new Error(String(error)));
  };

  readonly #unlock = (): void => this.#reader.releaseLock();
}
