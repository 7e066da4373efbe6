import type { LogLevel } from '../../wire/log-levels.ts';

/** Lists of which clients are told that they have changed. Templates belong to `resources`. */
export type ListKind = 'tools' | 'resources' | 'prompts';

export const listKinds: readonly ListKind[] = ['tools', 'resources', 'prompts'];

/** Wants to know what changes in a server. */
export interface ChangeListener {
  listChanged(kind: ListKind): void;
  resourceUpdated(uri: string): void;
  /** A message of the server itself, not of a request. */
  log(level: LogLevel, data: unknown, logger: string | undefined): void;
}
