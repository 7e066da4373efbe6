import type { ChildDuplex } from '../child/child.ts';
import type { ChildOptions } from '../child/child-options.ts';
import type { CloseReason } from '../duplex.ts';
import type { TransportError } from '../errors.ts';
import type { Clock } from './clock.ts';
import type { RestartOptions } from './restart-policy.ts';

/**
 * Which ends of a child are followed by a new one, while the keeper itself is open:
 * - `on-failure`: every end that nobody here asked for, so exit code 0 too: a child must not leave while its session is open;
 * - `always`: also one whose own `close()` was called, which is how a session gets rid of a child that it cannot use;
 * - `never`: none; the keeper ends with its first child.
 */
export type RestartMode = 'always' | 'on-failure' | 'never';

/** What is kept alive, and who is told. */
export interface KeeperOptions extends RestartOptions {
  /** What is started each time; or a function that starts it, for a child that differs from one time to the next, or is none. */
  readonly child: ChildOptions | ((generation: number) => ChildDuplex);
  /** Default `on-failure`. */
  readonly restart?: RestartMode;
  /** Aborting it is `close()`, and `closed` then says `aborted`. */
  readonly signal?: AbortSignal;
  /** For tests. Default: the real clock and `Math.random`. */
  readonly clock?: Clock;
  /**
   * A child was spawned. It is not started (`start()`), and nothing it says is lost before it is: shake hands anew, no frame is carried over.
   * Generations count from 1. Comes for the first child after `keepChild` has returned.
   */
  onChild(child: ChildDuplex, generation: number): void;
  /** A child has ended and was cleaned up, and what follows is decided. Comes after the child's own `onClose`. */
  onChildEnd?(end: ChildEnd): void;
}

/** The end of one child. */
export interface ChildEnd {
  readonly generation: number;
  /** As the child's own `closed` told it: exit code, signal, the end of its stderr. */
  readonly reason: CloseReason;
  /** Time since its spawn, in milliseconds. */
  readonly uptimeMs: number;
  readonly next: NextStep;
}

/** What a keeper does after the end of a child. */
export type NextStep =
  | { readonly kind: 'restart'; readonly delayMs: number }
  | { readonly kind: 'breaker-open'; readonly breaker: OpenBreaker }
  | { readonly kind: 'closed' };

/** Why no child is started any more. */
export interface OpenBreaker {
  /** Code `BREAKER_OPEN`; its message tells the last exit and the last lines of stderr. */
  readonly error: TransportError;
  /** Failures within the window, the last one included. */
  readonly failures: number;
  /** How the last child ended, with the whole kept tail of its stderr. */
  readonly lastReason: CloseReason;
}

/**
 * - `running`: a child lives, or is being closed by its owner;
 * - `backing-off`: no child lives, the next one is due in `nextStartMs`;
 * - `breaker-open`: no child lives and none will before `reset()`, see `breaker`;
 * - `closing`, `closed`: the keeper is on its way out, or out.
 */
export type KeeperState = 'running' | 'backing-off' | 'breaker-open' | 'closing' | 'closed';

/** A snapshot. */
export interface KeeperStatus {
  readonly state: KeeperState;
  /** Children started so far; the number of the last one. */
  readonly generation: number;
  /** Failures that the breaker counts at this moment. */
  readonly recentFailures: number;
  /** Milliseconds until the next start, while `backing-off`. */
  readonly nextStartMs?: number;
  /** While `breaker-open`. */
  readonly breaker?: OpenBreaker;
}

/** How a keeper ended. */
export interface KeeperEnd {
  /**
   * - `closed`: by `close()`;
   * - `aborted`: by its signal;
   * - `stopped`: its child ended, and `restart` asks for no other;
   * - `error`: a callback threw, see `error`; the child was closed.
   */
  readonly kind: 'closed' | 'aborted' | 'stopped' | 'error';
  readonly generation: number;
  /** How the last child ended; undefined if none was started. */
  readonly lastReason?: CloseReason;
  readonly error?: unknown;
}

/** One child kept alive: at most one at any time, each with its generation. */
export interface ChildKeeper {
  /** The child that lives now; undefined between two children. */
  readonly child: ChildDuplex | undefined;
  readonly status: KeeperStatus;
  /**
   * Forgets all failures, and starts a child at once if the breaker is open or a restart is due later. With a child alive, only forgets.
   * Without effect once the keeper is closing.
   */
  reset(): void;
  /** Ends for good, in whatever state: closes the child as its own `close()` does, cancels a restart. Idempotent, never rejects. */
  close(): Promise<KeeperEnd>;
  /** Never rejects. An open breaker is no end. */
  readonly closed: Promise<KeeperEnd>;
}
