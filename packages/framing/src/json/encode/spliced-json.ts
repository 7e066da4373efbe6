import { utf8Text } from '../../text/decode.ts';

/** How often a splice was met by an encoder that cannot write it: `JSON.stringify`. */
export const splices: { met: number } = { met: 0 };

/**
 * JSON bytes that encoders write as they are, wherever a value may stand. They are known to be one JSON text without a newline: only
 * `jsonBytes` makes them. `JSON.stringify`, which cannot write bytes, gets the decoded value from `toJSON`.
 */
export class SplicedJson {
  readonly #bytes: Uint8Array;

  /** @internal */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    // What another toJSON gives is not asked for its own: JSON.stringify then reads the members, and must be seen to.
    Object.defineProperty(this, 'json', { enumerable: true, get: () => this.toJSON() });
  }

  /** How many bytes are written. */
  get byteLength(): number {
    return this.#bytes.length;
  }

  toJSON(): unknown {
    splices.met++;
    return JSON.parse(this.#text());
  }

  #text(): string {
    return utf8Text(this.#bytes, 0, this.#bytes.length);
  }

  /** The bytes of a splice, for whoever writes them; undefined for any other object. Runs no code of the object. @internal */
  static bytesOf(value: object): Uint8Array | undefined {
    return #bytes in value ? value.#bytes : undefined;
  }

  /** As `bytesOf`, as text. @internal */
  static textOf(value: object): string | undefined {
    return #bytes in value ? value.#text() : undefined;
  }
}
