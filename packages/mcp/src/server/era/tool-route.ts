import type { IdSource } from '@linewire/framing';
import { isObject } from '../../json-object.ts';
import type { Envelope } from '../../wire/envelope.ts';
import { BAD_TOKEN, progressTokenText } from '../../wire/progress-token.ts';
import { rpcCodes } from '../../wire/rpc-codes.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { CallRunner } from '../run/call-runner.ts';
import type { ReplyWriter } from '../run/reply-writer.ts';
import type { Params, ParamsText } from './incoming.ts';
import { BAD_TOKEN_REFUSAL, invalidParams, methodNotFound } from './refusals.ts';

/** `tools/call`, the method that has to be fast: nothing is allocated here for a good call. */
export class ToolRoute {
  private readonly catalog: Catalog;
  private readonly out: ReplyWriter;
  private readonly runner: CallRunner;

  constructor(catalog: Catalog, out: ReplyWriter, runner: CallRunner) {
    this.catalog = catalog;
    this.out = out;
    this.runner = runner;
  }

  call(
    idSource: IdSource,
    params: Params,
    modern: boolean,
    meta: Envelope | undefined,
    paramsText: ParamsText,
  ): void {
    if (!this.catalog.offersTools) {
      this.out.refuse(idSource, methodNotFound('tools/call'));
      return;
    }
    let tokenText: string | undefined;
    if (meta !== undefined) {
      const token = progressTokenText(meta, paramsText);
      if (token === BAD_TOKEN) {
        this.out.refuse(idSource, BAD_TOKEN_REFUSAL);
        return;
      }
      tokenText = token;
    }
    const name = params?.['name'];
    if (typeof name !== 'string') {
      this.out.refuse(idSource, invalidParams('name must be a string'));
      return;
    }
    const args = params?.['arguments'] === undefined ? {} : params['arguments'];
    if (!isObject(args)) {
      this.out.refuse(idSource, invalidParams('arguments must be an object'));
      return;
    }
    const tool = this.catalog.tool(name);
    if (tool === undefined) {
      this.out.refuse(idSource, { code: rpcCodes.invalidParams, message: `Unknown tool: ${name}` });
      return;
    }
    this.runner.callTool(tool, args, idSource, modern, meta, tokenText, modern ? params : undefined);
  }
}
