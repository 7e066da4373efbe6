import { encodeJson } from '@linewire/framing';
import {
  checkEnvelope,
  claimsModern,
  type Envelope,
  isImplementation,
  isObject,
  unsupportedVersion,
} from '../../wire/envelope.ts';
import { BAD_TOKEN, progressTokenText } from '../../wire/progress-token.ts';
import { type RpcRefusal, rpcCodes } from '../../wire/rpc-codes.ts';
import {
  type Implementation,
  legacyVersions,
  metaKeys,
  modernVersions,
  newestLegacyVersion,
} from '../../wire/versions.ts';
import type { RegisteredTool } from '../api/tool.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { CallRunner } from '../run/call-runner.ts';
import type { ConnectionState } from '../run/connection-state.ts';
import type { ReplyWriter } from '../run/reply-writer.ts';
import { serverMeta } from '../run/result-shape.ts';

type Params = Record<string, unknown> | undefined;
type PlainObject = Record<string, unknown>;

/** The source text of the params of the request that is being dispatched. */
export type ParamsText = () => string | undefined;

/** Freshness of lists and discovery: stale at once, for this client only. */
const CACHE_HINT = '"ttlMs":0,"cacheScope":"private"';

const NOT_INITIALIZED = invalid(
  'Not initialized: send initialize first, or a request with a protocol version in _meta',
);

/**
 * Decides what a request is, by the rules of its era, and has it answered. The era is decided per request: one
 * with a version in its `_meta` is modern whatever came before; the others are legacy, which `initialize` switches
 * on. Nothing else changes the state.
 */
export class Dispatcher {
  private readonly catalog: Catalog;
  private readonly out: ReplyWriter;
  private readonly runner: CallRunner;
  private readonly rejectLegacy: boolean;
  private readonly connection: ConnectionState;
  /** The tool of the last call: mostly the next one's too, and its name then needs no hash. */
  private lastTool: RegisteredTool | undefined = undefined;

  constructor(catalog: Catalog, connection: ConnectionState, runner: CallRunner, rejectLegacy: boolean) {
    this.catalog = catalog;
    this.connection = connection;
    this.out = connection.out;
    this.runner = runner;
    this.rejectLegacy = rejectLegacy;
  }

  /** Answers one request, at once or when its handler settles. */
  dispatch(idText: string, method: string, params: Params, paramsText: ParamsText): void {
    const meta = params?.['_meta'];
    if (meta === undefined || meta === null) {
      this.legacy(idText, method, params, undefined, paramsText);
    } else if (!isObject(meta)) {
      this.out.refuse(idText, invalid('Invalid params: _meta must be an object'));
    } else if (claimsModern(meta)) {
      this.modern(idText, method, params as PlainObject, meta, paramsText);
    } else {
      this.legacy(idText, method, params, meta, paramsText);
    }
  }

  private legacy(
    idText: string,
    method: string,
    params: Params,
    meta: Envelope | undefined,
    paramsText: ParamsText,
  ): void {
    if (this.connection.legacyClient === undefined && method !== 'ping' && method !== 'initialize') {
      this.out.refuse(idText, this.rejectLegacy ? missingVersion() : NOT_INITIALIZED);
      return;
    }
    switch (method) {
      case 'tools/call':
        this.callTool(idText, params, false, meta, paramsText);
        return;
      case 'ping':
        this.out.result(idText, '{}');
        return;
      case 'tools/list':
        this.listTools(idText, params, false);
        return;
      case 'initialize':
        this.initialize(idText, params);
        return;
      default:
        this.out.refuse(idText, methodNotFound(method));
    }
  }

  private modern(
    idText: string,
    method: string,
    params: PlainObject,
    meta: Envelope,
    paramsText: ParamsText,
  ): void {
    const problem = checkEnvelope(meta);
    if (problem !== undefined) {
      this.out.refuse(idText, problem);
      return;
    }
    switch (method) {
      case 'tools/call':
        this.callTool(idText, params, true, meta, paramsText);
        return;
      case 'tools/list':
        this.listTools(idText, params, true);
        return;
      case 'server/discover':
        this.out.result(idText, this.discoverText());
        return;
      default:
        this.out.refuse(idText, methodNotFound(method));
    }
  }

