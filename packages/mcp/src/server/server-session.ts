import type { IdKey } from '@linewire/framing';
import type { CloseReason, Duplex } from '@linewire/transport';
import { McpError } from '../errors.ts';
import { flagValue, limitValue } from '../limits.ts';
import { callBack } from '../session/call-back.ts';
import type { SessionReport } from '../session/session-report.ts';
import { newSessionCounters, type SessionCounters, type SessionStats } from '../session/session-stats.ts';
import { type RpcRefusal, rpcCodes } from '../wire/rpc-codes.ts';
import { Admission } from './admission.ts';
import { ArrayIntake } from './array-intake.ts';
import { ClientRequests } from './client-requests.ts';
import { Dispatcher } from './era/dispatcher.ts';
import { FrameIntake } from './frame-intake.ts';
import { EraInputDesk } from './input/input-desk.ts';
import { catalogOf, type McpServer, sealOf } from './mcp-server.ts';
import { CallRunner } from './run/call-runner.ts';
import { ConnectionState } from './run/connection-state.ts';
import { Latency } from './run/latency.ts';
import { ReplyWriter } from './run/reply-writer.ts';
import { ToolAnswers } from './run/tool-answers.ts';
import type { ServeOptions, ServerSession } from './serve-options.ts';
import { ChangeFeed } from './subscriptions/change-feed.ts';

const SHUTTING_DOWN: RpcRefusal = { code: rpcCodes.internalError, message: 'server shutting down' };

/**
 * Runs a server on a connection that was not started yet. The session starts it and ends it: by itself when the
 * peer's input has ended and everything that was accepted is answered, or by `close()`.
 *
 * @throws McpError `OPTION_INVALID`; TransportError `ALREADY_STARTED`
 */
export function serve(server: McpServer, duplex: Duplex, options: ServeOptions = {}): ServerSession {
  return new Session(server, duplex, options);
}

/** @throws McpError `OPTION_INVALID`: a misspelt word must not open an era that was to be closed. */
function rejectsLegacy(legacy: ServeOptions['legacy']): boolean {
  if (legacy === undefined || legacy === 'serve' || legacy === 'reject') return legacy === 'reject';
  throw new McpError('OPTION_INVALID', `legacy must be 'serve' or 'reject', not ${String(legacy)}`);
}

/** One connection from its start to its end: puts the parts together, and decides when all is answered. */
class Session implements ServerSession {
  private readonly counters: SessionCounters = newSessionCounters();
  private readonly duplex: Duplex;
  private readonly out: ReplyWriter;
  private readonly connection: ConnectionState;
  private readonly runner: CallRunner;
  private readonly admission: Admission;
  private readonly intake: FrameIntake;
  private readonly asked: ClientRequests;
  private readonly arrays: ArrayIntake;
  private readonly changes: ChangeFeed;
  private readonly stopWatching: () => void;
  private readonly latency: Latency | undefined;
  private readonly onReport: ((report: SessionReport) => void) | undefined;
  private readonly drainTimeoutMs: number;
  private inputEnded = false;
  private readonly settledWaiters: (() => void)[] = [];
  private drainTimer: NodeJS.Timeout | undefined = undefined;

  constructor(server: McpServer, duplex: Duplex, options: ServeOptions) {
    const catalog = catalogOf(server);
    const report = (told: SessionReport): void => this.report(told);
    const maxInFlight = limitValue('maxInFlight', options.maxInFlight);
    this.duplex = duplex;
    this.onReport = options.onReport;
    this.drainTimeoutMs = limitValue('drainTimeoutMs', options.drainTimeoutMs);
    this.latency = flagValue('measureLatency', options.measureLatency) ? new Latency() : undefined;
    this.out = new ReplyWriter(duplex, this.counters);
    this.connection = new ConnectionState(
      this.out,
      this.counters,
      catalog.offersLogging,
      (method, params, signal) => this.asked.ask(method, params, signal),
      (frame) => this.asked.tell(frame),
    );
    const { connection, counters, out } = this;
    connection.inputs = new EraInputDesk(connection, sealOf(server), catalog.infoText);
    this.asked = new ClientRequests(duplex, connection, options, report);
    const answers = new ToolAnswers(out, catalog.infoText);
    this.runner = new CallRunner(connection, answers, () => this.afterSettled(), this.latency);
    const { runner } = this;
    this.changes = new ChangeFeed(
      connection,
      catalog,
      limitValue('maxSubscriptions', options.maxSubscriptions),
    );
    const { changes } = this;
    const subscriptions = changes.modern;
    this.admission = new Admission(duplex, runner, subscriptions, maxInFlight, () => this.endIfDrained());
    const { admission } = this;
    const rejectLegacy = rejectsLegacy(options.legacy);
    const dispatcher = new Dispatcher({ catalog, connection, runner, changes, rejectLegacy });
    this.arrays = new ArrayIntake(
      { duplex, connection, admission, report, intake: () => this.intake },
      options,
    );
    const { arrays, asked } = this;
    this.intake = new FrameIntake({
      duplex,
      counters,
      out,
      runner,
      dispatcher,
      admission,
      asked,
      arrays,
      subscriptions,
      cancel: (key, reason) => this.cancel(key, reason),
      report,
    });
    this.stopWatching = catalog.watch(changes);
    duplex.start({
      onFrames: (batch) => this.intake.frames(batch),
      isFree: (batch, index) => this.intake.isFree(batch, index),
      refusal: (batch, index) => this.asked.refusal(batch, index),
      onEnd: () => this.endOfInput(),
      onDrain: () => this.drained(),
      onClose: (reason) => this.connectionClosed(reason),
    });
  }

