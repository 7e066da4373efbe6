import { isObject } from '../../json-object.ts';
import type { RpcRefusal } from '../../wire/rpc-codes.ts';
import type { Completer, CompletionContext } from '../api/completion.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { Call } from '../run/call.ts';
import type { CallRunner } from '../run/call-runner.ts';
import type { ConnectionState } from '../run/connection-state.ts';
import { NotAToolResult } from '../run/not-a-tool-result.ts';
import { ObjectAnswers, type ObjectResults, type ResultObject } from '../run/object-answers.ts';
import type { DispatcherParts } from './dispatcher.ts';
import type { Incoming } from './incoming.ts';
import { invalidParams, methodNotFound, resourceNotFound } from './refusals.ts';
import { stringsOf } from './strings.ts';

/** The protocol's bound for one answer. */
const MAX_VALUES = 100;

type Completers = Readonly<Record<string, Completer>> | undefined;

/** `completion/complete`. What is there but has nothing to suggest is answered with no values. */
export class CompletionRoute {
  private readonly catalog: Catalog;
  private readonly connection: ConnectionState;
  private readonly runner: CallRunner;
  private readonly results: ObjectResults;

  constructor({ catalog, connection, runner }: DispatcherParts, results: ObjectResults) {
    this.catalog = catalog;
    this.connection = connection;
    this.runner = runner;
    this.results = results;
  }

  complete({ idSource, method, params, meta, modern }: Incoming): void {
    const { out } = this.connection;
    const { ref, argument, context } = params ?? {};
    const known = isObject(context) ? stringsOf(context['arguments']) : stringsOf(context);
    if (!this.catalog.offersCompletions) out.refuse(idSource, methodNotFound(method));
    else if (
      !isObject(argument) ||
      typeof argument['name'] !== 'string' ||
      typeof argument['value'] !== 'string'
    )
      out.refuse(idSource, invalidParams('argument must have a name and a value, both strings'));
    else if (known === undefined)
      out.refuse(idSource, invalidParams('context.arguments must be an object of strings'));
    else {
      const { name, value } = argument as { name: string; value: string };
      const found = this.completersOf(ref);
      if ('refusal' in found) {
        out.refuse(idSource, found.refusal);
        return;
      }
      const { completers } = found;
      const complete =
        completers !== undefined && Object.hasOwn(completers, name) ? completers[name] : undefined;
      const answers = new ObjectAnswers('Completion of', undefined, this.results, completionResult);
      const call = new Call(this.connection, answers, idSource, name, modern, meta, undefined, undefined);
      this.runner.run(call, () => complete?.(value, new Completing(call, known)) ?? []);
    }
  }

  private completersOf(ref: unknown): { readonly completers: Completers } | { readonly refusal: RpcRefusal } {
    const { type, name, uri } = isObject(ref) ? ref : {};
    if (type === 'ref/prompt' && typeof name === 'string') {
      const prompt = this.catalog.prompts?.get(name);
      return prompt ?? { refusal: invalidParams(`unknown prompt ${name}`) };
    }
    if (type === 'ref/resource' && typeof uri === 'string') {
      const template = this.catalog.templates?.get(uri);
      if (template !== undefined) return template;
      return this.catalog.knowsResource(uri) ? { completers: undefined } : { refusal: resourceNotFound(uri) };
    }
    return {
      refusal: invalidParams(
        'ref must be a ref/prompt with a name or a ref/resource with a uri, both strings',
      ),
    };
  }
}

class Completing implements CompletionContext {
  readonly arguments: Readonly<Record<string, string>>;
  private readonly call: Call;

  constructor(call: Call, known: Readonly<Record<string, string>>) {
    this.call = call;
    this.arguments = known;
  }

  get signal(): AbortSignal {
    return this.call.signal;
  }
}

/** @throws NotAToolResult for anything but a list of strings. */
function completionResult(value: unknown): ResultObject {
  // A copy, since `every` passes over holes.
  if (!Array.isArray(value) || ![...value].every((one) => typeof one === 'string'))
    throw new NotAToolResult('no list of strings');
  if (value.length <= MAX_VALUES) return { completion: { values: value } };
  return { completion: { values: value.slice(0, MAX_VALUES), total: value.length, hasMore: true } };
}
