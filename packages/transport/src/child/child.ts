import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { CloseReason, Duplex } from '../duplex.ts';
import { TransportError } from '../errors.ts';
import { FramedDuplex } from '../framed/framed-duplex.ts';
import { openChildPipe } from '../reading/child-pipe.ts';
import type { Source } from '../reading/source.ts';
import { onAbort } from '../shared-abort.ts';
import { readFailure, writeFailure } from '../writing/io-failure.ts';
import { StreamSink } from '../writing/sink-stream.ts';
import { explainSpawnFailure } from './child-failure.ts';
import { type ChildOptions, checkedSignal, endTimes, type SpawnPlan, spawnPlan } from './child-options.ts';
import { ChildStderr } from './child-stderr.ts';
import { CloseLadder } from './close-ladder.ts';
import { isWindows } from './host-platform.ts';
import { closeIdleGuard, openOrphanGuard } from './orphan-guard.ts';
import { OwnedGroup } from './owned-group.ts';
import { signalChild } from './signal-child.ts';
import { spawnTarget } from './spawn-target.ts';

/** A child process as a duplex: its stdin and stdout are the wire. */
export interface ChildDuplex extends Duplex {
  /** Undefined when the child could not be started. */
  readonly pid: number | undefined;
  /** The last bytes of stderr so far, decoded. */
  readonly stderrTail: string;
}

/**
 * Starts a command without a shell, and owns it from then on: it ends with this process, at the latest. Its stderr is read from the first moment on, so that it never blocks; its stdout from `start()` on.
 *
 * A command that cannot be started ends the duplex: `closed` gives kind `error` with `SPAWN_NOT_FOUND`, `SPAWN_CWD` or `SPAWN_FAILED`.
 * `close()` ends stdin, then sends SIGTERM and SIGKILL after their times, and settles after the real exit; frames that come meanwhile are
 * thrown away (to read on, use `end()` first). A child that stops reading its stdin goes the same way down, with kind `peer-closed`. What
 * the child has started is signalled with it, and what is left of it when the child has exited is killed then (`group: 'own'`).
 *
 * @example
 * ```ts
 * const child = spawnChild({ command: 'node', args: ['server.js'] });
 * child.start({ onFrames: (batch) => console.log(batch.idText(0), batch.payload(0)) });
 * child.send('{"jsonrpc":"2.0","id":1,"method":"ping"}');
 * const { kind, exitCode, stderrTail } = await child.close();
 * ```
 *
 * @throws TransportError `OPTION_RANGE` or `OPTION_INVALID`; FramingError for the reader's options.
 */
export function spawnChild(options: ChildOptions): ChildDuplex {
  return new Child(options);
}

class Child extends FramedDuplex implements ChildDuplex {
  readonly #plan: SpawnPlan;
  readonly #process: ChildProcessWithoutNullStreams | undefined;
  readonly #stderr: ChildStderr;
  readonly #ladder: CloseLadder;
  readonly #exitDrainMs: number;
  readonly #unabort: (() => void) | undefined;
  #group: OwnedGroup | undefined;
  /** Stdout, until it is read. */
  #source: Source | undefined;
  /** The child ended before `start()`; what it wrote waits in the paused reader. */
  #waitsForStart = false;
  #exit: { exitCode: number | null; signal: string | null } | undefined;
  #inputDone = false;
  #drainTimer: NodeJS.Timeout | undefined;
  #closing = false;
  /** The child had said that it sends no more before it was closed: its end was its own doing. */
  #endedFirst = false;
  /** Why the connection is of no use any more though the child lives. */
  #broken: CloseReason | undefined;

