import { type ChildDuplex, type CloseReason, spawnChild } from '@linewire/transport';
import { isMcpError, McpError } from '../errors.ts';
import { isObject } from '../json-object.ts';
import type { ToolResult } from '../server/api/tool.ts';
import { invalidResponse } from '../session/outbound-errors.ts';
import { tolerated } from '../session/outbound-requests.ts';
import { isImplementation } from '../wire/envelope.ts';
import { type Implementation, legacyVersions, newestLegacyVersion } from '../wire/versions.ts';
import { ClientSession } from './client-session.ts';
import type {
  CallOptions,
  ClientStats,
  ConnectOptions,
  McpClient,
  RequestOptions,
  ToolInfo,
} from './client-types.ts';

const DEFAULT_INFO: Implementation = { name: 'linewire', version: '0.1.0' };

/**
 * Starts a server and shakes hands (legacy revisions; the probe for modern ones comes later).
 *
 * @example
 * ```ts
 * const client = await connect({ command: 'linewire-server' });
 * const result = await client.callTool('add', { a: 1, b: 2 });
 * await client.close();
 * ```
 *
 * @throws McpError `HANDSHAKE_FAILED`, with the reason as `cause` and the child's exit and stderr; the child is
 *   ended before the promise rejects. McpError `OPTION_INVALID` and TransportError `OPTION_RANGE` for options.
 */
export async function connect(options: ConnectOptions): Promise<McpClient> {
  const { clientInfo, requestTimeoutMs, onReport, onStderr, ...child } = options;
  const duplex = spawnChild({ ...child, validate: 'envelope', envelope: 'jsonrpc' });
  try {
    const session = new ClientSession(duplex, { requestTimeoutMs, onReport, onStderr });
    const hello = await session.request('initialize', {
      protocolVersion: newestLegacyVersion,
      capabilities: {},
      clientInfo: clientInfo ?? DEFAULT_INFO,
    });
    const client = new Client(session, duplex, hello);
    session.notify('notifications/initialized');
    return client;
  } catch (error) {
    const reason = await duplex.close();
    throw handshakeError(options.command, error, reason);
  }
}

class Client implements McpClient {
  readonly serverInfo: Implementation;
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions: string | undefined;
  readonly pid: number | undefined;
  readonly closed: Promise<CloseReason>;
  private readonly session: ClientSession;

  constructor(session: ClientSession, duplex: ChildDuplex, hello: Record<string, unknown>) {
    const { protocolVersion, capabilities, serverInfo, instructions } = hello;
    if (typeof protocolVersion !== 'string' || !legacyVersions.includes(protocolVersion)) {
      throw new McpError(
        'HANDSHAKE_FAILED',
        `the server speaks protocol version ${JSON.stringify(protocolVersion)}, this client does not`,
      );
    }
    if (!isObject(capabilities) || !isImplementation(serverInfo)) {
      throw new McpError('HANDSHAKE_FAILED', 'the server did not say its name, version and capabilities');
    }
    this.session = session;
    this.serverInfo = serverInfo as Implementation;
    this.protocolVersion = protocolVersion;
    this.capabilities = capabilities;
    this.instructions = typeof instructions === 'string' ? instructions : undefined;
    this.pid = duplex.pid;
    this.closed = duplex.closed;
  }

  get stats(): Readonly<ClientStats> {
    return this.session.stats;
  }

  listTools(options: RequestOptions = {}): Promise<ToolInfo[]> {
    return tolerated(this.allTools(options));
  }

  callTool(name: string, args?: object, options: CallOptions = {}): Promise<ToolResult> {
    return tolerated(this.call(name, args, options));
  }

  ping(options: RequestOptions = {}): Promise<void> {
    return tolerated(this.session.request('ping', undefined, options).then(() => {}));
  }

  close(): Promise<CloseReason> {
    return this.session.close();
  }

  private async allTools(options: RequestOptions): Promise<ToolInfo[]> {
    const tools: ToolInfo[] = [];
    const seen = new Set<unknown>();
    let cursor: unknown;
    do {
      const page = await this.session.request(
        'tools/list',
        cursor === undefined ? undefined : { cursor },
        options,
      );
      if (!Array.isArray(page['tools'])) throw invalidResponse({ method: 'tools/list' }, 'tools is no list');
      tools.push(...(page['tools'] as ToolInfo[]));
      cursor = page['nextCursor'];
      // A server that hands out the same page again would be asked for ever.
      if (seen.has(cursor)) throw invalidResponse({ method: 'tools/list' }, 'the same cursor came twice');
      seen.add(cursor);
    } while (cursor !== undefined && cursor !== null);
    return tools;
  }

  private async call(name: string, args: object | undefined, options: CallOptions): Promise<ToolResult> {
    const result = await this.session.request(
      'tools/call',
      args === undefined ? { name } : { name, arguments: args },
      options,
    );
    if (!Array.isArray(result['content']))
      throw invalidResponse({ method: 'tools/call' }, 'content is no list');
    return result as unknown as ToolResult;
  }
}

function handshakeError(command: string, error: unknown, reason: CloseReason): Error {
  if (isMcpError(error) && error.code === 'OPTION_INVALID') return error;
  const why = error instanceof Error ? error.message : String(error);
  return new McpError('HANDSHAKE_FAILED', `No connection to ${command}: ${why}`, {
    cause: error,
    exitCode: reason.exitCode,
    signal: reason.signal,
    stderrTail: reason.stderrTail,
  });
}
