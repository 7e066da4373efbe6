/** Which runtime this is, as far as the choice of a writer depends on it. The measurements stand in `docs/encode.md`. */
interface Runtime {
  readonly process?: { readonly versions?: { readonly v8?: string } };
}

/** First V8, 13.8, whose `JSON.stringify` looks at many characters at a time. */
const FAST_NATIVE_V8 = 138;

const isFastNative = v8Version() >= FAST_NATIVE_V8;

/** Strings from this many UTF-16 units on are left to `JSON.stringify`. */
export const nativeStrings: number = isFastNative ? 200 : Number.POSITIVE_INFINITY;

/** 113 for V8 11.3; Infinity where there is no telling: a browser of today. */
function v8Version(): number {
  const match = /^(\d+)\.(\d+)/.exec((globalThis as Runtime).process?.versions?.v8 ?? '');
  return match === null ? Number.POSITIVE_INFINITY : Number(match[1]) * 10 + Number(match[2]);
}

/**
 * Members and items in a value up to which the walk that knows its shape is faster than `JSON.stringify` and a write; larger values at that
 * place are left to the runtime.
 */
export const maxWalkedNodes: number = isFastNative ? 12 : Number.POSITIVE_INFINITY;
