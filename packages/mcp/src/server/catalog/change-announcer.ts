import type { LogLevel } from '../../wire/log-levels.ts';
import type { ChangeListener, ListKind } from '../run/change-listener.ts';

/** Tells the sessions of a server what has changed. List changes of one turn are told once, behind it: fifty new tools are one notice. */
export class ChangeAnnouncer {
  private readonly listeners: Set<ChangeListener> = new Set();
  /** Kinds that have changed and are told about soon. */
  private readonly changed: Set<ListKind> = new Set();

  watch(listener: ChangeListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  listChanged(kind: ListKind): void {
    // Before anybody is there, while the server is set up, it costs nothing.
    if (this.listeners.size === 0) return;
    if (this.changed.size === 0) queueMicrotask(this.announce);
    this.changed.add(kind);
  }

  resourceUpdated(uri: string): void {
    for (const listener of this.listeners) listener.resourceUpdated(uri);
  }

  log(level: LogLevel, data: unknown, logger: string | undefined): void {
    for (const listener of this.listeners) listener.log(level, data, logger);
  }

  private readonly announce = (): void => {
    const kinds = [...this.changed];
    this.changed.clear();
    for (const kind of kinds) for (const listener of this.listeners) listener.listChanged(kind);
  };
}
