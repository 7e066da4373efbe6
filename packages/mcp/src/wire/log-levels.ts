/** The levels of log messages, from the least to the most severe. */
export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

export type LogLevel = (typeof logLevels)[number];

/** A rank that no message has: above the most severe. */
export const NO_LOG_MESSAGES: number = logLevels.length;

/** The index of a level in {@link logLevels}; -1 for what is none. */
export function logRank(level: unknown): number {
  return (logLevels as readonly unknown[]).indexOf(level);
}
