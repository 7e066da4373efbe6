import type { CloseReason, DuplexStats } from '../duplex.ts';

/** The one end of a duplex: settled once, told once, with a line under `NODE_DEBUG=linewire`. */
export class Ending {
  readonly closed: Promise<CloseReason>;
  #resolve: (reason: CloseReason) => void = () => {};
  #onClose: ((reason: CloseReason) => void) | undefined;
  #reason: CloseReason | undefined;

  constructor() {
    this.closed = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get settled(): boolean {
    return this.#reason !== undefined;
  }

  /** Who is told. A duplex that has ended before it was started tells on the next turn. */
  tell(onClose: ((reason: CloseReason) => void) | undefined): void {
    this.#onClose = onClose;
    const reason = this.#reason;
    if (reason !== undefined && onClose !== undefined) process.nextTick(() => onClose(reason));
  }

  settle(reason: CloseReason, name: string, stats: DuplexStats, silent = false): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    if (!silent && process.env['NODE_DEBUG']) debugClose(reason, name, stats);
    this.#resolve(reason);
    this.#onClose?.(reason);
  }
}

function debugClose(reason: CloseReason, name: string, stats: DuplexStats): void {
  const debug = process.getBuiltinModule('node:util').debuglog('linewire');
  const counters = Object.entries(stats).map(([key, value]) => `${key}=${value}`);
  debug(`${name} closed kind=${reason.kind} ${counters.join(' ')}`);
}
