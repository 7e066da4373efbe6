/** What is known beside the text to be completed. */
export interface CompletionContext {
  /** Arguments or variables that have values already. */
  readonly arguments: Readonly<Record<string, string>>;
  /** Aborts when the client cancels or the connection ends. Made when first read. */
  readonly signal: AbortSignal;
}

/**
 * Suggests values for one argument.
 *
 * @param value - what was typed so far. Nothing is filtered for you.
 * @returns the best first; the first 100 are sent, with the number of all.
 */
export type Completer = (
  value: string,
  context: CompletionContext,
) => readonly string[] | Promise<readonly string[]>;
