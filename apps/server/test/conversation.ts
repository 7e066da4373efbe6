import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export type Era = 'legacy' | 'modern';

// biome-ignore lint/suspicious/noExplicitAny: whatever the wire holds
export type Frame = any;

const patienceMs = 20_000;
const clientInfo = { name: 'c', version: '1' };

/** A host that writes raw lines to a real server process, in the manner of one era, and keeps all that comes. */
export class Conversation {
  /** All lines that came, in order. */
  readonly heard: Frame[] = [];
  readonly era: Era;
  private readonly capabilities: object;
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly looks: Set<() => void> = new Set();
  private lastId = 0;

  constructor(bin: string, era: Era, capabilities: object) {
    this.era = era;
    this.capabilities = capabilities;
    this.child = spawn(process.execPath, [bin]);
    this.child.stderr.pipe(process.stderr);
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      this.heard.push(JSON.parse(line));
      for (const look of this.looks) look();
    });
  }

  /** What a host asks first. */
  greet(): Promise<Frame> {
    const { capabilities } = this;
    return this.era === 'modern'
      ? this.ask('server/discover')
      : this.ask('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
  }

  /** Sends a request, and gives the whole answer. `meta` stands beside the envelope. */
  ask(method: string, params: object = {}, meta: object = {}): Promise<Frame> {
    const id = this.send(method, params, meta);
    return this.hear((frame) => frame.id === id && frame.method === undefined);
  }

  /** @returns the id */
  send(method: string, params: object = {}, meta: object = {}): number {
    const id = ++this.lastId;
    this.write({ jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...this.envelope(), ...meta } } });
    return id;
  }

  write(message: object): void {
    this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** The first line of that kind, as soon as it is there. */
  hear(isIt: (frame: Frame) => boolean): Promise<Frame> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = this.heard.find(isIt);
        if (found === undefined) return;
        clearTimeout(timer);
        this.looks.delete(look);
        resolve(found);
      };
      const timer = setTimeout(() => {
        this.looks.delete(look);
        reject(new Error(`heard only ${JSON.stringify(this.heard).slice(0, 2000)}`));
      }, patienceMs);
      this.looks.add(look);
      look();
    });
  }

  /** Ends the input, and waits for the process. */
  async end(): Promise<number | null> {
    const timer = setTimeout(() => this.child.kill('SIGKILL'), patienceMs);
    this.child.stdin.end();
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'close');
    clearTimeout(timer);
    return this.child.exitCode;
  }

  private envelope(): object {
    if (this.era === 'legacy') return {};
    return {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': this.capabilities,
      'io.modelcontextprotocol/clientInfo': clientInfo,
    };
  }
}