  constructor(options: ChildOptions) {
    super(options);
    this.#plan = spawnPlan(options);
    const signal = checkedSignal(options.signal);
    this.#stderr = new ChildStderr(options.stderr, options.stderrTailBytes, this.#onStderr);
    const { exitDrainMs, ...times } = endTimes(options);
    this.#exitDrainMs = exitDrainMs;
    this.#ladder = new CloseLadder({ kill: this.#onRung }, times);
    if (signal?.aborted === true) {
      process.nextTick(() => this.#settle({ kind: 'closed' }));
      return;
    }
    if (signal !== undefined) this.#unabort = onAbort(signal, () => void this.close());
    this.#process = this.#spawn();
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get stderrTail(): string {
    return this.#stderr.tailText;
  }

  close(): Promise<CloseReason> {
    if (this.#closing || this.ending.settled) return this.closed;
    this.#closing = true;
    this.#endedFirst = this.#inputDone;
    this.inbound.discard();
    this.outbox.end();
    this.#read();
    if (this.#exit === undefined) this.#ladder.begin();
    else this.#settleIfDone();
    return this.closed;
  }

  describe(): string {
    return `child ${this.pid ?? 'not started'}`;
  }

  inputEnded(): void {
    this.#inputDone = true;
    if (!this.#closing) this.handlers?.onEnd?.();
    this.#settleIfDone();
  }

  inputFailed(error: Error): void {
    this.#inputDone = true;
    this.#breakOff(readFailure(error));
    this.#settleIfDone();
  }

  allWritten(): void {}

  failed(error: Error): void {
    // A dying child closes its pipes a moment before its exit is seen; the exit then tells more than the EPIPE.
    if (this.#exit === undefined && !this.#closing) this.#breakOff(writeFailure(error));
  }

  protected started(): void {
    this.#stderr.tellEarly();
    if (this.ending.settled) return;
    this.#read();
    if (this.#waitsForStart) this.inbound.resume();
  }

  #spawn(): ChildProcessWithoutNullStreams | undefined {
    const { attempt, environment, group, orphanGuard } = this.#plan;
    const { spawn } = process.getBuiltinModule('node:child_process');
    if (orphanGuard) {
      const failure = openOrphanGuard();
      if (failure !== undefined) {
        process.nextTick(this.#onNoGuard, failure);
        return undefined;
      }
    }
    let child: ChildProcessWithoutNullStreams;
    try {
      const { file, args, options } = spawnTarget({ ...attempt, env: environment.variables });
      child = spawn(file, args, {
        ...options,
        cwd: attempt.cwd,
        env: environment.variables,
        stdio: 'pipe',
        windowsHide: true,
        // On Windows it would open a console window, and there are no groups to gain.
        detached: group === 'own' && !isWindows(),
      });
    } catch (error) {
      // Some failures (E2BIG, a NUL byte in an argument) are thrown, others are events; here they all are the second.
      process.nextTick(this.#onSpawnFailed, error);
      return undefined;
    }
    child.on('error', (error) => {
      if (child.pid === undefined) this.#onSpawnFailed(error);
    });
    if (child.pid === undefined) return child;
    this.#group = new OwnedGroup(child.pid, isWindows() ? 'inherit' : group, orphanGuard);
    child.on('exit', this.#onExit);
    this.#stderr.read(child.stderr, this.#onStderrDone);
    this.#source = openChildPipe(child.stdout);
    const { stdin } = child;
    this.outbox.attach(
      new StreamSink(
        stdin,
        {
          write: (chunk, written) => stdin.write(chunk, written),
          end: () => stdin.end(),
          release: () => stdin.destroy(),
        },
        this.outbox,
      ),
    );
    return child;
  }

  /** Begins to read stdout, once. */
  #read(): void {
    const source = this.#source;
    if (source === undefined) return;
    this.#source = undefined;
    this.inbound.start(source);
  }

  readonly #onRung = (signal: 'SIGTERM' | 'SIGKILL'): void => {
    // There are no groups on Windows: there the tree is ended, while its root still stands.
    if (isWindows() && this.#process !== undefined) {
      signalChild(this.#process, signal, this.#plan.environment.variables);
    } else this.#group?.kill(signal);
  };

  readonly #onNoGuard = (cause: Error): void => {
    const message = `cannot start ${JSON.stringify(this.#plan.attempt.command)}: its orphanGuard could not be started: ${cause.message}`;
    this.#settle({ kind: 'error', error: new TransportError('SPAWN_FAILED', message, { cause }) });
  };

  readonly #onSpawnFailed = (cause: unknown): void => {
    if (this.#plan.orphanGuard) closeIdleGuard();
    this.#settle({ kind: 'error', error: explainSpawnFailure(this.#plan.attempt, cause) });
  };

  readonly #onStderr = (bytes: Uint8Array): void => {
    this.handlers?.onStderr?.(bytes);
  };

  readonly #onStderrDone = (): void => {
    this.#settleIfDone();
  };

  /** The only proof that the child is gone; its code is null when a signal ended it. */
  readonly #onExit = (exitCode: number | null, signal: string | null): void => {
    this.#group?.leaderExited();
    this.#exit = { exitCode, signal };
    this.#ladder.stop();
    this.outbox.abandon();
    if (this.#source !== undefined) {
      // Nobody has asked for it yet. It is taken out of the pipe all the same: the end of the pipe is part of the end.
      this.#waitsForStart = true;
      this.inbound.pause();
      this.#read();
    }
    this.#drainTimer = setTimeout(this.#onDrainTime, this.#exitDrainMs);
    this.#settleIfDone();
  };

  /** What came in time may still be in the pipes, when this process was busy: they are read once more before they are given up. */
  readonly #onDrainTime = (): void => {
    setImmediate(this.#onDrained);
  };

  /** What the child wrote may still be in the pipes; a descendant that holds them must not delay the end for long. */
  readonly #onDrained = (): void => {
    if (this.ending.settled) return;
    if (this.inbound.isHeld) {
      // Its owner is the one who is late. It may take its time, but keeps no process alive with it.
      this.#drainTimer = setTimeout(this.#onDrainTime, this.#exitDrainMs).unref();
      return;
    }
    this.#stderr.giveUp();
    this.inbound.endNow();
    this.#settleIfDone();
  };

  #breakOff(reason: CloseReason): void {
    if (this.#broken !== undefined || this.ending.settled) return;
    this.#broken = reason;
    this.outbox.end();
    if (this.#exit === undefined) this.#ladder.begin();
  }

  #settleIfDone(): void {
    if (this.#exit === undefined || !this.#inputDone || !this.#stderr.isDone) return;
    const { exitCode, signal } = this.#exit;
    this.#settle({ ...this.#kind(), exitCode, signal, stderrTail: this.stderrTail });
  }

  #kind(): CloseReason {
    const hadToBeEnded = this.#ladder.signalled !== undefined;
    if (this.#closing && !this.#endedFirst) return { kind: 'closed' };
    // This side gave up (overloaded, no memory for a frame): that the child then left is only the consequence.
    if (this.#broken?.kind === 'error') return this.#broken;
    if (!hadToBeEnded) return { kind: 'exit' };
    // It broke off, or sent no more, and yet did not go: the exit is only what we made of it.
    return this.#broken ?? { kind: 'eof' };
  }

  #settle(reason: CloseReason): void {
    if (this.ending.settled) return;
    clearTimeout(this.#drainTimer);
    this.#unabort?.();
    this.#ladder.stop();
    this.inbound.stop();
    this.outbox.release();
    this.#stderr.giveUp();
    this.#process?.stdin?.destroy();
    this.#process?.stdout?.destroy();
    this.tellEnd(reason);
  }
}
