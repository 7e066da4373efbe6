import { McpError } from '../errors.ts';
import type { Implementation } from '../wire/versions.ts';
import type { ToolDefinition, ToolHandler } from './api/tool.ts';
import { Catalog } from './catalog/catalog.ts';

/** What a server says about itself beside its name. */
export interface McpServerOptions {
  /** A hint for the model on how to use the server, handed out at the handshake. */
  readonly instructions?: string;
}

const catalogs = new WeakMap<McpServer, Catalog>();

/**
 * What a server offers: its name and its tools. It holds no connection; `serveStdio` and `serve` run it, and one
 * server may be served on any number of connections.
 *
 * @example
 * ```ts
 * const server = new McpServer({ name: 'calculator', version: '1.0.0' });
 * server.registerTool(
 *   'add',
 *   { inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] } },
 *   ({ a, b }: { a: number; b: number }) => String(a + b),
 * );
 * serveStdio(server);
 * ```
 */
export class McpServer {
  readonly info: Implementation;

  /** @throws McpError `OPTION_INVALID` if the name or the version is not a string. */
  constructor(info: Implementation, options: McpServerOptions = {}) {
    if (typeof info?.name !== 'string' || typeof info.version !== 'string') {
      throw new McpError('OPTION_INVALID', 'A server needs a name and a version, both strings');
    }
    this.info = info;
    catalogs.set(this, new Catalog(info, options.instructions));
  }

  /**
   * Adds a tool.
   *
   * @param name - unique within the server.
   * @param handler - called with arguments that fit `inputSchema`. One that returns no promise is answered at
   *   once and costs none.
   * @throws McpError `TOOL_EXISTS`, `SCHEMA_UNSUPPORTED`, or `OPTION_INVALID` for an empty name or no handler.
   */
  registerTool<Args extends object = Record<string, unknown>>(
    name: string,
    definition: ToolDefinition,
    handler: ToolHandler<Args>,
  ): this {
    catalogOf(this).add(name, definition, handler);
    return this;
  }
}

/** The inside of a server, for the session. */
export function catalogOf(server: McpServer): Catalog {
  const catalog = catalogs.get(server);
  if (catalog === undefined)
    throw new McpError('OPTION_INVALID', 'serve() needs a McpServer of this package');
  return catalog;
}
