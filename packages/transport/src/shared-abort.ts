/** Who waits for each signal. One listener per signal: many children share the one of their host, and Node warns from eleven on. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls back when the signal is aborted; each call is made once. Returns the undoing. */
export function onAbort(signal: AbortSignal, call: () => void): () => void {
  const calls = waiting.get(signal) ?? begin(signal);
  calls.add(call);
  return () => {
    if (!calls.delete(call) || calls.size > 0) return;
    waiting.delete(signal);
    signal.removeEventListener('abort', callAll);
  };
}

function begin(signal: AbortSignal): Set<() => void> {
  const calls = new Set<() => void>();
  waiting.set(signal, calls);
  signal.addEventListener('abort', callAll);
  return calls;
}

function callAll(this: AbortSignal): void {
  for (const call of waiting.get(this) ?? []) call();
}
