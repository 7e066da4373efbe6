import { type IdKey, idKeyOfText, isFramingError } from '@linewire/framing';
import type { SessionCounters } from '../session/session-stats.ts';
import { type RpcRefusal, rpcCodes } from '../wire/rpc-codes.ts';
import { Call } from './call.ts';
import { NotAToolResult } from './not-a-tool-result.ts';
import type { ReplyWriter } from './reply-writer.ts';
import type { RegisteredTool, ToolReturn } from './tool.ts';
import type { ToolAnswers } from './tool-answers.ts';

type Meta = Readonly<Record<string, unknown>> | undefined;

/** Runs handlers and writes their results. Only a handler that awaits leaves an entry behind. */
export class ToolRunner {
  /** Calls whose handler has not settled, cancelled ones too: the credit set. */
  private readonly running: Map<IdKey, Call> = new Map();
  /** Running calls that are still to be answered. */
  private owedCount = 0;
  private readonly out: ReplyWriter;
  private readonly answers: ToolAnswers;
  private readonly counters: SessionCounters;
  private readonly onSettled: () => void;

  /** @param onSettled - called after each handler that had awaited. */
  constructor(out: ReplyWriter, answers: ToolAnswers, counters: SessionCounters, onSettled: () => void) {
    this.out = out;
    this.answers = answers;
    this.counters = counters;
    this.onSettled = onSettled;
  }

  get size(): number {
    return this.running.size;
  }

  get owed(): number {
    return this.owedCount;
  }

  has(key: IdKey): boolean {
    return this.running.has(key);
  }

  /** Runs a tool whose name and arguments object are known to be right; judges the arguments by the schema. */
  run(
    tool: RegisteredTool,
    args: object,
    idText: string,
    modern: boolean,
    meta: Meta,
    tokenText: string | undefined,
  ): void {
    const violation = tool.check?.check(args);
    if (violation !== undefined) {
      const text = `Invalid arguments for tool ${tool.name}: ${violation.path} ${violation.text}`;
      this.answers.failure(idText, text, modern);
      return;
    }
    const call = new Call(this.out, idText, tool.name, modern, meta, tokenText);
    let returned: ToolReturn | Promise<ToolReturn>;
    try {
      returned = tool.handler(args as never, call);
    } catch (error) {
      this.finish(call, error, true);
      return;
    }
    if (isThenable(returned)) this.await(call, returned);
    else this.finish(call, returned, false);
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
      if (refusal !== undefined) this.out.refuse(call.idText, refusal);
      call.abort(reason);
    }
  }

  private await(call: Call, returned: PromiseLike<ToolReturn>): void {
    const key = idKeyOfText(call.idText) as IdKey;
    this.running.set(key, call);
    this.owedCount++;
    this.counters.running++;
    Promise.resolve(returned).then(
      (value) => this.settle(key, call, value, false),
      (error: unknown) => this.settle(key, call, error, true),
    );
  }

  private settle(key: IdKey, call: Call, outcome: unknown, thrown: boolean): void {
    this.running.delete(key);
    this.counters.running--;
    if (call.live) {
      this.owedCount--;
      this.finish(call, outcome, thrown);
    } else {
      this.counters.lateResults++;
    }
    this.onSettled();
  }

  private finish(call: Call, outcome: unknown, thrown: boolean): void {
    call.live = false;
    try {
      if (thrown) this.answers.failure(call.idText, messageOf(outcome), call.modern);
      else this.answers.returned(call.idText, call.toolName, outcome, call.modern);
    } catch (error) {
      this.out.refuse(call.idText, badResult(call.toolName, error));
    }
  }
}

/** Why a result could not go out; the path is in the message of the encoder. */
function badResult(toolName: string, error: unknown): RpcRefusal {
  const why = error instanceof NotAToolResult || isFramingError(error) ? error.message : messageOf(error);
  return { code: rpcCodes.internalError, message: `Tool ${toolName} returned an unusable result: ${why}` };
}

/** The text of anything that was thrown. Never throws itself, whatever the value. */
function messageOf(error: unknown): string {
  try {
    const text: unknown = error instanceof Error ? error.message : String(error);
    return typeof text === 'string' ? text : 'Unknown error';
  } catch {
    return 'Unknown error';
  }
}

function isThenable(value: unknown): value is PromiseLike<ToolReturn> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}
