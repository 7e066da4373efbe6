/**
 * Keeps a process alive whose handlers leave a rejection behind that nobody awaits, or throw in a timer or in a listener of their own: the other
 * calls are not to pay for that.
 *
 * @param told - gets each such error
 * @returns a function that ends it, after which such an error ends the process as in any other program
 */
export function surviveUncaught(told: (error: unknown) => void): () => void {
  // Both in one: Node raises an unhandled rejection as an uncaught exception, unless somebody listens to it.
  process.on('uncaughtException', told);
  return () => {
    process.off('uncaughtException', told);
  };
}
