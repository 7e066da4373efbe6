/** Whether a value is to be awaited. Reads `then`, which may throw. */
export function isThenable<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}
