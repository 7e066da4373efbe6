import { getEventListeners } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  connectSocket,
  type Duplex,
  listenSocket,
  memoryPair,
  socketDuplex,
  streamDuplex,
  toWebStreams,
} from '../../src/index.ts';
import { until } from '../support/process-state.ts';
import { record, request } from '../support/recorder.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'linewire-sockets-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('connectSocket', () => {
  test.each([
    ['started', true],
    ['not started', false],
  ])('says why no connection could be made (%s)', async (_, isStarted) => {
    const path = join(folder, 'nobody');
    const duplex = connectSocket({ path });
    const ticket = duplex.send(request(1));
    const { calls } = isStarted ? record(duplex) : { calls: [] };
    const reason = await duplex.closed;
    expect(reason).toMatchObject({ kind: 'error', error: { code: 'CONNECT_FAILED' } });
    expect(reason.error?.message).toContain(path);
    expect(await duplex.settled(ticket)).not.toBe('written');
    expect(calls).toEqual(isStarted ? ['close error'] : []);
  });

  test('refuses an address that is none', () => {
    for (const address of [{ path: '' }, { port: -1 }, { port: 65_536 }, { port: 1.5 }]) {
      expect(() => connectSocket(address)).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }));
    }
  });

  test('ends at once when its signal is aborted, and leaves no listener on the signal', async () => {
    const controller = new AbortController();
    const listener = await listenSocket({ port: 0 }, () => {});
    try {
      const duplex = connectSocket(listener.address, { signal: controller.signal });
      record(duplex);
      const ticket = duplex.send(request(1, 'x'.repeat(1_000_000)));
      controller.abort('enough');
      const { kind, error } = await duplex.closed;
      expect(kind).toBe('closed');
      expect(error).toMatchObject({ code: 'ABORTED', cause: 'enough' });
      expect(await duplex.settled(ticket)).not.toBe('written');
      expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);

      const other = new AbortController();
      const closing = connectSocket(listener.address, { signal: other.signal });
      await closing.close();
      expect(getEventListeners(other.signal, 'abort')).toHaveLength(0);
    } finally {
      await listener.close();
    }
  });

  test('tells a reset by the peer as a peer that is gone', async () => {
    let accepted: Socket | undefined;
    const server = createServer((socket) => {
      accepted = socket.on('error', () => {});
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const duplex = connectSocket({ port: (server.address() as { port: number }).port });
      const { calls } = record(duplex);
      await until(() => accepted !== undefined);
      accepted?.resetAndDestroy();
      expect(await duplex.closed).toMatchObject({ kind: 'peer-closed', error: { code: 'PEER_CLOSED' } });
      expect(calls).toEqual(['close peer-closed']);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

describe('listenSocket', () => {
  test('says why it could not listen', async () => {
    const path = join(folder, 'taken');
    const listener = await listenSocket({ path }, () => {});
    await expect(listenSocket({ path }, () => {})).rejects.toMatchObject({ code: 'LISTEN_FAILED' });
    await listener.close();
    expect(existsSync(path)).toBe(false);
  });

  test('closes the duplexes that are open with it', async () => {
    const accepted: Duplex[] = [];
    const listener = await listenSocket({ path: join(folder, 'open') }, (duplex) => accepted.push(duplex));
    const clients = [1, 2, 3].map(() => connectSocket(listener.address));
    const recordings = clients.map((client) => record(client, { onEnd: () => void client.close() }));
    await until(() => accepted.length === 3);
    accepted[0]?.start({ onFrames() {} });
    await listener.close();
    expect((await Promise.all(accepted.map(({ closed }) => closed))).map(({ kind }) => kind)).toEqual([
      'closed',
      'closed',
      'closed',
    ]);
    await Promise.all(clients.map(({ closed }) => closed));
    expect(recordings.map(({ calls }) => calls)).toEqual(clients.map(() => ['close eof']));
  });

  test('reads nothing of a connection before its duplex is started', async () => {
    let accepted: Duplex | undefined;
    const listener = await listenSocket({ port: 0 }, (duplex) => {
      accepted = duplex;
    });
    const client = connectSocket(listener.address);
    client.send(request(1));
    await client.flushed();
    await until(() => accepted !== undefined);
    expect(accepted?.stats.bytesIn).toBe(0);
    const { texts } = record(accepted as Duplex);
    await until(() => texts.length === 1);
    await Promise.all([client.close(), listener.close()]);
  });
});

describe('a duplex over the streams of others', () => {
  test('takes a socket that others have connected', async () => {
    let accepted: Duplex | undefined;
    const listener = await listenSocket({ port: 0 }, (duplex) => {
      accepted = duplex;
    });
    const { port } = listener.address as { port: number };
    const socket = createConnection({ port, host: '127.0.0.1' });
    const duplex = socketDuplex(socket);
    const { texts } = record(duplex);
    duplex.send(request(1));
    await until(() => accepted !== undefined);
    const atPeer = record(accepted as Duplex);
    await until(() => atPeer.texts.length === 1);
    accepted?.send(request(2));
    // Its end comes from the peer alone: a socket ends with its peer by default.
    accepted?.end();
    await until(() => texts.length === 1);
    duplex.send(request(3));
    await until(() => atPeer.texts.length === 2);
    await duplex.close();
    await listener.close();
    expect(socket.destroyed).toBe(true);
  });

  test('never writes memory that a stream may still keep', async () => {
    const kept: Buffer[] = [];
    const writable = new Writable({
      write(chunk: Buffer, _encoding, done) {
        kept.push(chunk);
        done();
      },
    });
    const duplex = streamDuplex(new PassThrough(), writable);
    record(duplex);
    const sent = Array.from({ length: 50 }, (_, id) => request(id));
    for (const frame of sent) {
      duplex.send(frame);
      duplex.flush();
    }
    await duplex.flushed();
    expect(Buffer.concat(kept).toString()).toBe(sent.map((frame) => `${frame}\n`).join(''));
    await duplex.close();
  });

  test('waits for what a stream does at its end', async () => {
    let isFinal = false;
    const writable = new Writable({
      write: (_chunk, _encoding, done) => done(),
      final(done) {
        setTimeout(() => {
          isFinal = true;
          done();
        }, 20);
      },
    });
    const duplex = streamDuplex(new PassThrough(), writable);
    await duplex.close();
    expect(isFinal).toBe(true);
  });

  test('refuses streams of objects, and one stream that is only half', () => {
    const objects = new PassThrough({ objectMode: true });
    expect(() => streamDuplex(objects, new PassThrough())).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID' }),
    );
    expect(() => streamDuplex(new PassThrough(), objects)).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID' }),
    );
    const half = Readable.from([]) as unknown as PassThrough;
    expect(() => streamDuplex(half)).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }));
  });

  test('tells a failure of a stream with its cause', async () => {
    const readable = new PassThrough();
    const duplex = streamDuplex(readable, new PassThrough());
    record(duplex);
    readable.destroy(Object.assign(new Error('bad sector'), { code: 'EMEDIUMTYPE' }));
    expect(await duplex.closed).toMatchObject({ kind: 'error', error: { code: 'READ_FAILED' } });
  });
});

