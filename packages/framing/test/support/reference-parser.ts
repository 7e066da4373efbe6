/**
 * A plain reading of the frame policy: recursive descent over the bytes of one frame, stopping at the first fault, and the members of
 * the root object as they stand. Slow, recursive, and written without a look at the engine: it imports nothing of it.
 */

export interface ParserSettings {
  readonly maxDepth: number;
  readonly strictUtf8: boolean;
  /** Nested containers are checked for structure only (`validate: 'envelope'`). */
  readonly skimsNested: boolean;
  /** Names that may not stand twice in the root object; empty to allow. */
  readonly onceOnly: readonly string[];
}

type JsonType = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

export interface Member {
  readonly name: string;
  readonly type: JsonType;
  readonly text: Uint8Array;
}

export interface Parsed {
  readonly root: JsonType;
  /** Members of a root object in order, duplicates included. */
  readonly members: readonly Member[];
}

export class ReferenceFault extends Error {
  readonly code: string;
  readonly offset: number;
  constructor(code: string, offset: number) {
    super(`${code} at ${offset}`);
    this.code = code;
    this.offset = offset;
  }
}

const lenient = new TextDecoder('utf-8', { ignoreBOM: true });
const fatal = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/** Parses one frame: no newline, no dropped CR. @throws ReferenceFault */
export function parseFrame(bytes: Uint8Array, settings: ParserSettings): Parsed {
  return new ReferenceParser(bytes, settings).parse();
}

class ReferenceParser {
  readonly #bytes: Uint8Array;
  readonly #settings: ParserSettings;
  readonly #members: Member[] = [];
  #at = 0;

  constructor(bytes: Uint8Array, settings: ParserSettings) {
    this.#bytes = bytes;
    this.#settings = settings;
  }

