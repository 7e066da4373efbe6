import type { Validation } from '../engine/engine.ts';
import type { EngineChoice } from '../engine-choice.ts';
import { FramingError } from '../errors.ts';
import { type NumberMode, numberMode } from '../json/numbers/number-mode.ts';
import { limitValue } from '../limits.ts';
import type { FrameBatch } from './batch.ts';
import type { ReaderSettings } from './settings.ts';

/** How to read a stream of frames. Everything but `onFrames` has a default. */
export interface FrameReaderOptions {
  /**
   * Called synchronously with the frames that are ready. Returns how many of them it consumed, from the front; nothing means all, or
   * `batch.consumed` if it was set. The rest comes first in the next batch: at the next bytes, at `resume()` or at `end()`.
   * The batch is legal until this returns.
   */
  onFrames(batch: FrameBatch): number | undefined | void;
  /** An exception out of `onFrames`. Frames up to the one it was at count as delivered. Default: re-thrown in a microtask. */
  onError?(error: unknown): void;
  /**
   * Default `auto`: the fastest that works here, or what the environment variable `LINEWIRE_ENGINE` says. By name: that one, or
   * `ENGINE_UNAVAILABLE`.
   */
  readonly engine?: EngineChoice;
  /** `jsonrpc` (default) reads the envelope of each frame; `none` is a plain NDJSON scanner, whose good frames are of kind `value`. */
  readonly envelope?: 'jsonrpc' | 'none';
  /**
   * `full` (default): what `JSON.parse` accepts. `envelope`: UTF-8, strings, brackets, depth, and the grammar at depth 1; the rest shows
   * when it is decoded. `none`: only newlines; needs `envelope: 'none'`.
   */
  readonly validate?: Validation;
  /** `strict` (default) faults a frame with ill-formed UTF-8; `replace` decodes such text to U+FFFD. */
  readonly utf8?: 'strict' | 'replace';
  /** `fault` (default) refuses a frame that has an envelope member twice; `last` takes the last one, as `JSON.parse` does. */
  readonly duplicates?: 'fault' | 'last';
  /**
   * What the numbers in `payload(i)` and `value(i)` become: `double` (default) as by `JSON.parse`, `bigint` or `raw` without a changed digit
   * (see `NumberMode`). Ids keep their text and lazy values their digits whatever it says.
   */
  readonly numbers?: NumberMode;
  /** Longest frame in bytes, 1 KiB to 2 GiB − 1, default 64 MiB. Longer ones are reported and skipped in constant memory. */
  readonly maxFrameBytes?: number;
  /** Deepest container, 1 to 1,000,000 levels, default 512. Above 16,384 the reader gets a window of its own. */
  readonly maxDepth?: number;
  /** Longest string id in bytes and most digits of an integer id, 16 to 65,536, default 1,024. Above it the reader gets a window of its own. */
  readonly maxIdBytes?: number;
  /** Landing window in bytes, 4 KiB to 16 MiB, default 256 KiB. Up to the default the readers of a thread share one; a larger one is the reader's own. */
  readonly windowBytes?: number;
}

/**
 * Checks the options and fills in the defaults.
 *
 * @throws FramingError `OPTION_RANGE`, `OPTION_INVALID`
 */
export function readerSettings(options: FrameReaderOptions): ReaderSettings {
  if (typeof options.onFrames !== 'function')
    throw new FramingError('OPTION_INVALID', 'onFrames must be a function');
  const envelope = choice('envelope', options.envelope, ['jsonrpc', 'none']);
  const validate = choice('validate', options.validate, ['full', 'envelope', 'none']);
  if (validate === 'none' && envelope !== 'none') {
    throw new FramingError(
      'OPTION_INVALID',
      "validate 'none' needs envelope 'none': an envelope cannot be read without looking",
    );
  }
  return {
    envelope,
    validate,
    utf8: choice('utf8', options.utf8, ['strict', 'replace']),
    duplicates: choice('duplicates', options.duplicates, ['fault', 'last']),
    numbers: numberMode(options.numbers),
    maxFrameBytes: limitValue('maxFrameBytes', options.maxFrameBytes),
    maxDepth: limitValue('maxDepth', options.maxDepth),
    maxIdBytes: limitValue('maxIdBytes', options.maxIdBytes),
    windowBytes: limitValue('windowBytes', options.windowBytes),
  };
}

/** The given value, or the first of `values` by default. */
function choice<T extends string>(name: string, given: T | undefined, values: readonly [T, ...T[]]): T {
  if (given === undefined) return values[0];
  if (values.includes(given)) return given;
  throw new FramingError(
    'OPTION_INVALID',
    `${name} must be one of ${values.join(', ')}, not ${String(given)}`,
  );
}
