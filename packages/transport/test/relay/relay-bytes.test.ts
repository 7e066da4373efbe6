import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex as NodeDuplex } from 'node:stream';
import { type FaultPlan, faultLink } from '@linewire/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { descriptorEnd, type RelayBytesOptions, relayBytes, streamEnd } from '../../src/index.ts';
import { until } from '../support/process-state.ts';

const both = (stream: NodeDuplex) => streamEnd({ readable: stream, writable: stream });

/** Everything that is read from a stream, and whether it has ended. */
function collect(stream: NodeDuplex): { bytes(): Buffer; hasEnded(): boolean } {
  const chunks: Buffer[] = [];
  let ended = false;
  stream.on('data', (bytes: Buffer) => chunks.push(bytes));
  stream.on('end', () => {
    ended = true;
  });
  stream.on('error', () => {});
  return { bytes: () => Buffer.concat(chunks), hasEnded: () => ended };
}

/** Two links with a relay between them: left.left ↔ relay ↔ right.right. */
function joined(options?: RelayBytesOptions, plans: { left?: FaultPlan; right?: FaultPlan } = {}) {
  const left = faultLink(plans.left);
  const right = faultLink(plans.right);
  const relay = relayBytes(both(left.right), both(right.left), options);
  return { relay, a: left.left, b: right.right };
}

const ODD_BYTES = Buffer.from(
  '\ufeff{"a":1}\r\n\n\n  \nnoise\u0000\r{"jsonrpc":"2.0","method":"ä"}\n\u00ff',
  'utf8',
);