  private initialize(idText: string, params: Params): void {
    const asked = params?.['protocolVersion'];
    const problem =
      typeof asked !== 'string'
        ? 'protocolVersion must be a string'
        : !isObject(params?.['capabilities'])
          ? 'capabilities must be an object'
          : !isImplementation(params['clientInfo'])
            ? 'clientInfo must have a name and a version, both strings'
            : undefined;
    if (problem !== undefined) {
      this.out.refuse(idText, invalid(`Invalid params: ${problem}`));
    } else if (this.rejectLegacy) {
      this.out.refuse(idText, unsupportedVersion(asked as string));
    } else {
      const version = legacyVersions.includes(asked as string) ? (asked as string) : newestLegacyVersion;
      this.connection.legacyClient = {
        protocolVersion: version,
        capabilities: (params as PlainObject)['capabilities'] as PlainObject,
        clientInfo: (params as PlainObject)['clientInfo'] as Implementation,
      };
      const { capabilitiesText, infoText } = this.catalog;
      this.out.result(
        idText,
        `{"protocolVersion":"${version}","capabilities":${capabilitiesText},"serverInfo":${infoText}${this.instructionsText()}}`,
      );
    }
  }

  private discoverText(): string {
    const versions = encodeJson(modernVersions);
    return `{"resultType":"complete","supportedVersions":${versions},"capabilities":${this.catalog.capabilitiesText},${CACHE_HINT}${this.instructionsText()},${serverMeta(this.catalog.infoText)}}`;
  }

  private instructionsText(): string {
    const { instructions } = this.catalog;
    return instructions === undefined ? '' : `,"instructions":${encodeJson(instructions)}`;
  }

  private listTools(idText: string, params: Params, modern: boolean): void {
    if (this.catalog.tools.size === 0) {
      this.out.refuse(idText, methodNotFound('tools/list'));
    } else if (params?.['cursor'] !== undefined) {
      // The list is one page, so no cursor was ever handed out.
      this.out.refuse(idText, invalid('Invalid params: unknown cursor'));
    } else if (modern) {
      this.out.result(
        idText,
        `{"resultType":"complete","tools":${this.catalog.toolsText},${CACHE_HINT},${serverMeta(this.catalog.infoText)}}`,
      );
    } else {
      this.out.result(idText, `{"tools":${this.catalog.toolsText}}`);
    }
  }

  private callTool(
    idText: string,
    params: Params,
    modern: boolean,
    meta: Envelope | undefined,
    paramsText: ParamsText,
  ): void {
    let tokenText: string | undefined;
    if (meta !== undefined) {
      const token = progressTokenText(meta, paramsText);
      if (token === BAD_TOKEN) {
        this.out.refuse(
          idText,
          invalid('Invalid params: _meta progressToken must be a string or an integer'),
        );
        return;
      }
      tokenText = token;
    }
    if (this.catalog.tools.size === 0) {
      this.out.refuse(idText, methodNotFound('tools/call'));
      return;
    }
    const name = params?.['name'];
    if (typeof name !== 'string') {
      this.out.refuse(idText, invalid('Invalid params: name must be a string'));
      return;
    }
    const args = params?.['arguments'] === undefined ? {} : params['arguments'];
    if (!isObject(args)) {
      this.out.refuse(idText, invalid('Invalid params: arguments must be an object'));
      return;
    }
    const tool = this.tool(name);
    if (tool === undefined) {
      this.out.refuse(idText, invalid(`Unknown tool: ${name}`));
      return;
    }
    this.runner.callTool(tool, args, idText, modern, meta, tokenText);
  }

  private tool(name: string): RegisteredTool | undefined {
    const last = this.lastTool;
    if (last !== undefined && last.name === name) return last;
    const tool = this.catalog.tools.get(name);
    if (tool !== undefined) this.lastTool = tool;
    return tool;
  }
}

function invalid(message: string): RpcRefusal {
  return { code: rpcCodes.invalidParams, message };
}

function methodNotFound(method: string): RpcRefusal {
  return { code: rpcCodes.methodNotFound, message: `Method not found: ${method}` };
}

/** For a server without a handshake: the key that the request lacks. */
function missingVersion(): RpcRefusal {
  return {
    code: rpcCodes.invalidParams,
    message: `Invalid params: _meta ${metaKeys.protocolVersion}: missing`,
    data: { envelope: { key: metaKeys.protocolVersion, problem: 'missing' } },
  };
}
