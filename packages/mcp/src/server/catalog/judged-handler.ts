import { RpcError } from '../../errors.ts';
import { isObject } from '../../json-object.ts';
import type { CompiledSchema, Judged } from '../../schema/schema-source.ts';
import type { Violation } from '../../schema/violation.ts';
import { rpcCodes } from '../../wire/rpc-codes.ts';
import type { RequestContext } from '../api/context.ts';
import { isThenable } from '../run/is-thenable.ts';

/** A handler as it is called, whatever it is for. */
export type AnyHandler = (args: never, context: RequestContext) => unknown;

/**
 * A handler that is called with what a library's schema made of the arguments.
 *
 * @param refuse - throws for arguments that do not fit.
 */
export function withJudgedArguments(
  judge: NonNullable<CompiledSchema['judge']>,
  handler: AnyHandler,
  refuse: (violation: Violation) => never,
): AnyHandler {
  const call = (judged: Judged, context: RequestContext): unknown =>
    'violation' in judged ? refuse(judged.violation) : handler(judged.value as never, context);
  return (args, context) => {
    const judged = judge(args);
    if (!isThenable(judged)) return call(judged, context);
    return judged.then((value) => {
      // The client may have cancelled meanwhile; then the handler never begins.
      context.signal.throwIfAborted();
      return call(value, context);
    });
  };
}

/**
 * A handler whose results are held to the tool's output schema. Those with `isError` are not.
 *
 * @throws (the handler) RpcError -32603 for a result without `structuredContent`, or with one that does not fit.
 */
export function withCheckedResults(output: CompiledSchema, tool: string, handler: AnyHandler): AnyHandler {
  const check = (result: unknown): unknown => {
    if (isObject(result) && result['isError'] === true) return result;
    const structured = isObject(result) ? result['structuredContent'] : undefined;
    if (structured === undefined) throw unusable(tool, ' is missing, which its outputSchema describes');
    if (output.judge === undefined) {
      const violation = output.check?.check(structured);
      if (violation !== undefined) throw misfit(tool, violation);
      return result;
    }
    const judged = output.judge(structured);
    return isThenable(judged)
      ? judged.then((value) => completed(result as object, value, tool))
      : completed(result as object, judged, tool);
  };
  return (args, context) => {
    const returned = handler(args, context);
    // Of a thenable only `then` is known: what that gives back, when it calls back and how often is its own affair.
    return isThenable(returned) ? Promise.resolve(returned).then(check) : check(returned);
  };
}

/** The result with what the schema's library made of its structured part. */
function completed(result: object, judged: Judged, tool: string): object {
  if ('violation' in judged) throw misfit(tool, judged.violation);
  return { ...result, structuredContent: judged.value };
}

function misfit(tool: string, { path, text }: Violation): RpcError {
  const joint = path === '' || path.startsWith('[') ? '' : '.';
  return unusable(tool, `${joint}${path} ${text}`);
}

function unusable(tool: string, why: string): RpcError {
  return new RpcError(
    rpcCodes.internalError,
    `Tool ${tool} returned an unusable result: structuredContent${why}`,
  );
}