describe('toWebStreams', () => {
  test('gives the good frames of a duplex, and takes frames for it', async () => {
    const [left, right] = memoryPair();
    const { texts } = record(right);
    const { readable, writable } = toWebStreams(left);
    right.send(request(1));
    right.sendEncoded('noise');
    right.send(request(2));
    const reader = readable.getReader();
    expect((await reader.read()).value).toBe(request(1));
    expect((await reader.read()).value).toBe(request(2));
    expect(left.stats.faults).toBe(1);
    const writer = writable.getWriter();
    await writer.write(request(3));
    await writer.close();
    await until(() => texts.length === 1);
    await right.close();
    expect((await reader.read()).done).toBe(true);
    await left.close();
  });

  test('reads nothing before it is asked, and writes no more than the peer takes', async () => {
    const [left, right] = memoryPair({ highWaterBytes: 20_000, lowWaterBytes: 1000 });
    const { readable, writable } = toWebStreams(left);
    for (let id = 0; id < 5; id++) right.send(request(id, 'x'.repeat(3000)));
    // Somebody else has filled it.
    let others = 0;
    while (left.send(request(-1, 'z'.repeat(3000))) !== 0) others++;
    const writer = writable.getWriter();
    const writes = Promise.all(
      Array.from({ length: 50 }, (_, id) => writer.write(request(id, 'y'.repeat(3000)))),
    );
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(left.queuedBytes).toBeLessThan(30_000);
    // At most what fits in the outboxes was read before the first read of ours.
    expect(left.stats.framesIn).toBe(0);
    const { texts } = record(right);
    await writes;
    await until(() => texts.length === others + 50);
    expect(texts.slice(others).map((text) => JSON.parse(text).id)).toEqual(
      Array.from({ length: 50 }, (_, id) => id),
    );
    const reader = readable.getReader();
    for (let id = 0; id < 5; id++) expect((await reader.read()).value).toContain(`"id":${id}`);
    await reader.cancel();
    expect((await left.closed).kind).toBe('closed');
    await right.close();
  });

  test('fails both streams when the duplex does', async () => {
    const [left, right] = memoryPair();
    const { readable, writable } = toWebStreams(left);
    const reading = readable.getReader().read();
    const writer = writable.getWriter();
    await right.close();
    expect((await reading).done).toBe(true);
    await writer.write(request(1));
    await left.closed;
    await expect(writer.write(request(2))).rejects.toMatchObject({ code: 'SEND_AFTER_CLOSE' });
  });
});
