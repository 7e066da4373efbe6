import type { JsonSchemaObject } from '../../schema/json-schema.ts';
import type { SchemaCheck } from '../../schema/schema-check.ts';
import type { RequestContext } from './context.ts';

/** One block of a tool's answer. Any content type of the protocol may stand here. */
export interface ContentBlock {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** What a tool call gives back. */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  /** The tool ran and failed; the text says why. */
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Hints for the client; it must not trust them blindly. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** How a tool is described to clients. */
export interface ToolDefinition {
  readonly title?: string;
  readonly description?: string;
  /** Checked before the handler runs. Default: any object. */
  readonly inputSchema?: JsonSchemaObject;
  readonly annotations?: ToolAnnotations;
}

/** The context of a tool's handler. */
export type CallContext = RequestContext;

/** A string stands for one text block. A thrown error becomes a result with `isError` and its message. */
export type ToolReturn = ToolResult | string;
export type ToolHandler<Args> = (args: Args, context: CallContext) => ToolReturn | Promise<ToolReturn>;

/** A tool as the session runs it. */
export interface RegisteredTool {
  readonly name: string;
  readonly definition: ToolDefinition;
  /** `undefined` = any object fits. */
  readonly check: SchemaCheck | undefined;
  readonly handler: ToolHandler<never>;
}
