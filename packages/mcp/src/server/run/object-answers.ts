import { JsonEncoder } from '@linewire/framing';
import { rpcCodes } from '../../wire/rpc-codes.ts';
import { metaKeys } from '../../wire/versions.ts';
import type { Answers } from './answers.ts';
import type { Call } from './call.ts';
import { messageOf } from './message-of.ts';
import { refusalOf } from './refusal-of.ts';
import type { ReplyWriter } from './reply-writer.ts';
import { modernShapes, type ResultShape, wholeResult } from './result-shape.ts';

/** A result with at least one member. */
export type ResultObject = Readonly<Record<string, unknown>>;

/** Writes results that are objects, for all methods but `tools/call`. */
export class ObjectResults {
  readonly out: ReplyWriter;
  private readonly info: unknown;
  private readonly modern: ResultShape;
  private readonly encoder: JsonEncoder = new JsonEncoder();

  constructor(out: ReplyWriter, infoText: string) {
    this.out = out;
    this.info = JSON.parse(infoText);
    this.modern = modernShapes(infoText).object;
  }

  /** @throws FramingError `ENCODE_REFUSED` with the path of the value that JSON cannot hold; nothing is sent then. */
  write({ idSource, modern }: Call, result: ResultObject): void {
    if (!modern) this.out.answer(idSource, wholeResult, result, this.encoder);
    else if (result['_meta'] === undefined && result['resultType'] === undefined)
      this.out.answer(idSource, this.modern, result, this.encoder);
    else this.out.answer(idSource, wholeResult, this.completed(result), this.encoder);
  }

  private completed(result: ResultObject): ResultObject {
    const meta = { ...(result['_meta'] as object), [metaKeys.serverInfo]: this.info };
    return { ...result, resultType: 'complete', _meta: meta };
  }
}

/** The answer of one call whose handler's value is made into a result object by `toResult`. */
export class ObjectAnswers implements Answers {
  readonly subject: string;
  /** The method, for calls that may ask the client for input. */
  readonly method: string | undefined;
  private readonly results: ObjectResults;
  private readonly toResult: (value: unknown, modern: boolean) => ResultObject;

  /** @param toResult - throws for a value that is no result; an RpcError is the answer. */
  constructor(
    subject: string,
    method: string | undefined,
    results: ObjectResults,
    toResult: (value: unknown, modern: boolean) => ResultObject,
  ) {
    this.subject = subject;
    this.method = method;
    this.results = results;
    this.toResult = toResult;
  }

  returned(call: Call, value: unknown): void {
    let result: ResultObject;
    try {
      result = this.toResult(value, call.modern);
    } catch (error) {
      if (refusalOf(error, call) === undefined) throw error;
      this.failed(call, error);
      return;
    }
    this.results.write(call, result);
  }

  failed(call: Call, error: unknown): void {
    this.results.out.refuse(
      call.idSource,
      refusalOf(error, call) ?? { code: rpcCodes.internalError, message: messageOf(error) },
    );
  }
}
