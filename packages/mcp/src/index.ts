export { launcherForm } from '@linewire/transport';
export type {
  CallOptions,
  ClientStats,
  ConnectOptions,
  McpClient,
  RequestOptions,
  ToolInfo,
} from './client/client-types.ts';
export { connect } from './client/connect.ts';
export {
  isMcpError,
  isPeerError,
  isRpcError,
  MCP_CODES,
  McpError,
  type McpErrorCode,
  type McpErrorDetails,
  PeerError,
  RpcError,
} from './errors.ts';
export { type LimitName, limits } from './limits.ts';
export { printable, printableLine } from './printable.ts';
export type { InferInput, InferSchema } from './schema/infer.ts';
export type { JsonSchema, JsonSchemaObject, JsonSchemaType } from './schema/json-schema.ts';
export type { SchemaPair, SchemaSource, SelfDescribingSchema } from './schema/schema-source.ts';
export type { RequestContext } from './server/api/context.ts';
export type {
  CallContext,
  ContentBlock,
  ToolAnnotations,
  ToolDefinition,
  ToolHandler,
  ToolResult,
  ToolReturn,
} from './server/api/tool.ts';
export { McpServer, type McpServerOptions } from './server/mcp-server.ts';
export type { ServeOptions, ServerSession } from './server/serve-options.ts';
export { type ServeStdioOptions, serveStdio } from './server/serve-stdio.ts';
export { serve } from './server/server-session.ts';
export type { OutboundOptions, Progress } from './session/outbound-types.ts';
export type { SessionReport } from './session/session-report.ts';
export type { AskedStats, LatencyStats, SessionStats } from './session/session-stats.ts';
export type { LogLevel } from './wire/log-levels.ts';
export { rpcCodes } from './wire/rpc-codes.ts';
export {
  type Implementation,
  legacyVersions,
  metaKeys,
  modernVersions,
  newestLegacyVersion,
} from './wire/versions.ts';
