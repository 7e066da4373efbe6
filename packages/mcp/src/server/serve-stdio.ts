import {
  isTransportError,
  type OwnStdioDuplex,
  type OwnStdioOptions,
  openOwnStdio,
} from '@linewire/transport';
import { McpError } from '../errors.ts';
import { printableLine } from '../printable.ts';
import type { SessionStats } from '../session/session-stats.ts';
import type { McpServer } from './mcp-server.ts';
import type { ServeOptions, ServerSession } from './serve-options.ts';
import { serve } from './server-session.ts';
import { StderrReporter } from './stderr-reporter.ts';
import { surviveUncaught } from './uncaught-errors.ts';

/** How a process is served: the session's options and those of its stdio. */
export interface ServeStdioOptions extends ServeOptions, Omit<OwnStdioOptions, 'validate' | 'envelope'> {
  /**
   * What becomes of errors that handlers let escape: promises that reject with nobody waiting, exceptions in timers and listeners. `report`
   * (default): told on stderr, and all other calls go on; `exit`: such an error ends the process, as in any other program.
   */
  readonly uncaught?: 'report' | 'exit' | undefined;
}

/** What a process that is told to end may still take for its abort handlers and its last bytes, in ms. */
const SIGNAL_GRACE_MS = 1000;
const END_SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/**
 * Serves this process's stdin and stdout, and owns the process from here on: `console` output goes to stderr, input
 * that cannot be used is reported there (at most ten lines in ten seconds), and the process ends by itself.
 *
 * - End of input: every accepted request is answered, then exit 0. A handler that runs on for `drainTimeoutMs`
 *   after the last answer is aborted and answered -32603 "server shutting down".
 * - SIGTERM, SIGINT, SIGHUP: handlers are aborted and answered so at once; after at most 1 s the signal is raised
 *   again, so the exit status tells the truth. A program that listens to it itself hears it twice, and is ended 1 s after that, with 128 and
 *   the number of the signal.
 * - An error that a handler lets escape is told on stderr with its stack, and the other calls go on: see `uncaught`.
 * - The peer stops reading (EPIPE): exit 0. Reading or writing fails: one line on stderr, exit 1.
 *
 * `LINEWIRE_FDS`, which a launcher sets (`launcherForm`), names other descriptors than 0 and 1; one that makes no sense is told on stderr,
 * exit 1. `NODE_DEBUG=linewire` prints the counters at the end.
 *
 * @param server - or a function that makes it, called once.
 * @throws McpError `OPTION_INVALID`, TransportError `OPTION_RANGE` for options out of range.
 */
export function serveStdio(server: McpServer | (() => McpServer), options: ServeStdioOptions = {}): void {
  const { uncaught = 'report' } = options;
  if (uncaught !== 'report' && uncaught !== 'exit')
    throw new McpError('OPTION_INVALID', `uncaught must be 'report' or 'exit', not ${String(uncaught)}`);
  const duplex = openStdio(options);
  // With `2>&1` a report would land between the answers.
  const { stderrIsWire } = duplex.guard;
  const reporter = new StderrReporter((line) => stderrIsWire || process.stderr.write(line));
  const session = serve(typeof server === 'function' ? server() : server, duplex, {
    ...options,
    onReport: options.onReport ?? ((report) => reporter.report(report)),
  });
  const stopListening = endOnSignal(session);
  const stopSurviving =
    uncaught === 'exit' ? undefined : surviveUncaught((error) => reporter.uncaught(error));
  void session.closed.then((reason) => {
    stopSurviving?.();
    reporter.unfold();
    if (!stderrIsWire) logCounters(session.stats);
    if (stopListening()) return;
    if (reason.kind === 'error' && !stderrIsWire) {
      process.stderr.write(`linewire: ${printableLine(reason.error?.message ?? 'the connection failed')}\n`);
    }
    process.exit(reason.kind === 'error' ? 1 : 0);
  });
}

/** A launcher's mistake is for the operator to read, not a bug with a stack. */
function openStdio(options: ServeStdioOptions): OwnStdioDuplex {
  try {
    return openOwnStdio({ ...options, validate: 'envelope', envelope: 'jsonrpc' });
  } catch (error) {
    if (!isTransportError(error) || error.code !== 'LAUNCHER_INVALID') throw error;
    process.stderr.write(`linewire: ${printableLine(error.message)}\n`);
    return process.exit(1);
  }
}

/** @returns a function that removes the listeners; it says whether a signal is about to end the process. */
function endOnSignal(session: ServerSession): () => boolean {
  let received: NodeJS.Signals | undefined;
  const raise = (signal: NodeJS.Signals): void => {
    stop();
    process.kill(process.pid, signal);
    // Still here: the program listens too. It gets as much time again, in which nothing is served any more.
    const number = process.getBuiltinModule('node:os').constants.signals[signal];
    setTimeout(() => process.exit(128 + number), SIGNAL_GRACE_MS).unref();
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (received !== undefined) {
      // The second one does not wait.
      raise(signal);
      return;
    }
    received = signal;
    const grace = setTimeout(raise, SIGNAL_GRACE_MS, signal);
    void Promise.all([session.close(), session.settled()]).then(() => {
      clearTimeout(grace);
      raise(signal);
    });
  };
  const stop = (): void => {
    for (const signal of END_SIGNALS) process.off(signal, onSignal);
  };
  for (const signal of END_SIGNALS) process.on(signal, onSignal);
  return () => {
    if (received === undefined) stop();
    return received !== undefined;
  };
}

function logCounters(stats: SessionStats): void {
  // Loaded only then: node:util brings a dozen modules into every start.
  if (!process.env['NODE_DEBUG']) return;
  const counters = Object.entries(stats).map(
    ([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`,
  );
  process.getBuiltinModule('node:util').debuglog('linewire')('session ended %s', counters.join(' '));
}
