import { type IdKey, type IdSource, idKeyOfSource } from '@linewire/framing';
import { type RpcRefusal, rpcCodes } from '../../wire/rpc-codes.ts';
import type { RegisteredTool } from '../api/tool.ts';
import { Call } from './call.ts';
import type { ConnectionState } from './connection-state.ts';
import { isThenable } from './is-thenable.ts';
import type { Latency } from './latency.ts';
import { messageOf } from './message-of.ts';
import { RunningCalls } from './running-calls.ts';
import type { ToolAnswers } from './tool-answers.ts';
import { type Settler, Waiter } from './waiter.ts';

type Meta = Readonly<Record<string, unknown>> | undefined;
type Params = Readonly<Record<string, unknown>> | undefined;

/** Runs handlers and has their outcomes written. Only a handler that awaits leaves an entry behind. */
export class CallRunner implements Settler {
  /** Calls whose handler has not settled, cancelled ones too: the credit set. */
  private readonly running: RunningCalls = new RunningCalls();
  /** Who has no promise to wait for: as many as ever waited at once. */
  private readonly idle: Waiter[] = [];
  /** Running calls that are still to be answered. */
  private owedCount = 0;
  private readonly connection: ConnectionState;
  private readonly tools: ToolAnswers;
  private readonly onSettled: () => void;

  private readonly latency: Latency | undefined;

  /** @param onSettled - called after each handler that had awaited. */
  constructor(
    connection: ConnectionState,
    tools: ToolAnswers,
    onSettled: () => void,
    latency: Latency | undefined,
  ) {
    this.connection = connection;
    this.tools = tools;
    this.onSettled = onSettled;
    this.latency = latency;
  }

  get size(): number {
    return this.running.size;
  }

  get owed(): number {
    return this.owedCount;
  }

  has(key: IdKey): boolean {
    return this.running.get(key) !== undefined;
  }

  /** Runs a tool whose name and arguments object are known to be right; judges the arguments by the schema. */
  callTool(
    tool: RegisteredTool,
    args: object,
    idSource: IdSource,
    modern: boolean,
    meta: Meta,
    tokenText: string | undefined,
    params: Params,
  ): void {
    const violation = tool.check?.check(args);
    if (violation !== undefined) {
      this.tools.misfit(idSource, tool.name, violation, modern);
      return;
    }
    const call = new Call(this.connection, this.tools, idSource, tool.name, modern, meta, tokenText, params);
    if (params !== undefined && isRetry(params) && !this.connection.inputs.resume(call)) return;
    const startMs = this.latency === undefined ? 0 : performance.now();
    let returned: unknown;
    let awaits = false;
    try {
      returned = tool.handler(args as never, call);
      awaits = isThenable(returned);
    } catch (error) {
      this.end(call, error, true, startMs);
      return;
    }
    if (awaits) this.await(call, returned as PromiseLike<unknown>, startMs);
    else this.end(call, returned, false, startMs);
  }

  /** Runs any other handler. */
  run(call: Call, handler: () => unknown): void {
    if (call.params !== undefined && isRetry(call.params) && !this.connection.inputs.resume(call)) return;
    const startMs = this.latency === undefined ? 0 : performance.now();
    let returned: unknown;
    let awaits = false;
    try {
      returned = handler();
      awaits = isThenable(returned);
    } catch (error) {
      this.end(call, error, true, startMs);
      return;
    }
    if (awaits) this.await(call, returned as PromiseLike<unknown>, startMs);
    else this.end(call, returned, false, startMs);
  }

  /** Ends a running call without an answer. False if there is none of that id. */
  cancel(key: IdKey, reason: unknown): boolean {
    const call = this.running.get(key);
    if (call === undefined || !call.live) return false;
    this.owedCount--;
    call.abort(reason);
    return true;
  }

  /** Ends all running calls, each with `refusal` as its answer (none if undefined). */
  abortAll(reason: unknown, refusal: RpcRefusal | undefined): void {
    for (const call of this.running.values()) {
      if (!call.live) continue;
      this.owedCount--;
      if (refusal !== undefined) this.connection.out.refuse(call.idSource, refusal);
      call.abort(reason);
    }
  }

  private await(call: Call, returned: PromiseLike<unknown>, startMs: number): void {
    this.running.add(idKeyOfSource(call.idSource), call);
    this.owedCount++;
    this.connection.counters.running++;
    this.latency?.awaits(call, startMs);
    const waiter = this.idle.pop() ?? new Waiter(this, this.idle);
    try {
      waiter.wait(call, returned);
    } catch (error) {
      this.idle.push(waiter);
      // A promise with members of its own that throw. Not now: who has called us may be in the middle of a batch.
      queueMicrotask(() => this.settle(call, error, true));
    }
  }

  /** A handler that was awaited has settled. */
  settle(call: Call, outcome: unknown, thrown: boolean): void {
    this.running.delete(idKeyOfSource(call.idSource));
    this.connection.counters.running--;
    const { live } = call;
    if (live) {
      this.owedCount--;
      this.finish(call, outcome, thrown);
    } else {
      this.connection.counters.lateResults++;
    }
    this.latency?.settled(call, live);
    this.onSettled();
  }

  /** A handler has given its outcome at once. */
  private end(call: Call, outcome: unknown, thrown: boolean, startMs: number): void {
    this.finish(call, outcome, thrown);
    this.latency?.record(startMs);
  }

  private finish(call: Call, outcome: unknown, thrown: boolean): void {
    call.end();
    if (call.inputs?.settled() === true) return;
    try {
      if (thrown) call.answers.failed(call, outcome);
      else call.answers.returned(call, outcome);
    } catch (error) {
      this.connection.out.refuse(call.idSource, badResult(call, error));
    }
  }
}

/** Why a result could not go out; the path is in the message of the encoder. */
function badResult({ answers, target }: Call, error: unknown): RpcRefusal {
  return {
    code: rpcCodes.internalError,
    message: `${answers.subject} ${target} returned an unusable result: ${messageOf(error)}`,
  };
}

/** The client comes back, with answers or a state. */
function isRetry(params: Readonly<Record<string, unknown>>): boolean {
  return params['inputResponses'] !== undefined || params['requestState'] !== undefined;
}
