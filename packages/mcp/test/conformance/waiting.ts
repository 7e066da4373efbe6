/** Checks, by title, of what is not built yet, and what they wait for. Each must fail: one that passes belongs off the list. */
export const waiting: Readonly<Record<string, string>> = {
  ...forThe('batches of 2025-03-26', [
    'base: T21 batch, only after negotiating 2025-03-26',
    'base: T21 a call in a batch holds its answer up',
    'base: T21 initialize in a batch',
  ]),
  ...forThe('outputSchema', ['legacy: T05 structured content', 'modern: T28 structured content']),
  ...forThe('logging', [
    'legacy: T13 a handler that goes on after a cancel',
    'legacy: T15 progress',
    'legacy: T15 no token, no progress',
    'legacy: T16 log level',
    'modern: T31 progress + logs',
  ]),
  ...forThe('input of the client', [
    'legacy: T17 server asks the client (elicitation)',
    'legacy: T17 declined',
    'legacy: T17 sampling, and a refusal of the user’s',
    'legacy: T17 roots, answered badly',
    'legacy: T17 a client that never answers',
    'modern: T33 input needed but capability not declared',
    'modern: T34 MRTR round trip',
    'modern: T34 the other two kinds of input, and a bare elicitation',
    'modern: T35 a retry that lacks the answer',
    'modern: states that are not ours',
    'modern: T39 an answer to a request that a modern server never sends',
    'eras: what a client can do is remembered by its era only',
  ]),
  ...forThe('resources, prompts and completions', [
    'legacy: T22 resource not found',
    'legacy: resources',
    'legacy: prompts',
    'legacy: completions',
    'modern: T29 unknown prompt, unknown resource',
    'modern: resources',
    'modern: prompts and completions',
  ]),
  ...forThe('pages of lists', ['legacy: pages', 'modern: pages']),
  ...forThe('changes and subscriptions', [
    'legacy: T18 change notifications (unsolicited)',
    'legacy: T18 resources that were subscribed to',
    'modern: T36 subscription: open, ack, events, client cancel',
    'modern: T36 several subscriptions',
    'modern: T36 unknown fields, and nothing asked for',
    'modern: T36 subscriptions take no credit',
    'modern: T37 server closes the subscription',
    'modern: T37 the input ends behind a subscription',
    'modern: T38 bad filter',
  ]),
};

function forThe(reason: string, titles: readonly string[]): Record<string, string> {
  return Object.fromEntries(titles.map((title) => [title, reason]));
}
