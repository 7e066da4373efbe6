import { ByteTransit, type FrameObserver } from './byte-transit.ts';
import { JoinedEnds, type Relay, type RelayDirectionStats, type RelayOptions } from './relay.ts';
import type { RelayEnd } from './relay-end.ts';

/** Who looks on, by direction; each sees the frames of one. */
export interface RelayBytesOptions extends RelayOptions {
  /**
   * Sees the frames that go from `a` to `b`, in batches, before their last bytes are handed on; it cannot change or delay them. What it throws
   * goes to `reading.onError`, or is thrown again in a microtask. Costs one copy and one scan of the bytes.
   */
  readonly onFramesFromA?: FrameObserver;
  readonly onFramesFromB?: FrameObserver;
}

/** A relay of bytes. */
export interface ByteRelay extends Relay {
  readonly stats: { readonly fromA?: RelayDirectionStats; readonly fromB?: RelayDirectionStats };
}

/**
 * Joins two sides so that each gets exactly the bytes of the other: nothing is parsed, re-framed, added or left out, whether it is JSON or not,
 * blank lines, byte order marks and an unfinished last line included. It begins at once.
 *
 * - Back-pressure: at most `highWaterBytes` and one read are held per direction; then the sender is not read.
 * - Ends: the end of one sender becomes the end of the other side's input; the other direction goes on.
 * - Death: when a side takes nothing any more, or is reset, its sender is not read any more, what it had sent is handed on, and then the
 *   other side's input ends. A child has gone when it exits.
 *
 * @example
 * ```ts
 * const child = spawn('node', ['server.js'], { stdio: ['pipe', 'pipe', 'inherit'] });
 * const relay = relayBytes(stdioEnd(), childEnd(child), { onFramesFromA: (batch) => count(batch) });
 * const { kind, exitCode } = await relay.closed;
 * ```
 *
 * @throws TransportError `OPTION_RANGE`, `OPTION_INVALID` (no direction is possible); FramingError for `reading`
 */
export function relayBytes(a: RelayEnd, b: RelayEnd, options: RelayBytesOptions = {}): ByteRelay {
  const observers = { a: options.onFramesFromA, b: options.onFramesFromB };
  return new Bytes(a, b, options, (from, to, reading) => new ByteTransit(to, observers[from], reading));
}

class Bytes extends JoinedEnds implements ByteRelay {
  get stats(): ByteRelay['stats'] {
    const fromA = this.statsFrom('a');
    const fromB = this.statsFrom('b');
    return { ...(fromA && { fromA }), ...(fromB && { fromB }) };
  }
}