describe('a relay of bytes', () => {
  test.each([
    ['alone', {}],
    ['observed', { onFramesFromA() {}, onFramesFromB() {} }],
  ])(
    '(%s) hands on exactly what was sent, both ways: marks, blank lines, bad frames, an unfinished end',
    async (_, options) => {
      const { relay, a, b } = joined(options);
      const atA = collect(a);
      const atB = collect(b);
      a.end(Buffer.concat([ODD_BYTES, Buffer.of(0xc3)]));
      b.end(ODD_BYTES);
      expect(await relay.closed).toEqual({ kind: 'eof' });
      await until(() => atA.hasEnded() && atB.hasEnded());
      expect(atB.bytes()).toEqual(Buffer.concat([ODD_BYTES, Buffer.of(0xc3)]));
      expect(atA.bytes()).toEqual(ODD_BYTES);
      expect(relay.stats.fromA).toMatchObject({
        bytesIn: ODD_BYTES.length + 1,
        bytesOut: ODD_BYTES.length + 1,
      });
    },
  );

  test('shows the observer the frames of its direction, which cannot hold them up', async () => {
    const seen: string[] = [];
    const { relay, a, b } = joined({
      onFramesFromA(batch) {
        for (let index = 0; index < batch.count; index++) seen.push(batch.kind(index));
        batch.consumed = 0;
      },
    });
    const atB = collect(b);
    a.write('{"jsonrpc":"2.0","id":1,"method":"x"}\nnoise\n');
    await until(() => seen.length === 2);
    b.end('{"jsonrpc":"2.0","id":1,"result":{}}\n');
    a.end('{"jsonrpc":"2.0","method":"y"}');
    await relay.closed;
    expect(seen).toEqual(['request', 'fault', 'notification']);
    expect(relay.stats.fromA).toMatchObject({ framesIn: 3, faults: 1 });
    expect(relay.stats.fromB).toMatchObject({ framesIn: 0 });
    await until(() => atB.hasEnded());
  });

  test('carries the end of one side over, while the other goes on', async () => {
    const { relay, a, b } = joined();
    const atA = collect(a);
    const atB = collect(b);
    a.end('question');
    await until(() => atB.hasEnded());
    expect(atA.hasEnded()).toBe(false);
    b.write('answer');
    await until(() => atA.bytes().length === 6);
    b.end();
    expect(await relay.closed).toEqual({ kind: 'eof' });
  });

  test('reads no more than its limit for a side that does not take it, and all of it later', async () => {
    const highWaterBytes = 200_000;
    const { relay, a, b } = joined({ highWaterBytes });
    const sent = Buffer.alloc(3_000_000, 'x');
    for (let at = 0; at < sent.length; at += 10_000) a.write(sent.subarray(at, at + 10_000));
    a.end();
    await until(() => (relay.stats.fromA?.stalls ?? 0) > 0);
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(relay.stats.fromA?.heldBytes).toBeLessThanOrEqual(highWaterBytes + 10_000);
    expect(relay.stats.fromA?.bytesIn).toBeLessThan(sent.length / 2);
    const atB = collect(b);
    b.end();
    await relay.closed;
    await until(() => atB.hasEnded());
    expect(atB.bytes().equals(sent)).toBe(true);
  });

  test('leaves memory alone that the system has not taken yet', async () => {
    const server = createServer();
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const folder = mkdtempSync(join(tmpdir(), 'linewire-relay-'));
    const path = join(folder, 'socket');
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const socket = connect(path);
    const receiver = (await accepted).pause();
    try {
      const { left, right } = faultLink();
      const relay = relayBytes(streamEnd({ readable: right }), streamEnd({ writable: socket }), {
        highWaterBytes: 200_000,
      });
      // More than all buffers hold, each part unlike the others.
      const sent = Buffer.concat(Array.from({ length: 150 }, (_, part) => Buffer.alloc(20_000, part)));
      for (let at = 0; at < sent.length; at += 10_000) left.write(sent.subarray(at, at + 10_000));
      left.end();
      await until(() => (relay.stats.fromA?.stalls ?? 0) > 0);
      const atReceiver = collect(receiver);
      receiver.resume();
      expect(await relay.closed).toEqual({ kind: 'eof' });
      await until(() => atReceiver.hasEnded());
      expect(atReceiver.bytes().equals(sent)).toBe(true);
      left.destroy();
    } finally {
      receiver.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('hands on what a side had sent before it died, ends the other, and says which one it was', async () => {
    const { relay, a, b } = joined(
      { exitDrainMs: 20 },
      { right: { toRight: [{ kind: 'break', at: 4, code: 'EPIPE' }] } },
    );
    const atA = collect(a);
    b.write('last words');
    await until(() => atA.bytes().length === 10);
    a.write('too much');
    const reason = await relay.closed;
    expect(reason).toMatchObject({ kind: 'peer-closed', side: 'b', error: { code: 'PEER_CLOSED' } });
    await until(() => atA.hasEnded());
    expect(atA.bytes().toString()).toBe('last words');
  });

  test('ends when a side is reset', async () => {
    const { relay, a, b } = joined({ exitDrainMs: 20 }, { left: { toRight: [{ kind: 'die', at: 3 }] } });
    collect(a);
    const atB = collect(b);
    a.write('abcdef');
    expect(await relay.closed).toMatchObject({ kind: 'peer-closed', side: 'a' });
    await until(() => atB.hasEnded());
    expect(atB.bytes().toString()).toBe('abc');
  });

  test('writes what it holds when it is closed, within its time', async () => {
    const { relay, a, b } = joined({ exitFlushMs: 50 });
    a.write(Buffer.alloc(500_000));
    await until(() => (relay.stats.fromA?.heldBytes ?? 0) > 0);
    expect(await relay.close()).toEqual({ kind: 'closed' });
    expect(relay.stats.fromA?.droppedBytes).toBeGreaterThan(0);
    expect(await relay.close()).toEqual({ kind: 'closed' });
    b.destroy();

    const other = joined();
    const atB = collect(other.b);
    collect(other.a);
    other.a.write('held');
    await until(() => atB.bytes().length === 4);
    await other.relay.close();
    await until(() => atB.hasEnded());
  });

  test('refuses sides between which nothing can go', () => {
    const { left, right } = faultLink();
    expect(() =>
      relayBytes(streamEnd({ writable: left }), streamEnd({ readable: right }), { direction: 'a-to-b' }),
    ).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }));
    expect(() => relayBytes(both(left), both(right), { highWaterBytes: -1 })).toThrow(
      expect.objectContaining({ code: 'OPTION_RANGE' }),
    );
  });
});

describe('a relay between descriptors', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'linewire-relay-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('copies a file, from where the descriptor stands', async () => {
    const from = join(folder, 'from');
    const to = join(folder, 'to');
    const content = Buffer.alloc(1_500_000, 'abc\n\u00e9');
    writeFileSync(from, content);
    const input = openSync(from, 'r');
    const output = openSync(to, 'w');
    try {
      const relay = relayBytes(descriptorEnd({ input }), descriptorEnd({ output }));
      expect(await relay.closed).toEqual({ kind: 'eof' });
    } finally {
      closeSync(input);
      closeSync(output);
    }
    expect(readFileSync(to).equals(content)).toBe(true);
  });

  test('says that a full disk is an error of the side that is written to', async () => {
    const from = join(folder, 'small');
    writeFileSync(from, 'x');
    const input = openSync(from, 'r');
    const output = openSync('/dev/full', 'w');
    try {
      const { closed } = relayBytes(descriptorEnd({ input }), descriptorEnd({ output }));
      expect(await closed).toMatchObject({ kind: 'error', side: 'b', error: { code: 'WRITE_FAILED' } });
    } finally {
      closeSync(input);
      closeSync(output);
    }
  });
});
