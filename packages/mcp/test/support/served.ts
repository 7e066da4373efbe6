import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type CloseReason, listenSocket, memoryPair } from '@linewire/transport';
import { McpServer, serve } from '../../src/index.ts';
// biome-ignore lint/correctness/useImportExtensions: it is JavaScript, and its types stand in a file beside it
import { sessionTools } from '../fixtures/session-tools.mjs';
import type { Frame } from './wire.ts';

/** A client of bare lines, and the server of the session suite behind it. */
export interface Served {
  readonly received: ReceivedLines;
  write(...lines: string[]): void;
  /** Absent where there are frames between the two, not bytes. */
  writeBytes?(bytes: Uint8Array): void;
  /** The client writes no more. */
  endInput(): void;
  /** The client is gone: it neither writes nor reads. */
  vanish(): void;
  /** Settles when the server has ended: true if nothing had failed. Its process exits with 0. */
  readonly endedWell: Promise<boolean>;
  dispose(): Promise<void>;
}

/** One way of being served. */
export interface ServedOver {
  readonly name: string;
  /** The server has a stdout of its own, which tools may write to. */
  readonly ownsProcess: boolean;
  open(): Promise<Served>;
}

/** Frames of the server as they come. */
class ReceivedLines {
  private readonly frames: Frame[] = [];
  private text = '';
  private hasEnded = false;
  private wake: () => void = () => {};

  take(text: string): void {
    const lines = (this.text + text).split('\n');
    this.text = lines.pop() as string;
    for (const line of lines) this.frames.push(JSON.parse(line));
    this.wake();
  }

  end(): void {
    this.hasEnded = true;
    this.wake();
  }

  /** The next `count` frames. */
  async next(count: number, patienceMs: number): Promise<Frame[]> {
    await this.until(() => this.frames.length >= count, `${count} frames`, patienceMs);
    return this.frames.splice(0, count);
  }

  /** All frames up to the end, of which the last is whole. */
  async rest(patienceMs: number): Promise<Frame[]> {
    await this.until(() => this.hasEnded, 'the end', patienceMs);
    if (this.text !== '') throw new Error(`Torn at the end: ${this.text.slice(0, 100)}`);
    return this.frames.splice(0);
  }

  private async until(condition: () => boolean, what: string, patienceMs: number): Promise<void> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.wake();
    }, patienceMs);
    try {
      while (!condition()) {
        if (isLate || this.hasEnded) {
          const why = isLate ? 'in vain' : 'but the server has ended';
          throw new Error(`Waited for ${what}, ${why}: there are ${this.frames.length} frames`);
        }
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
    } finally {
      clearTimeout(timer);
    }
  }
}

const memory: ServedOver = {
  name: 'a memory pair',
  ownsProcess: false,
  async open() {
    const [near, far] = memoryPair();
    const received = new ReceivedLines();
    const session = serve(newServer(), far);
    near.start({
      onFrames(batch) {
        for (let index = 0; index < batch.count; index++) received.take(`${batch.text(index)}\n`);
        return batch.count;
      },
      onEnd: () => received.end(),
    });
    return {
      received,
      write(...lines) {
        // Not as requests, which a full outbox refuses.
        for (const line of lines) near.send(line, { lane: 'reply' });
      },
      endInput: () => near.end(),
      vanish: () => void near.close(),
      endedWell: isWell(session.closed),
      async dispose() {
        await Promise.all([near.close(), session.close()]);
      },
    };
  },
};

const socket: ServedOver = {
  name: 'a Unix socket',
  ownsProcess: false,
  async open() {
    const folder = mkdtempSync(join(tmpdir(), 'linewire-served-'));
    const path = join(folder, 'socket');
    let accepted: (ended: Promise<CloseReason>) => void = () => {};
    const closed = new Promise<CloseReason>((resolve) => {
      accepted = (ended) => resolve(ended);
    });
    const listener = await listenSocket({ path }, (duplex) => accepted(serve(newServer(), duplex).closed));
    const client = connect({ path, allowHalfOpen: true });
    client.on('error', () => {});
    return {
      ...overStreams(client, client),
      endInput: () => client.end(),
      vanish: () => client.destroy(),
      endedWell: isWell(closed),
      async dispose() {
        client.destroy();
        await closed;
        await listener.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

const child: ServedOver = {
  name: 'a child process',
  ownsProcess: true,
  async open() {
    const program = fileURLToPath(new URL('../fixtures/session-server.mjs', import.meta.url));
    const process_ = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'ignore'] });
    const { stdin, stdout } = process_;
    const exited = new Promise<number | null>((resolve) => process_.on('close', resolve));
    return {
      ...overStreams(stdout, stdin),
      endInput: () => stdin.end(),
      vanish() {
        stdin.destroy();
        stdout.destroy();
      },
      endedWell: exited.then((code) => code === 0),
      async dispose() {
        process_.kill('SIGKILL');
        await exited;
      },
    };
  },
};

/** The ways of being served that the session suite goes. */
export const servedOver: readonly ServedOver[] = [memory, socket, child];

function newServer(): McpServer {
  return sessionTools(new McpServer({ name: 'sessions', version: '1' }));
}

async function isWell(closed: Promise<CloseReason>): Promise<boolean> {
  return (await closed).kind !== 'error';
}

function overStreams(
  readable: Readable,
  writable: Writable,
): Pick<Served, 'received' | 'write' | 'writeBytes'> {
  const received = new ReceivedLines();
  writable.on('error', () => {});
  readable.on('error', () => {});
  readable.setEncoding('utf8').on('data', (text: string) => received.take(text));
  readable.on('end', () => received.end());
  return {
    received,
    write: (...lines) => void writable.write(lines.map((line) => `${line}\n`).join('')),
    writeBytes: (bytes) => void writable.write(bytes),
  };
}
