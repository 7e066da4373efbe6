import type { SchemaSource } from '../../schema/schema-source.ts';
import type { Completer } from './completion.ts';
import type { ContentBlock, Described } from './content.ts';
import type { RequestContext } from './context.ts';

/** One argument of a prompt. Its values are always strings. */
export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** A request without it is answered -32602. Default false. */
  readonly required?: boolean;
  /** Suggestions for its value. */
  readonly complete?: Completer;
}

/** How a prompt is described to clients, with its arguments as a list. */
export interface PromptDefinition<Argument extends PromptArgument = PromptArgument> extends Described {
  readonly arguments?: readonly Argument[];
}

/** How a prompt is described to clients, with its arguments as a schema. */
export interface PromptSchemaDefinition<Args extends SchemaSource = SchemaSource> extends Described {
  /** Of an object whose properties are strings on the wire; values that do not fit are answered -32602. */
  readonly argsSchema: Args;
  /** Suggestions for the arguments, by their names. */
  readonly complete?: Readonly<Record<string, Completer>>;
}

/** What a handler gets for a list of arguments: the required ones are there, others may be. */
export type PromptValues<Argument extends PromptArgument> = {
  readonly [One in Argument as One extends { readonly required: true } ? One['name'] : never]: string;
} & {
  readonly [One in Argument as One extends { readonly required: true } ? never : One['name']]?: string;
};

/** One message of a prompt. */
export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

/** The result of `prompts/get`. */
export interface PromptResult {
  readonly messages: readonly PromptMessage[];
  readonly description?: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A string stands for one text message of the user. */
export type PromptReturn = string | PromptResult;

/** Makes the messages of a prompt. A thrown `RpcError` is the answer; any other error is -32603 with its message. */
export type PromptHandler<Values> = (
  values: Values,
  context: RequestContext,
) => PromptReturn | Promise<PromptReturn>;
