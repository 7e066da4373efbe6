export type {
  CallOptions,
  ClientStats,
  ConnectOptions,
  McpClient,
  Progress,
  RequestOptions,
  ToolInfo,
} from './client-types.ts';
export { connect } from './connect.ts';
export {
  isMcpError,
  isPeerError,
  MCP_CODES,
  McpError,
  type McpErrorCode,
  type McpErrorDetails,
  PeerError,
} from './errors.ts';
export type { JsonSchema, JsonSchemaObject, JsonSchemaType } from './json-schema.ts';
export { type McpLimit, type McpLimitName, mcpLimits } from './limits.ts';
export { printable, printableLine } from './printable.ts';
export { rpcCodes } from './rpc-codes.ts';
export type { ServeOptions, ServerSession } from './serve-options.ts';
export { type ServeStdioOptions, serveStdio } from './serve-stdio.ts';
export { McpServer, type McpServerOptions } from './server.ts';
export { serve } from './server-session.ts';
export type { SessionReport } from './session-report.ts';
export type { SessionStats } from './session-stats.ts';
export type {
  CallContext,
  ContentBlock,
  ToolAnnotations,
  ToolDefinition,
  ToolHandler,
  ToolResult,
  ToolReturn,
} from './tool.ts';
export {
  type Implementation,
  legacyVersions,
  metaKeys,
  modernVersions,
  newestLegacyVersion,
} from './versions.ts';