  get stats(): SessionStats {
    const { count, byteCount, stalls, refused } = this.duplex.parked;
    return {
      ...this.counters,
      ...this.asked.stats,
      parked: count + this.arrays.waitingCount,
      parkedBytes: byteCount,
      readStalls: stalls,
      overloaded: refused,
      openBatches: this.arrays.openCount,
      latency: this.latency?.stats,
    };
  }

  get closed(): Promise<CloseReason> {
    return this.duplex.closed;
  }

  settled(): Promise<void> {
    if (this.runner.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.settledWaiters.push(resolve));
  }

  async close(): Promise<CloseReason> {
    this.giveUp();
    // The handler that calls this, if one does, has still to return: what it gives back at once is its answer.
    await undefined;
    this.refuseRunning();
    return await this.closeDuplex();
  }

  /** Ends the call of that id, wherever it is. False: there is none. */
  private cancel(key: IdKey, reason: McpError): boolean {
    if (this.duplex.parked.drop(key) || this.arrays.drop(key)) {
      this.endIfDrained();
      return true;
    }
    if (this.changes.modern.cancel(key)) return true;
    if (!this.runner.cancel(key, reason)) return false;
    this.arrays.cancelled(key);
    this.endIfDrained();
    return true;
  }

  private report(report: SessionReport): void {
    if (this.onReport !== undefined) callBack(this.onReport, report);
  }

  /** The peer has read enough of what was sent: more may be said and run. */
  private drained(): void {
    this.connection.notices.flush();
    this.asked.drained();
    this.intake.drained();
    this.afterSettled();
  }

  private afterSettled(): void {
    if (this.settledWaiters.length > 0 && this.runner.size === 0)
      for (const resolve of this.settledWaiters.splice(0)) resolve();
    if (this.admission.isOver) return;
    this.admission.release();
    this.drainTimer?.refresh();
    this.endIfDrained();
  }

  private endOfInput(): void {
    this.inputEnded = true;
    this.asked.end('The client has ended its output');
    this.endIfDrained();
    if (!this.admission.isOver) this.drainTimer = setTimeout(() => this.drainTimedOut(), this.drainTimeoutMs);
  }

  /** A peer that reads slowly holds its own answers up; only handlers are given up. */
  private drainTimedOut(): void {
    if (this.duplex.isFull) this.drainTimer?.refresh();
    else void this.close();
  }

  /** All input is read and all that was accepted is answered: flush and end. */
  private endIfDrained(): void {
    if (!this.inputEnded || this.admission.isOver) return;
    if (this.runner.owed !== 0 || this.duplex.parked.count !== 0 || this.arrays.openCount !== 0) return;
    this.admission.isOver = true;
    clearTimeout(this.drainTimer);
    this.endChanges();
    // `close()` of own stdio gives unsent bytes a limited time; a peer that reads slowly, a pager for one, must get every answer all the same.
    void this.duplex.flushed().then(() => this.closeDuplex());
  }

  private giveUp(): void {
    if (this.admission.isOver) return;
    this.admission.isOver = true;
    clearTimeout(this.drainTimer);
    this.asked.end('The server was shut down');
    for (const idSource of this.duplex.parked.dropAll()) this.out.refuse(idSource, SHUTTING_DOWN);
    this.arrays.refuseAll(SHUTTING_DOWN);
    this.refuseRunning();
    this.endChanges();
  }

  private refuseRunning(): void {
    this.runner.abortAll(new McpError('PEER_CLOSED', 'The server is shutting down'), SHUTTING_DOWN);
  }

  /** Everything else is answered: open subscriptions get their results, and nobody is told of changes any more. */
  private endChanges(): void {
    this.stopWatching();
    this.changes.modern.endAll();
  }

  /** From now on a duplex takes nothing, and whoever has news must not be told so. */
  private closeDuplex(): Promise<CloseReason> {
    const closed = this.duplex.close();
    this.out.shut();
    return closed;
  }

  private connectionClosed(reason: CloseReason): void {
    this.admission.isOver = true;
    this.admission.stop();
    this.out.shut();
    this.endChanges();
    clearTimeout(this.drainTimer);
    const why = `The connection ended: ${reason.kind}`;
    this.asked.end(why);
    this.runner.abortAll(new McpError('PEER_CLOSED', why), undefined);
  }
}
