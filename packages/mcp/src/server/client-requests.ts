import type { FrameBatch } from '@linewire/framing';
import type { Duplex } from '@linewire/transport';
import { McpError } from '../errors.ts';
import { limitValue } from '../limits.ts';
import { OutboundRequests } from '../session/outbound-requests.ts';
import type { SessionReport } from '../session/session-report.ts';
import type { AskedStats, SessionCounters } from '../session/session-stats.ts';
import { errorText } from '../wire/answers.ts';
import { rpcCodes } from '../wire/rpc-codes.ts';
import type { ConnectionState } from './run/connection-state.ts';
import type { ServeOptions } from './serve-options.ts';

/**
 * What a server asks its client, in legacy sessions: most ask nothing, so it is made at the first question. Before that, answers have nobody who
 * waits for them.
 */
export class ClientRequests {
  private readonly duplex: Duplex;
  private readonly counters: SessionCounters;
  private readonly connection: ConnectionState;
  private readonly inputTimeoutMs: number;
  private readonly maxWaitingRequests: number;
  private readonly report: (report: SessionReport) => void;
  private outbound: OutboundRequests | undefined = undefined;
  private whyEnded: string | undefined = undefined;

  /** @throws McpError `OPTION_INVALID` */
  constructor(
    duplex: Duplex,
    connection: ConnectionState,
    options: ServeOptions,
    report: (report: SessionReport) => void,
  ) {
    this.duplex = duplex;
    this.counters = connection.counters;
    this.connection = connection;
    this.inputTimeoutMs = limitValue('inputTimeoutMs', options.inputTimeoutMs);
    this.maxWaitingRequests = limitValue('maxWaitingRequests', options.maxWaitingRequests);
    this.report = report;
  }

  /** See `ConnectionState.askClient`. */
  ask(method: string, params: object | undefined, signal?: AbortSignal): Promise<Record<string, unknown>> {
    if (this.connection.legacyClient === undefined) {
      const message = `${method} cannot be asked: only a client that sent initialize answers requests`;
      return Promise.reject(new McpError('OPTION_INVALID', message));
    }
    const { whyEnded } = this;
    if (whyEnded !== undefined) return Promise.reject(closedBefore(whyEnded, method));
    const answered = this.requests().request(
      method,
      params as Readonly<Record<string, unknown>> | undefined,
      {
        signal,
        maxTotalMs: this.inputTimeoutMs,
      },
    );
    // Reading may have stopped for want of room: then the answer is behind requests that must be refused first.
    this.duplex.parked.reconsider();
    return answered;
  }

  /** See `ConnectionState.tellClient`. */
  tell(frame: string): boolean {
    return this.whyEnded === undefined && this.requests().notify(frame);
  }

  /** The refusal of a request that cannot be parked; only while an answer is waited for, which may be behind it. */
  refusal(batch: FrameBatch, index: number): string | undefined {
    if (this.outbound === undefined || this.outbound.size === 0) return undefined;
    this.counters.answers++;
    this.counters.errors++;
    return errorText(batch.idText(index) as string, {
      code: rpcCodes.internalError,
      message: 'overloaded',
      data: { reason: 'overloaded' },
    });
  }

  /** A frame of kind `result` or `error`. Throws what decoding it throws. */
  answer(batch: FrameBatch, index: number): void {
    if (this.outbound !== undefined) {
      this.outbound.answer(batch, index);
      return;
    }
    const message = `answer for ${batch.idText(index) ?? 'no id'}, waiting for none`;
    this.counters.unmatchedAnswers++;
    this.report({ code: 'UNMATCHED_ANSWER', message, offset: batch.start(index) });
  }

  invalidAnswer(batch: FrameBatch, index: number, why: string): void {
    this.outbound?.invalidAnswer(batch.idKey(index), why);
  }

  oversizeAnswer(batch: FrameBatch, index: number): void {
    this.outbound?.oversizeAnswer(batch, index);
  }

  progress(params: unknown): void {
    this.outbound?.progress(params);
  }

  drained(): void {
    this.outbound?.drained();
  }

  /** No answer can come any more. */
  end(why: string): void {
    this.whyEnded ??= why;
    this.outbound?.end((method) => closedBefore(why, method));
  }

  private requests(): OutboundRequests {
    this.outbound ??= new OutboundRequests(this.duplex, {
      firstId: 0,
      requestTimeoutMs: this.inputTimeoutMs,
      maxWaitingRequests: this.maxWaitingRequests,
      report: this.report,
    });
    return this.outbound;
  }

  get stats(): AskedStats {
    const { outbound } = this;
    return {
      asked: outbound?.counters.requests ?? 0,
      askedAnswers: outbound?.counters.answers ?? 0,
      askedTimeouts: outbound?.counters.timeouts ?? 0,
      askedCancelled: outbound?.counters.cancelled ?? 0,
      lateAnswers: outbound?.counters.lateAnswers ?? 0,
      unmatchedAnswers: this.counters.unmatchedAnswers + (outbound?.counters.unmatchedAnswers ?? 0),
      asking: outbound?.size ?? 0,
    };
  }
}

function closedBefore(why: string, method: string): McpError {
  return new McpError('PEER_CLOSED', `${why} before ${method} was answered`);
}
