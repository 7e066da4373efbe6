import { printable, printableLine } from '../printable.ts';
import type { SessionReport } from '../session/session-report.ts';

/** Lines per window; the rest of a burst is folded into one line. */
const LINES_PER_WINDOW = 10;
const WINDOW_MS = 10_000;

/**
 * Writes session reports as lines, at most ten in ten seconds: a peer that floods one with garbage must not be able
 * to flood the log too. What was left out is counted in the next line, or at the end.
 */
export class StderrReporter {
  private readonly write: (line: string) => void;
  private readonly now: () => number;
  private windowStart: number = Number.NEGATIVE_INFINITY;
  private lines = 0;
  private folded = 0;

  /** @param now - ms of a clock that only goes forward. */
  constructor(write: (line: string) => void, now: () => number = () => performance.now()) {
    this.write = write;
    this.now = now;
  }

  report(report: SessionReport): void {
    if (this.hasRoom()) this.write(`linewire: ${report.code}: ${printableLine(report.message)}\n`);
  }

  /** An error that no handler has caught, with its stack. */
  uncaught(error: unknown): void {
    if (this.hasRoom()) this.write(`linewire: uncaught: ${printable(stackOf(error))}\n`);
  }

  /** False: the window is full, and the line counts as left out. */
  private hasRoom(): boolean {
    const now = this.now();
    if (now - this.windowStart >= WINDOW_MS) {
      this.unfold();
      this.windowStart = now;
      this.lines = 0;
    }
    if (this.lines === LINES_PER_WINDOW) {
      this.folded++;
      return false;
    }
    this.lines++;
    return true;
  }

  /** Tells how many lines were left out since the last one. */
  unfold(): void {
    if (this.folded === 0) return;
    this.write(`linewire: ${this.folded} more reports like these were left out\n`);
    this.folded = 0;
  }
}

/** Whatever was thrown may throw when it is looked at. */
function stackOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.stack ?? error.message) : String(error);
  } catch {
    return 'an error without a text';
  }
}
