import type { Call } from './call.ts';

/** How what the handlers of one method give back becomes answers. One object serves all calls. */
export interface Answers {
  /** The method, if its handlers may ask the client for input: `tools/call`, `prompts/get`, `resources/read`. */
  readonly method: string | undefined;
  /** What the handler belongs to, for messages: `Tool`. */
  readonly subject: string;
  /**
   * Writes the answer of a handler that returned `value`.
   *
   * @throws whatever makes the value unusable; nothing was written then, and the call is answered -32603.
   */
  returned(call: Call, value: unknown): void;
  /** Writes the answer of a handler that threw. Does not throw. */
  failed(call: Call, error: unknown): void;
}
