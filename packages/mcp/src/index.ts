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
export type { CacheHint } from './server/api/cache-hint.ts';
export type { Completer, CompletionContext } from './server/api/completion.ts';
export type { Annotations, ContentBlock, Described, Icon } from './server/api/content.ts';
export type { RequestContext } from './server/api/context.ts';
export type {
  CreateMessageParams,
  CreateMessageResult,
  ElicitFormParams,
  ElicitResult,
  ElicitUrlParams,
  FormField,
  FormSchema,
  InputMethod,
  InputRequest,
  InputRequests,
  InputResults,
  ListRootsResult,
  RequestInput,
  SamplingMessage,
} from './server/api/input.ts';
export type {
  PromptArgument,
  PromptDefinition,
  PromptHandler,
  PromptMessage,
  PromptResult,
  PromptReturn,
  PromptSchemaDefinition,
  PromptValues,
} from './server/api/prompt.ts';
export type {
  ResourceContent,
  ResourceContents,
  ResourceDefinition,
  ResourceReader,
  ResourceReturn,
  ResourceTemplateDefinition,
  ResourceTemplateReader,
} from './server/api/resource.ts';
export type { McpServerOptions, OfferedKind } from './server/api/server-options.ts';
export type { StateOptions } from './server/api/state-options.ts';
export type {
  CallContext,
  StructuredResult,
  ToolAnnotations,
  ToolDefinition,
  ToolHandler,
  ToolResult,
  ToolReturn,
} from './server/api/tool.ts';
export { McpServer } from './server/mcp-server.ts';
export type { ServeOptions, ServerSession } from './server/serve-options.ts';
export { type ServeStdioOptions, serveStdio } from './server/serve-stdio.ts';
export { serve } from './server/server-session.ts';
export type { OutboundOptions, Progress } from './session/outbound-types.ts';
export type { SessionReport } from './session/session-report.ts';
export type { AskedStats, LatencyStats, SessionStats } from './session/session-stats.ts';
export { type LogLevel, logLevels } from './wire/log-levels.ts';
export { rpcCodes } from './wire/rpc-codes.ts';
export {
  type Implementation,
  legacyVersions,
  metaKeys,
  modernVersions,
  newestLegacyVersion,
} from './wire/versions.ts';
