import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { CloseReason, Duplex, QueueOptions, ReadingOptions } from '../duplex.ts';
import { TransportError } from '../errors.ts';
import { FramedDuplex } from '../framed/framed-duplex.ts';
import { limitValue } from '../limits.ts';
import { StreamSource } from '../reading/source-stream.ts';
import { readFailure, writeFailure } from '../writing/io-failure.ts';
import { StreamSink } from '../writing/sink-stream.ts';
import { ByteTail } from './byte-tail.ts';
import { childEnvironment, type InheritEnv } from './child-env.ts';
import { explainSpawnFailure, type SpawnAttempt } from './child-failure.ts';
import { CloseLadder } from './close-ladder.ts';

/** What is started, and how it ends. */
export interface ChildOptions extends ReadingOptions, QueueOptions {
  /** A path, or a name that is searched in the child's PATH. There is no shell: arguments reach the child as they are. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Working directory, default that of this process. */
  readonly cwd?: string;
  /** Variables for the child, over the inherited ones; `undefined` removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * Which variables of this process the child sees, never all of them: `minimal` (default) = HOME LOGNAME PATH SHELL TERM USER;
   * `launch` = those and language, temporary folder, time zone, XDG, proxies and certificates; or exactly the given names.
   * PYTHONUTF8 and PYTHONUNBUFFERED are set to 1 unless `env` or the names say otherwise.
   */
  readonly inheritEnv?: InheritEnv;
  /** Time for the child to exit after its stdin ended, before SIGTERM: 0 to 2^31−1 ms, default 2,000. */
  readonly closeTimeoutMs?: number;
  /** Time to exit after SIGTERM, before SIGKILL: 0 to 2^31−1 ms, default 2,000. */
  readonly termTimeoutMs?: number;
  /** Time for the rest of stdout and stderr after the exit, when a grandchild still holds them: 0 to 2^31−1 ms, default 250. */
  readonly exitDrainMs?: number;
  /** Last bytes of stderr that are kept: 0 to 2 GiB−1, default 16 KiB. */
  readonly stderrTailBytes?: number;
}

/** A child process as a duplex: its stdin and stdout are the wire. */
export interface ChildDuplex extends Duplex {
  /** Undefined when the child could not be started. */
  readonly pid: number | undefined;
  /** The last bytes of stderr so far, decoded. */
  readonly stderrTail: string;
}

