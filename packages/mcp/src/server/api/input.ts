import type { ContentBlock } from './content.ts';

// The protocol's own shapes, in its field names. What a handler asks is the same in both eras; what an older client
// does not know of it is left out on the way, or the ask fails.

/** One field of a form: a primitive, or (2025-11-25 and later) a choice of several. */
export interface FormField {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array';
  readonly title?: string;
  readonly description?: string;
  readonly default?: string | number | boolean | readonly string[];
  /** string; `format` (email, uri, date, date-time) is a hint for the client and is not checked here. */
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** number, integer */
  readonly minimum?: number;
  readonly maximum?: number;
  /** string: one of these. */
  readonly enum?: readonly string[];
  /** string: what to show for each value of `enum`. */
  readonly enumNames?: readonly string[];
  /** string: one of these, each with what to show for it. */
  readonly oneOf?: readonly { readonly const: string; readonly title: string }[];
  /** array: what may be chosen, and how many. */
  readonly items?:
    | { readonly type: 'string'; readonly enum: readonly string[] }
    | { readonly anyOf: readonly { readonly const: string; readonly title: string }[] };
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** A form: one flat object. */
export interface FormSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, FormField>>;
  readonly required?: readonly string[];
  readonly $schema?: string;
}

/** The user fills in a form. */
export interface ElicitFormParams {
  readonly mode?: 'form';
  readonly message: string;
  readonly requestedSchema: FormSchema;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** The user is sent to a page; what happens there never passes through the client. */
export interface ElicitUrlParams {
  readonly mode: 'url';
  readonly message: string;
  /** Absolute. */
  readonly url: string;
  /** Sent to 2025-11-25 clients only, which need one; a random one is made for them if it is absent. */
  readonly elicitationId?: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** One message of a conversation with the client's model. */
export interface SamplingMessage {
  readonly role: 'user' | 'assistant';
  /** A list only for 2025-11-25 and later. */
  readonly content: ContentBlock | readonly ContentBlock[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** The client's model completes a conversation. */
export interface CreateMessageParams {
  readonly messages: readonly SamplingMessage[];
  /** Tokens, from 1. */
  readonly maxTokens: number;
  readonly modelPreferences?: {
    readonly hints?: readonly { readonly name?: string }[];
    /** Each 0 … 1. */
    readonly costPriority?: number;
    readonly speedPriority?: number;
    readonly intelligencePriority?: number;
  };
  readonly systemPrompt?: string;
  /** Modern clients must list `sampling.context` for anything but `none`. */
  readonly includeContext?: 'none' | 'thisServer' | 'allServers';
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The client must list `sampling.tools`. */
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  readonly toolChoice?: { readonly mode?: 'auto' | 'required' | 'none' };
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** What a handler may ask the client for. */
export interface InputRequests {
  readonly 'elicitation/create': {
    readonly method: 'elicitation/create';
    readonly params: ElicitFormParams | ElicitUrlParams;
  };
  readonly 'sampling/createMessage': {
    readonly method: 'sampling/createMessage';
    readonly params: CreateMessageParams;
  };
  readonly 'roots/list': {
    readonly method: 'roots/list';
    readonly params?: { readonly _meta?: Readonly<Record<string, unknown>> };
  };
}

/** What the user did. `content` is there for a form that was accepted, and fits `requestedSchema`. */
export interface ElicitResult {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** What the client's model said. */
export interface CreateMessageResult {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock | readonly ContentBlock[];
  readonly model: string;
  /** `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or any other text. */
  readonly stopReason?: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** The folders that the client works in. */
export interface ListRootsResult {
  readonly roots: readonly {
    /** `file://…` */
    readonly uri: string;
    readonly name?: string;
    readonly _meta?: Readonly<Record<string, unknown>>;
  }[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** What comes back for each request. */
export interface InputResults {
  readonly 'elicitation/create': ElicitResult;
  readonly 'sampling/createMessage': CreateMessageResult;
  readonly 'roots/list': ListRootsResult;
}

/** The methods that a handler may ask with. */
export type InputMethod = keyof InputRequests;
/** One ask: a method and its params. */
export type InputRequest = InputRequests[InputMethod];

/**
 * Asks the client, by the means of its era: a legacy client gets a request; a modern one gets `input_required` as the answer of the call and
 * calls again with the answers, and then the handler runs again from its start. So what stands before an ask runs once per round.
 *
 * @param key - names the question within this request, 1 … 256 characters, not `__proto__`. An answer is found by its key alone: two
 *   questions that differ need two keys.
 * @returns the client's answer, whose shape was checked. In the modern era it rejects with `INPUT_REQUIRED` until the answer is there; let
 *   that rejection pass, or do as you like: the call is answered `input_required` all the same. Several asks at once (`Promise.all`) go to a
 *   modern client together.
 * @throws (as a rejection) McpError `INPUT_REQUIRED`; `CAPABILITY_MISSING` if the client did not say that it can do that (a modern call is
 *   then answered -32021 whatever the handler does); `OPTION_INVALID` for an unusable request or key, or a key that was used before in this
 *   run; `CANCELLED`; legacy also `INVALID_RESPONSE`, `REQUEST_TIMEOUT`, `PEER_CLOSED`, and a PeerError that the client answered.
 */
export type RequestInput = <Method extends InputMethod>(
  key: string,
  request: InputRequests[Method] & { readonly method: Method },
) => Promise<InputResults[Method]>;
