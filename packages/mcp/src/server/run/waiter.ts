import type { Call } from './call.ts';

/** Who is told what a handler's promise has come to. */
export interface Settler {
  settle(call: Call, outcome: unknown, thrown: boolean): void;
}

const { then } = Promise.prototype;

/**
 * Hears of the promise of one handler after the other: its two functions are made once, not for each call. That needs promises that call back
 * exactly once, which the runtime's own `then` sees to, whatever `then` a promise brings along.
 */
export class Waiter {
  private call: Call | undefined = undefined;
  private readonly onValue: (value: unknown) => void;
  private readonly onError: (error: unknown) => void;

  /** @param idle - where it waits for its next call */
  constructor(settler: Settler, idle: Waiter[]) {
    const settle = (outcome: unknown, thrown: boolean): void => {
      const call = this.call as Call;
      this.call = undefined;
      idle.push(this);
      settler.settle(call, outcome, thrown);
    };
    this.onValue = (value) => settle(value, false);
    this.onError = (error) => settle(error, true);
  }

  /** @throws what a getter of a foreign promise throws; it hears nothing then, and waits for its next call */
  wait(call: Call, promise: PromiseLike<unknown>): void {
    const own = Promise.resolve(promise);
    this.call = call;
    then.call(own, this.onValue, this.onError);
  }
}