/**
 * Starts a command without a shell. Its stderr is read from the first moment on, so that it never blocks; its stdout from `start()` on.
 *
 * A command that cannot be started ends the duplex: `closed` gives kind `error` with `SPAWN_NOT_FOUND`, `SPAWN_CWD` or `SPAWN_FAILED`.
 * `close()` ends stdin, then sends SIGTERM and SIGKILL after their times, and settles after the real exit; frames that come meanwhile are
 * thrown away (to read on, use `end()` first). A child that stops reading its stdin goes the same way down, with kind `peer-closed`.
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
  readonly #process: ChildProcessWithoutNullStreams | undefined;
  readonly #attempt: SpawnAttempt;
  readonly #stderr: ByteTail;
  readonly #ladder: CloseLadder;
  readonly #exitDrainMs: number;
  #reading = false;
  /** The child ended before `start()`; what it wrote waits in the paused reader. */
  #waitsForStart = false;
  #exit: { exitCode: number | null; signal: string | null } | undefined;
  #inputDone = false;
  #stderrDone = false;
  #drainTimer: NodeJS.Timeout | undefined;
  #closing = false;
  /** The child had said that it sends no more before it was closed: its end was its own doing. */
  #endedFirst = false;
  /** Why the connection is of no use any more though the child lives. */
  #broken: CloseReason | undefined;

  constructor(options: ChildOptions) {
    super(options);
    const { command, args = [], cwd, env = {}, inheritEnv = 'minimal' } = options;
    if (typeof command !== 'string' || command === '') {
      throw new TransportError('OPTION_INVALID', 'command must be a string that is not empty');
    }
    if (inheritEnv !== 'minimal' && inheritEnv !== 'launch' && !Array.isArray(inheritEnv)) {
      throw new TransportError('OPTION_INVALID', "inheritEnv must be 'minimal', 'launch' or a list of names");
    }
    this.#stderr = new ByteTail(limitValue('stderrTailBytes', options.stderrTailBytes));
    this.#exitDrainMs = limitValue('exitDrainMs', options.exitDrainMs);
    const closeTimeoutMs = limitValue('closeTimeoutMs', options.closeTimeoutMs);
    const termTimeoutMs = limitValue('termTimeoutMs', options.termTimeoutMs);
    const environment = childEnvironment(inheritEnv, env);
    this.#attempt = { command, cwd, path: environment['PATH'] };
    this.#ladder = new CloseLadder(
      { kill: (signal) => this.#process?.kill(signal) ?? false },
      { closeTimeoutMs, termTimeoutMs },
    );
    this.#process = this.#spawn(command, args, cwd, environment);
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get stderrTail(): string {
    return this.#stderr.text();
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
    const early = this.#stderr.copyBytes();
    if (early.length > 0) this.handlers?.onStderr?.(early);
    if (this.ending.settled) return;
    this.#read();
    if (this.#waitsForStart) this.inbound.resume();
  }

  #spawn(
    command: string,
    args: readonly string[],
    cwd: string | undefined,
    env: Record<string, string>,
  ): ChildProcessWithoutNullStreams | undefined {
    const { spawn } = process.getBuiltinModule('node:child_process');
    let child: ChildProcessWithoutNullStreams;
    try {
      child = spawn(command, args, { cwd, env, stdio: 'pipe', windowsHide: true });
    } catch (error) {
      // Some failures (E2BIG, a NUL byte in an argument) are thrown, others are events; here they all are the second.
      process.nextTick(this.#onSpawnFailed, error);
      return undefined;
    }
    child.on('error', (error) => {
      if (child.pid === undefined) this.#onSpawnFailed(error);
    });
    if (child.pid === undefined) return child;
    child.on('exit', this.#onExit);
    child.stderr.on('data', this.#onStderr);
    child.stderr.on('error', () => {});
    child.stderr.on('close', this.#onStderrDone);
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
    const stdout = this.#process?.stdout;
    if (this.#reading || stdout == null) return;
    this.#reading = true;
    this.inbound.start(
      new StreamSource(stdout, {
        pause: () => stdout.pause(),
        resume: () => stdout.resume(),
        release: () => stdout.destroy(),
      }),
    );
  }

  readonly #onSpawnFailed = (cause: unknown): void => {
    this.#settle({ kind: 'error', error: explainSpawnFailure(this.#attempt, cause) });
  };

  readonly #onStderr = (bytes: Uint8Array): void => {
    this.#stderr.push(bytes);
    this.handlers?.onStderr?.(bytes);
  };

  readonly #onStderrDone = (): void => {
    this.#stderrDone = true;
    this.#settleIfDone();
  };

  /** The only proof that the child is gone; its code is null when a signal ended it. */
  readonly #onExit = (exitCode: number | null, signal: string | null): void => {
    this.#exit = { exitCode, signal };
    this.#ladder.stop();
    this.outbox.abandon();
    if (!this.#reading) {
      // Node throws away what nobody is reading by now.
      this.#waitsForStart = true;
      this.inbound.pause();
    }
    this.#read();
    this.#drainTimer = setTimeout(this.#onDrained, this.#exitDrainMs);
    this.#settleIfDone();
  };

  /** What the child wrote may still be in the pipes; a grandchild that holds them must not delay the end for long. */
  readonly #onDrained = (): void => {
    if (this.inbound.isHeld) {
      // Its owner is the one who is late. It may take its time, but keeps no process alive with it.
      this.#drainTimer = setTimeout(this.#onDrained, this.#exitDrainMs).unref();
      return;
    }
    this.#process?.stderr.destroy();
    this.#stderrDone = true;
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
    if (this.#exit === undefined || !this.#inputDone || !this.#stderrDone) return;
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
    this.#ladder.stop();
    this.inbound.stop();
    this.outbox.release();
    this.#process?.stderr?.destroy();
    this.#process?.stdin?.destroy();
    this.#process?.stdout?.destroy();
    this.tellEnd(reason);
  }
}
