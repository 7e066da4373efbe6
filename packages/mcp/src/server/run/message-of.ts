/** The text of anything that was thrown. Never throws itself, whatever the value. */
export function messageOf(error: unknown): string {
  try {
    const text: unknown = error instanceof Error ? error.message : String(error);
    return typeof text === 'string' ? text : 'Unknown error';
  } catch {
    return 'Unknown error';
  }
}
