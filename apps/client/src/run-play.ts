import { type CloseReason, type Duplex, spawnChild } from '@linewire/transport';
import type { Tally } from './run-tally.ts';

/** What is played against whom. */
export interface PlayOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly lines: Iterable<string>;
  readonly tally: Tally;
  /** Ends the command's input right behind the last line, as `cat` does; else when all answers are there. */
  readonly endAtOnce: boolean;
  /** Longest time without an answer, in ms. */
  readonly timeoutMs: number;
}

/** How the play went. Times in ms since the command was started. */
export interface PlayReport {
  readonly lines: number;
  /** When the last expected answer came; 0 if none did. */
  readonly lastAnswerMs: number;
  readonly timedOut: boolean;
  /** The command did not end by itself after the end of its input. */
  readonly killed: boolean;
  readonly end: CloseReason;
}

/** Time for the command to end by itself after the end of its input, in ms. */
const EXIT_TIMEOUT_MS = 5000;

/** Plays lines to a command and counts what comes back, until the command has ended. */
export function play(options: PlayOptions): Promise<PlayReport> {
  const started = performance.now();
  const duplex = spawnChild({ command: options.command, args: [...options.args], inheritEnv: 'launch' });
  return new Player(options, duplex, started).done;
}

class Player {
  readonly done: Promise<PlayReport>;
  private readonly options: PlayOptions;
  private readonly duplex: Duplex;
  private readonly source: Iterator<string>;
  /** A line that the outbox had no place for. */
  private waiting: string | undefined = undefined;
  private readonly silence: NodeJS.Timeout;
  private lines = 0;
  private lastAnswerMs = 0;
  private allSent = false;
  private inputEnded = false;
  private timedOut = false;
  private killed = false;

  constructor(options: PlayOptions, duplex: Duplex, started: number) {
    this.options = options;
    this.duplex = duplex;
    this.source = options.lines[Symbol.iterator]();
    this.silence = setTimeout(() => this.giveUp(), options.timeoutMs);
    this.done = new Promise((resolve) => {
      duplex.start({
        onFrames: (batch) => {
          for (let index = 0; index < batch.count; index++) {
            if (options.tally.frame(batch, index)) this.lastAnswerMs = -1;
          }
          if (this.lastAnswerMs === -1) {
            this.lastAnswerMs = performance.now() - started;
            this.silence.refresh();
          }
          this.endIfComplete();
        },
        onDrain: () => this.send(),
        onClose: (end) => {
          clearTimeout(this.silence);
          const { lines, lastAnswerMs, timedOut, killed } = this;
          resolve({ lines, lastAnswerMs, timedOut, killed, end });
        },
      });
    });
    this.send();
  }

  /** Sends until the outbox is full; goes on when it has drained. */
  private send(): void {
    for (;;) {
      const line = this.waiting ?? this.nextLine();
      if (line === undefined) break;
      this.waiting = line;
      if (this.duplex.send(line) === 0) return;
      this.waiting = undefined;
      this.lines++;
    }
    this.allSent = true;
    if (this.options.endAtOnce) this.endInput();
    else this.endIfComplete();
  }

  private nextLine(): string | undefined {
    const next = this.source.next();
    return next.done === true ? undefined : next.value;
  }

  private endIfComplete(): void {
    if (this.allSent && this.options.tally.missing === 0) this.endInput();
  }

  private endInput(): void {
    if (this.inputEnded) return;
    this.inputEnded = true;
    this.duplex.end();
    if (this.options.endAtOnce) return;
    clearTimeout(this.silence);
    const ladder = setTimeout(() => {
      this.killed = true;
      void this.duplex.close();
    }, EXIT_TIMEOUT_MS);
    void this.duplex.closed.then(() => clearTimeout(ladder));
  }

  private giveUp(): void {
    this.timedOut = true;
    void this.duplex.close();
  }
}
