import { BAD_TOKEN, progressTokenText } from '../../wire/progress-token.ts';
import { type RpcRefusal, rpcCodes } from '../../wire/rpc-codes.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { RegisteredPrompt } from '../catalog/prompt-kind.ts';
import type { Answers } from '../run/answers.ts';
import { Call } from '../run/call.ts';
import type { CallRunner } from '../run/call-runner.ts';
import type { ConnectionState } from '../run/connection-state.ts';
import { ObjectAnswers, type ObjectResults } from '../run/object-answers.ts';
import type { DispatcherParts } from './dispatcher.ts';
import type { Incoming } from './incoming.ts';
import { promptResult } from './prompt-result.ts';
import { BAD_TOKEN_REFUSAL, invalidParams, methodNotFound, resourceNotFound } from './refusals.ts';
import { resourceResult } from './resource-result.ts';
import { stringsOf } from './strings.ts';

/** The methods beside `tools/call` that run a handler of the user's and may ask the client for input: `resources/read` and `prompts/get`. */
export class HandlerRoutes {
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

  readResource(incoming: Incoming): void {
    const { catalog } = this;
    const uri = incoming.params?.['uri'];
    if (!catalog.offersResources) this.refuse(incoming, methodNotFound(incoming.method));
    else if (typeof uri !== 'string') this.refuse(incoming, invalidParams('uri must be a string'));
    else {
      const resource = catalog.resources?.get(uri);
      const fit = resource === undefined ? catalog.templateOf(uri) : undefined;
      const definition = resource?.definition ?? fit?.template.definition;
      if (definition === undefined) {
        this.refuse(incoming, resourceNotFound(uri));
        return;
      }
      const { mimeType, cache = catalog.cache } = definition;
      const answers = new ObjectAnswers('Resource', 'resources/read', this.results, (value, modern) =>
        resourceResult(value, uri, mimeType, modern ? cache : undefined),
      );
      this.run(incoming, answers, uri, (call) =>
        fit === undefined ? resource?.read(uri, call) : fit.template.read(uri, fit.variables, call),
      );
    }
  }

  getPrompt(incoming: Incoming): void {
    const { params } = incoming;
    const name = params?.['name'];
    const values = stringsOf(params?.['arguments']);
    if (!this.catalog.offersPrompts) this.refuse(incoming, methodNotFound(incoming.method));
    else if (typeof name !== 'string') this.refuse(incoming, invalidParams('name must be a string'));
    else if (values === undefined)
      this.refuse(incoming, invalidParams('arguments must be an object of strings'));
    else {
      const prompt = this.catalog.prompts?.get(name);
      const problem = prompt === undefined ? `Unknown prompt: ${name}` : misfit(prompt, values);
      if (prompt === undefined || problem !== undefined) {
        this.refuse(incoming, { code: rpcCodes.invalidParams, message: problem ?? '' });
        return;
      }
      const answers = new ObjectAnswers('Prompt', 'prompts/get', this.results, promptResult);
      this.run(incoming, answers, name, (call) => prompt.handler(values as never, call));
    }
  }

  private run(
    { idSource, modern, meta, params, paramsText }: Incoming,
    answers: Answers,
    target: string,
    handler: (call: Call) => unknown,
  ): void {
    const token = meta === undefined ? undefined : progressTokenText(meta, paramsText);
    if (token === BAD_TOKEN) {
      this.connection.out.refuse(idSource, BAD_TOKEN_REFUSAL);
      return;
    }
    const call = new Call(
      this.connection,
      answers,
      idSource,
      target,
      modern,
      meta,
      token,
      modern ? params : undefined,
    );
    this.runner.run(call, () => handler(call));
  }

  private refuse({ idSource }: Incoming, refusal: RpcRefusal): void {
    this.connection.out.refuse(idSource, refusal);
  }
}

/** Why the values cannot be given to the prompt's handler. */
function misfit(prompt: RegisteredPrompt, values: Readonly<Record<string, string>>): string | undefined {
  const missing = prompt.arguments.find(
    ({ name, required }) => required === true && values[name] === undefined,
  );
  return missing === undefined ? undefined : `Missing argument of prompt ${prompt.name}: ${missing.name}`;
}
