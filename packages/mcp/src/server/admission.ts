import type { Duplex } from '@linewire/transport';
import type { CallRunner } from './run/call-runner.ts';
import type { Subscriptions } from './subscriptions/subscriptions.ts';
import { TurnBudget } from './turn-budget.ts';

/** A handler that awaits no more than what is there already settles within so many. */
const SETTLING_MICROTASKS = 16;

/** Requests that wait outside of the duplex. */
export interface WaitingCalls {
  readonly count: number;
  /** Runs what may run: see `Admission.mayRun`. */
  run(): void;
}

/**
 * Says when requests may run, and makes the others wait: for want of credit, for a peer that reads slowly, or for the rest of a turn of the event
 * loop. Whatever else the peer sends is heard meanwhile.
 */
export class Admission {
  readonly turn: TurnBudget = new TurnBudget();
  /** The session ends: nothing is run any more. */
  isOver = false;
  /** Reading is paused for the rest of the turn. */
  readsNextTurn = false;
  /** A turn has begun that frames belong to wherever they come from. */
  inTurn = false;
  /** The waiting members of batches, once there are some. */
  members: WaitingCalls | undefined = undefined;
  private readonly duplex: Duplex;
  private readonly runner: CallRunner;
  private readonly subscriptions: Subscriptions;
  private readonly maxInFlight: number;
  private readonly onTurnDone: () => void;
  /** Requests are paused. */
  private holding = false;
  /** Set from the moment on when somebody waits for the next turn. */
  private nextTurn: NodeJS.Immediate | undefined = undefined;
  /** The handlers have had their share of this turn: nothing more is run in it. */
  private resting = false;
  private membersFirst = false;
  /** Reading is paused for so many microtasks more. */
  private microtasksLeft = 0;

  /** @param onTurnDone - called after a turn that was waited for. */
  constructor(
    duplex: Duplex,
    runner: CallRunner,
    subscriptions: Subscriptions,
    maxInFlight: number,
    onTurnDone: () => void,
  ) {
    this.duplex = duplex;
    this.runner = runner;
    this.subscriptions = subscriptions;
    this.maxInFlight = maxInFlight;
    this.onTurnDone = onTurnDone;
  }

  /** Something runs, waits or is subscribed to, so a request must be looked at more closely. */
  get isCrowded(): boolean {
    return this.runner.size !== 0 || this.subscriptions.size !== 0 || this.holding || this.duplex.isFull;
  }

  /** Whether one more request may run now. */
  get mayRun(): boolean {
    return this.runner.size < this.maxInFlight && !this.holding && !this.duplex.isFull;
  }

  /** From here on requests are parked. */
  hold(): void {
    if (this.holding) return;
    this.holding = true;
    this.duplex.pauseRequests();
  }

  /**
   * A request has come that may not run now. If all that it lacks is credit, the rest of the batch first waits where it is for handlers that are
   * about to settle: parking copies each request, and many async handlers await nothing that takes time.
   */
  postpone(): void {
    if (this.holding || this.duplex.isFull || this.duplex.parked.count > 0) {
      this.hold();
      return;
    }
    this.microtasksLeft = SETTLING_MICROTASKS;
    this.duplex.pause();
    queueMicrotask(this.onMicrotask);
  }

  /** Before the next parked request comes: one that is given back costs a batch of its own. */
  holdIfSpent(): void {
    if (this.runner.size >= this.maxInFlight && this.duplex.parked.count > 0) this.hold();
  }

  /** Runs what waits, as far as it may run. */
  release(): void {
    if (!this.holding || this.resting || this.runner.size >= this.maxInFlight || this.duplex.isFull) return;
    this.holding = false;
    if (this.nextTurn === undefined && this.duplex.parked.count + (this.members?.count ?? 0) > 0) {
      this.turn.begin(this.duplex.queuedBytes);
      this.waitForTurn();
    }
    const wasInTurn = this.inTurn;
    this.inTurn = true;
    // Both may have more than there is credit for: they go first in turns.
    this.membersFirst = !this.membersFirst;
    if (this.membersFirst) this.members?.run();
    if (!this.holding) this.duplex.resumeRequests();
    if (!this.membersFirst && !this.holding) this.members?.run();
    this.inTurn = wasInTurn;
  }

  /**
   * The rest of the turn belongs to others: to timers, to settling handlers, to the writing of answers. Slow requests are parked, so that a
   * ping or a cancel behind them gets through; of fast ones nothing more is read, which is cheaper, and they are soon done with.
   */
  rest(): void {
    if (this.resting) return;
    this.resting = true;
    if (this.turn.isSlow) this.hold();
    else {
      this.readsNextTurn = true;
      this.duplex.pause();
      // A batch that is held only gathers, and the next turn of the handlers would come before the write.
      this.duplex.flush();
    }
    this.waitForTurn();
  }

  /** A request that had waited outside of the duplex was run. */
  ranMember(): void {
    if (this.resting || !this.turn.isOver(this.duplex.queuedBytes)) return;
    this.resting = true;
    this.hold();
    this.waitForTurn();
  }

  /** No turn is waited for any more: the connection is gone. */
  stop(): void {
    clearImmediate(this.nextTurn);
  }

  private readonly onMicrotask = (): void => {
    if (this.runner.size >= this.maxInFlight) {
      if (--this.microtasksLeft > 0) {
        queueMicrotask(this.onMicrotask);
        return;
      }
      this.hold();
    }
    const wasInTurn = this.inTurn;
    this.inTurn = true;
    this.duplex.resume();
    this.inTurn = wasInTurn;
  };

  private waitForTurn(): void {
    this.nextTurn ??= setImmediate(this.onTurn);
  }

  private readonly onTurn = (): void => {
    this.nextTurn = undefined;
    this.resting = false;
    this.turn.begin(this.duplex.queuedBytes);
    this.inTurn = true;
    this.release();
    if (this.readsNextTurn) {
      this.readsNextTurn = false;
      this.duplex.resume();
    }
    this.inTurn = false;
    this.onTurnDone();
  };
}
