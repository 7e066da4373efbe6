/** A callback that throws is its owner's bug: it surfaces as an uncaught exception, but nothing of the session is cut short. */
export function callBack<T>(callback: (value: T) => void, value: T): void {
  try {
    callback(value);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
