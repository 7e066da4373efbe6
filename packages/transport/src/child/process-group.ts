/** Whether a child leads a process group of its own, or stays in ours. */
export type ChildGroup = 'own' | 'inherit';

/** A signal that ends. */
export type EndingSignal = 'SIGTERM' | 'SIGKILL';

/**
 * The processes that end with a child: its group, or the child alone when it is in our own group.
 *
 * A number is signalled only while it cannot belong to anybody else: before Node has collected the child (`exit`), and once in the very
 * tick of that event. The system keeps the number of a group reserved while it has members, so the rest of a group that lost its leader
 * is hit, and nothing else.
 */
export class ProcessGroup {
  readonly pid: number;
  readonly group: ChildGroup;
  #isOver = false;

  constructor(pid: number, group: ChildGroup) {
    this.pid = pid;
    this.group = group;
  }

  /** What `kill` takes: minus the number of the group, or the number of the one process. */
  get target(): number {
    return this.group === 'own' ? -this.pid : this.pid;
  }

  signal(signal: EndingSignal): void {
    if (!this.#isOver) this.#send(signal);
  }

  /** Only in the tick of the child's `exit`: ends what the child has left in its group. Nothing is signalled afterwards. */
  endInExitTick(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    // A child in our own group has left, and its number is free.
    if (this.group === 'own') this.#send('SIGKILL');
  }

  #send(signal: EndingSignal): void {
    try {
      process.kill(this.target, signal);
    } catch {
      // ESRCH: all gone. EPERM: nobody is left in it but processes of another user, which we may not end.
    }
  }
}
