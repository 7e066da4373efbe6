import type { CloseReason, Duplex, QueueOptions, ReadingOptions } from '../duplex.ts';
import { TransportError } from '../errors.ts';
import { StreamDuplex } from '../framed/stream-duplex.ts';
import { type GuardedStdio, guardLevel, installGuard, type StdoutGuard } from '../guard/guard.ts';
import { limitValue } from '../limits.ts';
import type { Source } from '../reading/source.ts';
import { flushSync } from './exit-flush.ts';
import { openStdinSource, openStdoutSink, whenStdoutIdle } from './stdio-table.ts';

/** How own stdin and stdout are used. */
export interface OwnStdioOptions extends ReadingOptions, QueueOptions {
  /** Longest time for unsent bytes when the process exits or `close()` was called: 0 to 2^31−1 ms, default 2,000. */
  readonly exitFlushMs?: number;
}

/** Stdin and stdout of this process. */
export interface OwnStdioDuplex extends Duplex {
  /** Stays in force after `close()`, until it is released: the peer may still be reading. */
  readonly guard: StdoutGuard;
}

let open: OwnStdio | undefined;

/**
 * Takes stdin and stdout of this process as a duplex, whatever they are: pipe, socket, file, device or terminal. From this call on the
 * stdout guard is in force; reading begins with `start()`.
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
 *       if (batch.kind(index) === 'request') duplex.send(`{"jsonrpc":"2.0","id":${batch.idText(index)},"result":{}}`);
 *     }
 *   },
 *   onEnd: () => duplex.close(),
 * });
 * ```
 *
 * @throws TransportError `STDIO_IN_USE` while another one is open, `STDIN_TAKEN` when other code has closed stdin or read it to its end,
 *   `OPTION_RANGE` for a limit out of range. FramingError `OPTION_RANGE` or `OPTION_INVALID` for the reader's options.
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
  #attached = false;

  constructor(options: OwnStdioOptions, exitFlushMs: number) {
    super(options, exitFlushMs);
    this.#exitFlushMs = exitFlushMs;
    this.#stdio = takeStdio();
    this.guard = this.#stdio;
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
    return openStdinSource(this.#stdio);
  }

  protected released(reason: CloseReason): void {
    process.off('exit', this.#onExit);
    open = undefined;
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

function takeStdio(): GuardedStdio {
  const wasGuarded = guardLevel() !== 'none';
  const stdio = installGuard();
  if (!stdio.stdinWasTaken) return stdio;
  if (!wasGuarded) stdio.release();
  throw new TransportError(
    'STDIN_TAKEN',
    'other code has closed stdin or read it to its end before it was opened',
  );
}
