import { FramingError } from '@linewire/framing';
import { loadAddon, type Requiring, type SimdjsonAddon, unavailable } from './load-addon.ts';

/** An opinion on JSON texts that shares no code with this package. */
export interface SimdjsonValidator {
  /**
   * Whether simdjson takes it for one whole JSON text: true or false, and no more. It does not say where the fault is or what it is, knows
   * neither frames nor envelopes, and finds no id. White space and newlines around and in the text are allowed, as in JSON. It refuses some
   * texts that `JSON.parse` and this package accept: numbers that no double, and integers that no 64-bit integer can hold, nesting beyond
   * 1,024 levels, escaped halves of surrogate pairs; the README lists them.
   *
   * @param json - bytes, which must be UTF-8 to be valid and are only read during the call; or a string, whose lone surrogates count as U+FFFD
   * @throws FramingError `OPTION_INVALID` for anything else, `OPTION_RANGE` for more bytes than a string of this runtime can have characters
   */
  isValid(json: Uint8Array | string): boolean;
}

/** What is used of Node's modules. */
interface BufferModule {
  readonly Buffer: { readonly prototype: Slicing };
  readonly constants: { readonly MAX_STRING_LENGTH: number };
  isAscii(bytes: Uint8Array): boolean;
  isUtf8(bytes: Uint8Array): boolean;
}

interface Slicing {
  latin1Slice(this: Uint8Array, start: number, end: number): string;
  utf8Slice(this: Uint8Array, start: number, end: number): string;
}

interface Host {
  readonly process?: {
    getBuiltinModule?(id: 'node:buffer'): BufferModule;
    getBuiltinModule?(id: 'node:module'): { createRequire(from: string): Requiring };
  };
}

/**
 * Loads the optional peer dependency `simdjson`, a native addon; importing this entry loads nothing.
 *
 * The addon takes strings only, so bytes are made a string first, which it copies again: the reader's own check (`validate: 'full'`, or
 * `lazyJson` for a single text) does without either and says what is wrong, too. This is for a second opinion.
 *
 * @throws FramingError `SIMDJSON_UNAVAILABLE` when the package is not installed, its addon was not built or does not load, and in
 *   runtimes without Node's modules
 */
export function createSimdjsonValidator(): SimdjsonValidator {
  const host = (globalThis as Host).process;
  const { Buffer, constants, isAscii, isUtf8 } = nodeModule(host?.getBuiltinModule?.('node:buffer'));
  const { createRequire } = nodeModule(host?.getBuiltinModule?.('node:module'));
  const addon = loadAddon(createRequire(import.meta.url));
  const { latin1Slice, utf8Slice } = Buffer.prototype;

  const isValidBytes = (bytes: Uint8Array, { isValid }: SimdjsonAddon): boolean => {
    const { length } = bytes;
    const limit = constants.MAX_STRING_LENGTH;
    if (length > limit) {
      const message = `simdjson takes strings only, and a string of this runtime has at most ${limit} characters, not ${length}`;
      throw new FramingError('OPTION_RANGE', message, { limit, actual: length });
    }
    if (isAscii(bytes)) return isValid(latin1Slice.call(bytes, 0, length));
    // Decoding would put U+FFFD in the place of what is not UTF-8, and hide it.
    return isUtf8(bytes) && isValid(utf8Slice.call(bytes, 0, length));
  };

  return {
    isValid(json) {
      if (typeof json === 'string') return addon.isValid(json);
      if (json instanceof Uint8Array) return isValidBytes(json, addon);
      throw new FramingError('OPTION_INVALID', `simdjson checks bytes or a string, not ${typeof json}`);
    },
  };
}

function nodeModule<T>(found: T | undefined): T {
  if (found !== undefined) return found;
  throw unavailable(
    'it is a native addon for Node 20.16 or later, and this runtime gives no access to modules of Node',
  );
}
