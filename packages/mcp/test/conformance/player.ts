import { expect } from 'vitest';
import { type ServeOptions, type ServerSession, serve } from '../../src/index.ts';
import { type Frame, Wire } from '../support/wire.ts';
import { Ledger } from './ledger.ts';
import { expectMatch, type Names, withNames } from './pattern.ts';
import { Stage } from './stage.ts';
import { lineBytes, type Transcript } from './transcript.ts';

/** Plays a transcript to a server of its own, and fails where the server says something else. */
export async function play(transcript: Transcript, chunks: Chunks, patienceMs: number): Promise<void> {
  const connection = new Connection(transcript.setting, chunks, patienceMs);
  await connection.shakeHands();
  await connection.play(transcript);
  await connection.end();
}

/** How the bytes of a client reach the server. */
export type Chunks = 'lines that follow each other at once' | 'byte by byte';

class Connection {
  private readonly stage: Stage;
  private readonly wire: Wire;
  private readonly session: ServerSession;
  private readonly setting: Readonly<Record<string, unknown>>;
  private readonly chunks: Chunks;
  private readonly patienceMs: number;
  private readonly reports: string[] = [];
  private readonly told: string[] = [];
  private readonly names: Names = new Map();
  private readonly ledger: Ledger = new Ledger();
  /** Client lines not fed yet. */
  private readonly unsent: Uint8Array[] = [];
  private inputEnded = false;

  constructor(setting: Readonly<Record<string, unknown>>, chunks: Chunks, patienceMs: number) {
    const { bare, instructions, pageSize, logging, maxFrameBytes, ...options } = setting;
    this.setting = setting;
    this.chunks = chunks;
    this.patienceMs = patienceMs;
    this.stage = new Stage(JSON.parse(JSON.stringify({ bare, instructions, pageSize, logging })));
    this.wire = new Wire(maxFrameBytes === undefined ? {} : { maxFrameBytes: maxFrameBytes as number });
    this.session = serve(this.stage.server, this.wire, {
      drainTimeoutMs: 200,
      ...(options as ServeOptions),
      onReport: ({ code, message }) => {
        this.reports.push(code);
        this.told.push(message);
      },
    });
  }

  /** Does what `handshake` of the setting asks for. */
  async shakeHands(): Promise<void> {
    const { handshake, capabilities = {} } = this.setting;
    if (handshake === undefined) return;
    const params = { protocolVersion: handshake, capabilities, clientInfo: { name: 'c', version: '1' } };
    this.write(JSON.stringify({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params }));
    this.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    const answer = await this.nextFrame();
    expect(answer.result.protocolVersion).toBe(handshake);
    await this.expectSilence();
  }

  async play({ steps }: Transcript): Promise<void> {
    for (const [at, step] of steps.entries()) {
      switch (step.kind) {
        case 'client':
          if (steps[at - 1]?.kind !== 'client') await this.expectSilence();
          this.write(withNames(step.text, this.names));
          break;
        case 'server':
          expectMatch(step.text, await this.nextFrame(), this.names);
          break;
        case 'bytes':
          expect(await this.nextLine()).toBe(step.text);
          break;
        case 'event':
          await this.expectSilence();
          await this.happen(step.text);
          break;
        case 'counted':
          await this.expectSilence();
          expect(this.counted).toMatchObject(JSON.parse(step.text));
          break;
        case 'silence':
          await this.expectSilence();
      }
    }
    await this.expectSilence();
  }

  /** Whatever was said, a ping is answered, and nothing stays open. */
  async end(): Promise<void> {
    if (!this.inputEnded) {
      this.write('{"jsonrpc":"2.0","id":"last ping","method":"ping"}');
      expect(await this.nextFrame()).toEqual({ jsonrpc: '2.0', id: 'last ping', result: {} });
      await this.happen('the input ends');
    }
    while (this.stage.gate.waiting > 0) this.stage.gate.open();
    await this.bounded(this.session.closed, 'end');
    while (this.stage.gate.waiting > 0) this.stage.gate.open();
    await this.bounded(this.session.settled(), 'settle');
    for (const line of this.wire.sent.splice(0)) this.ledger.server(line);
    this.ledger.expectPaid();
  }

  private get counted(): object {
    const { reports, told, stage, session } = this;
    return { ...session.stats, reports, told, ran: stage.ran };
  }

  private async happen(event: string): Promise<void> {
    switch (event) {
      case 'the input ends':
        this.feed();
        this.inputEnded = true;
        this.wire.feedEnd();
        return;
      case 'the session closes':
        this.inputEnded = true;
        void this.session.close();
        return;
      case 'the connection ends':
        return this.bounded(this.session.closed, 'end');
      default: {
        const happening = this.stage.events[event];
        if (happening === undefined) throw new Error(`Nothing is called ‘${event}’`);
        happening();
      }
    }
  }

  private write(line: string): void {
    const bytes = lineBytes(line);
    this.ledger.client(bytes);
    this.unsent.push(bytes);
  }

  private feed(): void {
    const bytes = Buffer.concat(this.unsent.splice(0));
    if (bytes.length === 0) return;
    if (this.chunks !== 'byte by byte') this.wire.feedBytes(bytes);
    else for (let at = 0; at < bytes.length; at++) this.wire.feedBytes(bytes.subarray(at, at + 1));
  }

  private async nextFrame(): Promise<Frame> {
    return JSON.parse(await this.nextLine());
  }

  private async nextLine(): Promise<string> {
    this.feed();
    const until = performance.now() + this.patienceMs;
    while (this.wire.sent.length === 0) {
      if (performance.now() > until) throw new Error('The server writes nothing');
      await nextTurn();
    }
    const line = this.wire.sent.shift() as string;
    this.ledger.server(line);
    return line;
  }

  /** A few turns: what the server does without being asked, it does by then. */
  private async expectSilence(): Promise<void> {
    this.feed();
    for (let turn = 0; turn < 5 && this.wire.sent.length === 0; turn++) await nextTurn();
    expect(this.wire.sent).toEqual([]);
  }

  private async bounded(what: Promise<unknown>, name: string): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`The session does not ${name}`)), this.patienceMs);
    });
    await Promise.race([what, late]).finally(() => clearTimeout(timer));
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
