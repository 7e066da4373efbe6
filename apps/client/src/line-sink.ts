import type { Writable } from 'node:stream';

/** The output failed, and not because its reader went away. */
export class SinkError extends Error {}

/** Writes text with back-pressure; a reader that goes away (`| head`) is the end of the work, not an error. */
export class LineSink {
  readonly #stream: Writable;

  constructor(stream: Writable) {
    this.#stream = stream;
    // Each failure also reaches the callback of its write; without a listener the stream would end the process.
    stream.on('error', () => {});
  }

  /**
   * Resolves when the stream has taken the text: false when nobody reads any more.
   *
   * @throws SinkError for any other failure, a full disk for one.
   */
  write(text: string): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#stream.write(text, (error) => {
        if (error === null || error === undefined) resolve(true);
        else if ((error as NodeJS.ErrnoException).code === 'EPIPE') resolve(false);
        else reject(new SinkError(error.message));
      });
    });
  }
}
