import type { CacheHint } from './cache-hint.ts';
import type { Completer } from './completion.ts';
import type { Annotations, Described } from './content.ts';
import type { RequestContext } from './context.ts';

/** How a resource is described to clients. */
export interface ResourceDefinition extends Described {
  /** Given to contents that name none of their own. */
  readonly mimeType?: string;
  /** In bytes, before any encoding. */
  readonly size?: number;
  readonly annotations?: Annotations;
  /** Of `resources/read`. Default: the server's. */
  readonly cache?: CacheHint;
}

/** How a family of resources is described to clients. */
export interface ResourceTemplateDefinition extends Omit<ResourceDefinition, 'size'> {
  /** Suggestions for variables of the template, by the variable's name. */
  readonly complete?: Readonly<Record<string, Completer>>;
}

/** One content of a resource: text, or bytes. */
export interface ResourceContent {
  /** Default: the URI that was asked for. */
  readonly uri?: string;
  /** Default: the definition's. */
  readonly mimeType?: string;
  readonly text?: string;
  /** Bytes, which are sent as base64, or base64 already. */
  readonly blob?: Uint8Array | string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** The whole result of `resources/read`. */
export interface ResourceContents {
  readonly contents: readonly ResourceContent[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/**
 * What a reader gives back: a string is one text, bytes are one blob (copied when the reader has settled), an object is one content or the whole
 * result, and a list has several contents. `undefined`: there is no such resource, which is answered -32602 with the URI.
 */
export type ResourceReturn =
  | string
  | Uint8Array
  | ResourceContent
  | readonly ResourceContent[]
  | ResourceContents
  | undefined;

/** Reads one resource. The URI is what the client wrote. A thrown `RpcError` is the answer; any other error is -32603 with its message. */
export type ResourceReader = (
  uri: string,
  context: RequestContext,
) => ResourceReturn | Promise<ResourceReturn>;

/**
 * Reads a resource that fits a template. The URI is what the client wrote; the variables in it are percent-decoded, and those of a query may be
 * missing. Errors are answered as those of a {@link ResourceReader}.
 */
export type ResourceTemplateReader = (
  uri: string,
  variables: Readonly<Record<string, string>>,
  context: RequestContext,
) => ResourceReturn | Promise<ResourceReturn>;
