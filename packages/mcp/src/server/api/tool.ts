import type { SchemaCheck } from '../../schema/schema-check.ts';
import type { SchemaSource } from '../../schema/schema-source.ts';
import type { ContentBlock, Described } from './content.ts';
import type { RequestContext } from './context.ts';

/** What a tool call gives back. */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  /** The tool ran and failed; the text says why. */
  readonly isError?: boolean;
  /**
   * Must fit the tool's `outputSchema`, if it has one. Any JSON value for a modern client; a legacy client gets an object or
   * nothing of it.
   */
  readonly structuredContent?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A result whose content is the JSON text of its `structuredContent`. */
export interface StructuredResult<Structured = unknown> {
  readonly content?: readonly ContentBlock[];
  readonly structuredContent: Structured;
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
export interface ToolDefinition<
  Input extends SchemaSource = SchemaSource,
  Output extends SchemaSource = SchemaSource,
> extends Described {
  /**
   * What arguments must fit before the handler runs; a library's schema (zod, ArkType, Valibot …) may change them. Its root describes an
   * object. Default: any object.
   */
  readonly inputSchema?: Input;
  /**
   * What `structuredContent` is held to: a result without it, or with one that does not fit, is answered -32603. Results with `isError`
   * are not checked. One whose root is no object is not shown to legacy clients, which allow objects only.
   */
  readonly outputSchema?: Output;
  readonly annotations?: ToolAnnotations;
}

/** The context of a tool's handler: what all handlers get. */
export type CallContext = RequestContext;

/** A string stands for one text block. */
export type ToolReturn<Structured = unknown> = ToolResult | StructuredResult<Structured> | string;

/**
 * Runs a tool. A thrown `RpcError` is the answer; any other error becomes a result with `isError` and its message. What is no result, or does not fit
 * `outputSchema`, is answered -32603.
 */
export type ToolHandler<Args, Structured = unknown> = (
  args: Args,
  context: CallContext,
) => ToolReturn<Structured> | Promise<ToolReturn<Structured>>;

/** A tool as the session runs it. */
export interface RegisteredTool {
  readonly name: string;
  readonly definition: ToolDefinition;
  /** `undefined` = any object fits, or the handler judges for itself. */
  readonly check: Pick<SchemaCheck, 'check'> | undefined;
  /** Holds its results to the output schema. */
  readonly handler: (args: never, context: CallContext) => unknown;
}