  parse(): Parsed {
    if (/^content-length:/i.test(lenient.decode(this.#bytes.subarray(0, 32))))
      throw new ReferenceFault('FRAME_LSP_HEADER', 0);
    if (this.#bytes[0] === 0xef && this.#bytes[1] === 0xbb && this.#bytes[2] === 0xbf)
      throw new ReferenceFault('FRAME_BOM', 0);
    this.#space();
    // "Content-Le" is not JSON from its first byte on, so nothing more is needed for a header that is none.
    const root = this.#value(1);
    this.#space();
    if (this.#at < this.#bytes.length) {
      const whole = root === 'object' || root === 'array' || root === 'string';
      this.#bad(whole ? 'JSON_TRAILING' : 'JSON_SYNTAX');
    }
    return { root, members: this.#members };
  }

  /** The byte at the cursor; -1 at the end. */
  #peek(): number {
    return this.#bytes[this.#at] ?? -1;
  }

  /** The byte at the cursor cannot stand there: an ill-formed sequence says so itself. */
  #bad(code = 'JSON_SYNTAX'): never {
    const at = this.#at;
    if (this.#peek() >= 0x80 && this.#settings.strictUtf8) this.#sequence();
    throw new ReferenceFault(code, at);
  }

  #space(): void {
    while (this.#peek() === 0x20 || this.#peek() === 0x09 || this.#peek() === 0x0d) this.#at++;
  }

  #value(level: number): JsonType {
    const byte = this.#peek();
    if (byte === 0x7b || byte === 0x5b) {
      if (level > this.#settings.maxDepth) throw new ReferenceFault('JSON_DEPTH', this.#at);
      if (level > 1 && this.#settings.skimsNested) this.#skim(level);
      else if (byte === 0x7b) this.#object(level);
      else this.#array(level);
      return byte === 0x7b ? 'object' : 'array';
    }
    if (byte === 0x22) {
      this.#string();
      return 'string';
    }
    if (byte === 0x2d || isDigit(byte)) {
      this.#number();
      return 'number';
    }
    for (const word of ['true', 'false', 'null']) {
      if (byte !== word.charCodeAt(0)) continue;
      for (const letter of word) {
        if (this.#peek() !== letter.charCodeAt(0)) this.#bad();
        this.#at++;
      }
      return word === 'null' ? 'null' : 'boolean';
    }
    this.#bad();
  }

  #object(level: number): void {
    this.#at++;
    this.#space();
    if (this.#peek() === 0x7d) {
      this.#at++;
      return;
    }
    for (;;) {
      this.#space();
      const keyAt = this.#at;
      if (this.#peek() !== 0x22) this.#bad();
      this.#string();
      const name = level === 1 ? this.#text(keyAt, this.#at) : '';
      if (level === 1 && this.#settings.onceOnly.includes(name) && this.#members.some((m) => m.name === name))
        throw new ReferenceFault('ENVELOPE_DUPLICATE', keyAt);
      this.#space();
      if (this.#peek() !== 0x3a) this.#bad();
      this.#at++;
      this.#space();
      const valueAt = this.#at;
      const type = this.#value(level + 1);
      if (level === 1) this.#members.push({ name, type, text: this.#bytes.subarray(valueAt, this.#at) });
      this.#space();
      if (this.#peek() === 0x7d) break;
      if (this.#peek() !== 0x2c) this.#bad();
      this.#at++;
    }
    this.#at++;
  }

  #array(level: number): void {
    this.#at++;
    this.#space();
    if (this.#peek() === 0x5d) {
      this.#at++;
      return;
    }
    for (;;) {
      this.#space();
      this.#value(level + 1);
      this.#space();
      if (this.#peek() === 0x5d) break;
      if (this.#peek() !== 0x2c) this.#bad();
      this.#at++;
    }
    this.#at++;
  }

  #text(start: number, end: number): string {
    return JSON.parse(lenient.decode(this.#bytes.subarray(start, end))) as string;
  }

  #string(): void {
    this.#at++;
    for (;;) {
      const byte = this.#peek();
      if (byte === 0x22) break;
      if (byte < 0x20) this.#bad();
      if (byte >= 0x80) {
        this.#sequence();
        continue;
      }
      this.#at++;
      if (byte !== 0x5c) continue;
      const letter = String.fromCharCode(this.#peek());
      if (this.#peek() < 0 || !'"\\/bfnrtu'.includes(letter)) this.#bad();
      this.#at++;
      for (let digit = 0; letter === 'u' && digit < 4; digit++) {
        if (this.#peek() < 0 || !/[0-9a-fA-F]/.test(String.fromCharCode(this.#peek()))) this.#bad();
        this.#at++;
      }
    }
    this.#at++;
  }

  /** One well-formed sequence; with lax UTF-8 one byte, since nothing is wrong with it. */
  #sequence(): void {
    if (!this.#settings.strictUtf8) {
      this.#at++;
      return;
    }
    for (const length of [2, 3, 4]) {
      try {
        fatal.decode(this.#bytes.subarray(this.#at, this.#at + length));
        // The shortest slice that decodes holds one character: a longer one would begin with it.
        this.#at += length;
        return;
      } catch {
        // Not of this length.
      }
    }
    throw new ReferenceFault('FRAME_UTF8', this.#at);
  }

  #number(): void {
    if (this.#peek() === 0x2d) this.#at++;
    if (this.#peek() === 0x30) this.#at++;
    else this.#digits();
    if (this.#peek() === 0x2e) {
      this.#at++;
      this.#digits();
    }
    if (this.#peek() === 0x65 || this.#peek() === 0x45) {
      this.#at++;
      if (this.#peek() === 0x2b || this.#peek() === 0x2d) this.#at++;
      this.#digits();
    }
  }

  /** One digit or more. */
  #digits(): void {
    if (!isDigit(this.#peek())) this.#bad();
    while (isDigit(this.#peek())) this.#at++;
  }

  /** Brackets by kind, strings, UTF-8, depth: nothing else. */
  #skim(level: number): void {
    const closers: number[] = [];
    do {
      const byte = this.#peek();
      if (byte < 0) this.#bad();
      if (byte === 0x22) {
        this.#skimString();
        continue;
      }
      if (byte >= 0x80) {
        this.#sequence();
        continue;
      }
      if (byte === 0x7b || byte === 0x5b) {
        if (level + closers.length > this.#settings.maxDepth)
          throw new ReferenceFault('JSON_DEPTH', this.#at);
        closers.push(byte === 0x7b ? 0x7d : 0x5d);
      } else if (byte === 0x7d || byte === 0x5d) {
        if (closers.pop() !== byte) this.#bad();
      }
      this.#at++;
    } while (closers.length > 0);
  }

  #skimString(): void {
    this.#at++;
    while (this.#peek() !== 0x22) {
      if (this.#peek() < 0x20) this.#bad();
      if (this.#peek() >= 0x80) {
        this.#sequence();
        continue;
      }
      const escapes = this.#peek() === 0x5c;
      this.#at++;
      if (!escapes) continue;
      if (this.#peek() < 0x20) this.#bad();
      if (this.#peek() < 0x80) this.#at++;
    }
    this.#at++;
  }
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
