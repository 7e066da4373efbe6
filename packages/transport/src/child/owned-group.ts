import { disown, own } from './host-exit.ts';
import { guardGroup, unguardGroup } from './orphan-guard.ts';
import { type ChildGroup, type EndingSignal, ProcessGroup } from './process-group.ts';

/** The group of a child that ends with this process, however it ends; to be made in the tick of the spawn. */
export class OwnedGroup {
  readonly #group: ProcessGroup;
  readonly #isGuarded: boolean;

  constructor(pid: number, group: ChildGroup, isGuarded: boolean) {
    this.#group = new ProcessGroup(pid, group);
    this.#isGuarded = isGuarded;
    own(this.#group, isGuarded);
    if (isGuarded) guardGroup(this.#group);
  }

  kill(signal: EndingSignal): void {
    this.#group.signal(signal);
  }

  /** The child has been collected: ends what it left, and lets go. Only in the tick of its `exit`. */
  leaderExited(): void {
    this.#group.endInExitTick();
    if (this.#isGuarded) unguardGroup(this.#group);
    disown(this.#group);
  }
}
