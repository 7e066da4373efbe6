import type { CloseReason, Duplex, QueueOptions, ReadingOptions } from '../duplex.ts';
import { TransportError } from '../errors.ts';
import { StreamDuplex } from '../framed/stream-duplex.ts';
import {
  type GuardedStdio,
  type GuardLevel,
  guardLevel,
  installGuard,
  type StdoutGuard,
} from '../guard/guard.ts';
import { launchedWire } from '../guard/launcher.ts';
import { limitValue } from '../limits.ts';
import type { ReadingChoice } from '../reading/capabilities.ts';
import type { Source } from '../reading/source.ts';
import { flushSync } from './exit-flush.ts';
import { openStdinSource, openStdoutSink, whenStdoutIdle } from './stdio-table.ts';

/** How own stdin and stdout are used. */
export interface OwnStdioOptions extends ReadingOptions, QueueOptions {
  /** Longest time for unsent bytes when the process exits or `close()` was called: 0 to 2^31−1 ms, default 2,000. */
  readonly exitFlushMs?: number;
  /**
   * How well stdout is kept clean: `descriptor` (default) = as well as can be, `js` = without touching descriptor 1, `none` = not at all.
   * What is in force is told by `guard.level`. A guard that is in force already stays as it is.
   */
  readonly guard?: GuardLevel;
  /** `data` reads pipes and sockets through Node streams, with a copy, instead of straight into the reader's window. Default `auto`. */
  readonly reading?: ReadingChoice;
}

/** Stdin and stdout of this process. */
export interface OwnStdioDuplex extends Duplex {
  /** Stays in force after `close()`, until it is released: the peer may still be reading. */
  readonly guard: StdoutGuard;
}

let open: OwnStdio | undefined;

/**
 * Takes stdin and stdout of this process as a duplex, whatever they are: pipe, socket, file, device or terminal; or the descriptors that a
 * launcher names in `LINEWIRE_FDS` (see `launcherForm`). From this call on the stdout guard is in force; reading begins with `start()`.
 *
 * EOF on stdin is told by `onEnd`, and sending goes on; whoever owns the duplex closes it when the last answer is out. What is unsent when
 * the process exits, `process.exit()` by others included, is written then, synchronously.
 *
 * @example
 * ```ts
 * const duplex = openOwnStdio({ validate: 'envelope' });
 * duplex.start({
 *   onFrames(batch) {
 *     for (let index = 0; index < batch.count; index++) {
 *       if (batch.kind(index) === 'request') duplex.sendEncoded(`{"jsonrpc":"2.0","id":${batch.idText(index)},"result":{}}`);
 *     }
 *   },
 *   onEnd: () => duplex.close(),
 * });
 * ```
 *
 * @throws TransportError `STDIO_IN_USE` while another one is open, `STDIN_TAKEN` when other code has closed stdin or read it to its end,
 *   `OPTION_RANGE` for a limit out of range, `OPTION_INVALID` for an unknown `guard` or
 *   `reading`, `LAUNCHER_INVALID` for a `LINEWIRE_FDS` that makes no sense. FramingError `OPTION_RANGE` or `OPTION_INVALID` for the reader's options.
 */
export function openOwnStdio(options: OwnStdioOptions = {}): OwnStdioDuplex {
  if (open !== undefined)
    throw new TransportError('STDIO_IN_USE', 'stdin and stdout are already taken by an open duplex');
  open = new OwnStdio(options, limitValue('exitFlushMs', options.exitFlushMs));
  return open;
}

class OwnStdio extends StreamDuplex implements OwnStdioDuplex {
  readonly guard: StdoutGuard;
  readonly #stdio: GuardedStdio;
  readonly #exitFlushMs: number;
  readonly #reading: ReadingChoice | undefined;
  readonly #leaveWire: (() => void) | undefined;
  #attached = false;

  constructor(options: OwnStdioOptions, exitFlushMs: number) {
    super(options, exitFlushMs);
    this.#exitFlushMs = exitFlushMs;
    const { guard = 'descriptor', reading } = options;
    if (reading !== undefined && reading !== 'auto' && reading !== 'data')
      throw new TransportError('OPTION_INVALID', "reading must be 'auto' or 'data'");
    this.#reading = reading;
    this.#stdio = takeStdio(guard);
    this.guard = this.#stdio;
    this.#leaveWire = this.#stdio.wireOutput?.use();
    whenStdoutIdle(this.#stdio, () => {
      this.#attached = true;
      this.outbox.attach(openStdoutSink(this.#stdio, this.outbox));
    });
    process.on('exit', this.#onExit);
  }

  describe(): string {
    return 'own stdio';
  }

  protected openSource(): Source {
    const launched = launchedWire();
    if (launched !== undefined) launched.inputIsSpent = true;
    return openStdinSource(this.#stdio, this.#reading);
  }

  protected released(reason: CloseReason): void {
    process.off('exit', this.#onExit);
    open = undefined;
    this.#leaveWire?.();
    this.tellEnd(reason, this.#stdio.stderrIsWire);
  }

  readonly #onExit = (): void => {
    const unsent = this.outbox.takeUnsent();
    // Noise of others, written before the guard, is cut off here in the middle of its line; the first frame must not be glued to it.
    if (!this.#attached && unsent.length > 0) unsent.unshift(Buffer.from('\n'));
    const lostBytes = flushSync(this.#stdio.output.fd, unsent, this.#exitFlushMs);
    this.outbox.droppedBytes += lostBytes;
    this.settle(this.closeReason());
  };
}

function takeStdio(guard: GuardLevel): GuardedStdio {
  const wasGuarded = guardLevel() !== 'none';
  const stdio = installGuard(guard);
  if (!stdio.stdinWasTaken) return stdio;
  if (!wasGuarded) stdio.release();
  throw new TransportError(
    'STDIN_TAKEN',
    'other code has closed stdin or read it to its end before it was opened',
  );
}
