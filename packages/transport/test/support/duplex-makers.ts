import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Duplex as NodeDuplex, PassThrough, Readable, Writable } from 'node:stream';
import {
  connectSocket,
  type Duplex,
  listenSocket,
  memoryPair,
  type SocketAddress,
  type SocketListener,
  type StreamOptions,
  spawnChild,
  streamDuplex,
  webStreamDuplex,
} from '../../src/index.ts';
import { JoinedStreams } from './joined-streams.ts';
import { fixtureFile } from './shell.ts';

/** Options that every kind of duplex understands. */
export type MakerOptions = Omit<StreamOptions, 'signal'>;

/** A duplex of one kind, with a peer. */
export interface OpenDuplex {
  readonly duplex: Duplex;
  /** Ends both ends and whatever was made for them. To be called in a `finally`. */
  dispose(): Promise<void>;
}

/** A kind of duplex, and the peers that it can be given. */
export interface DuplexMaker {
  readonly name: string;
  /** What `close()` is reported as when the peer had ended before. */
  readonly endedKind: 'eof' | 'exit';
  /** The peer sends every frame back and ends when this side has ended. */
  openEcho(options?: MakerOptions): Promise<OpenDuplex>;
  /** The peer is a duplex in this process. */
  openPair(options?: MakerOptions): Promise<OpenDuplex & { readonly peer: Duplex }>;
  /** The peer is a stream of bytes. Absent where there is none between the two ends. */
  openWire?(options?: MakerOptions): Promise<OpenDuplex & { readonly wire: NodeDuplex }>;
}

const memory: DuplexMaker = {
  name: 'a memory pair',
  endedKind: 'eof',
  async openEcho(options) {
    const opened = await memory.openPair(options);
    echo(opened.peer);
    return opened;
  },
  async openPair(options = {}) {
    const [duplex, peer] = memoryPair(options);
    return { duplex, peer, dispose: () => closeAll(duplex, peer) };
  },
};

function socketMaker(
  name: string,
  newAddress: () => { address: SocketAddress; forget(): void },
): DuplexMaker {
  const openWire = async (options: MakerOptions = {}): Promise<OpenDuplex & { wire: Socket }> => {
    const { address, forget } = newAddress();
    const { server, accepted, at } = await rawServer(address);
    const duplex = connectSocket(at, options);
    const wire = await accepted;
    return {
      duplex,
      wire,
      async dispose() {
        wire.destroy();
        await closeAll(duplex);
        await new Promise((resolve) => server.close(resolve));
        forget();
      },
    };
  };
  return {
    name,
    endedKind: 'eof',
    openWire,
    async openEcho(options) {
      const opened = await openWire(options);
      opened.wire.pipe(opened.wire);
      return opened;
    },
    async openPair(options = {}) {
      const { address, forget } = newAddress();
      let listener: SocketListener | undefined;
      const { duplex, peer } = await new Promise<{ duplex: Duplex; peer: Duplex }>((resolve, reject) => {
        let connecting: Duplex | undefined;
        listenSocket(
          address,
          (other) => connecting && resolve({ duplex: connecting, peer: other }),
          options,
        ).then((open) => {
          listener = open;
          connecting = connectSocket(open.address, options);
        }, reject);
      });
      return {
        duplex,
        peer,
        async dispose() {
          await closeAll(duplex, peer);
          await listener?.close();
          forget();
        },
      };
    },
  };
}

const unix = socketMaker('a Unix socket', () => {
  const folder = mkdtempSync(join(tmpdir(), 'linewire-socket-'));
  return {
    address: { path: join(folder, 'socket') },
    forget: () => rmSync(folder, { recursive: true, force: true }),
  };
});

const tcp = socketMaker('a TCP socket', () => ({ address: { port: 0 }, forget() {} }));

/** Two one-way streams; an accepted socket that others made is the same class. */
const nodeStreams = bytesMaker('Node streams', (options) => {
  const there = new PassThrough();
  const back = new PassThrough();
  const wire = new JoinedStreams(there, back);
  return { duplex: streamDuplex(back, there, options), wire };
});

const webStreams = bytesMaker('Web streams', (options) => {
  const there = new TransformStream<Uint8Array, Uint8Array>();
  const back = new TransformStream<Uint8Array, Uint8Array>();
  const wire = new JoinedStreams(
    Readable.fromWeb(there.readable as Parameters<typeof Readable.fromWeb>[0]),
    Writable.fromWeb(back.writable as Parameters<typeof Writable.fromWeb>[0]),
  );
  return { duplex: webStreamDuplex({ readable: back.readable, writable: there.writable }, options), wire };
});

function bytesMaker(
  name: string,
  make: (options: MakerOptions) => { duplex: Duplex; wire: NodeDuplex },
): DuplexMaker {
  const openWire = async (options: MakerOptions = {}): Promise<OpenDuplex & { wire: NodeDuplex }> => {
    const { duplex, wire } = make(options);
    wire.on('error', () => {});
    return {
      duplex,
      wire,
      async dispose() {
        wire.destroy();
        await closeAll(duplex);
      },
    };
  };
  return {
    name,
    endedKind: 'eof',
    openWire,
    async openEcho(options) {
      const opened = await openWire(options);
      opened.wire.pipe(opened.wire);
      return opened;
    },
    openPair: (options) => pairOver(openWire, options),
  };
}

const child: DuplexMaker = {
  name: 'a child process',
  endedKind: 'exit',
  async openEcho({ exitFlushMs, ...options } = {}) {
    const duplex = spawnChild({
      ...options,
      ...(exitFlushMs !== undefined && { closeTimeoutMs: exitFlushMs }),
      command: process.execPath,
      args: [fixtureFile('echoing')],
    });
    return { duplex, dispose: () => closeAll(duplex) };
  },
  openPair: (options) => pairOver(openBridge, options),
  openWire: (options) => openBridge(options),
};

/** The child passes its stdio on to a socket of ours. */
async function openBridge(options: MakerOptions = {}): Promise<OpenDuplex & { wire: Socket }> {
  const { exitFlushMs, ...rest } = options;
  const folder = mkdtempSync(join(tmpdir(), 'linewire-bridge-'));
  const path = join(folder, 'socket');
  const { server, accepted } = await rawServer({ path });
  const duplex = spawnChild({
    ...rest,
    ...(exitFlushMs !== undefined && { closeTimeoutMs: exitFlushMs }),
    command: process.execPath,
    args: [fixtureFile('bridging'), path],
  });
  const wire = await accepted;
  return {
    duplex,
    wire,
    async dispose() {
      wire.destroy();
      await closeAll(duplex);
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Every kind of duplex, for suites that must hold over all of them. */
export const duplexMakers: readonly DuplexMaker[] = [memory, unix, tcp, nodeStreams, webStreams, child];

async function pairOver(
  openWire: (options?: MakerOptions) => Promise<OpenDuplex & { wire: NodeDuplex }>,
  options: MakerOptions = {},
): Promise<OpenDuplex & { peer: Duplex }> {
  const opened = await openWire(options);
  const peer = streamDuplex(opened.wire, options);
  return {
    duplex: opened.duplex,
    peer,
    async dispose() {
      await closeAll(peer);
      await opened.dispose();
    },
  };
}

async function rawServer(
  address: SocketAddress,
): Promise<{ server: Server; accepted: Promise<Socket>; at: SocketAddress }> {
  const server = createServer({ allowHalfOpen: true });
  const accepted = new Promise<Socket>((resolve) => {
    server.once('connection', (socket) => {
      socket.on('error', () => {});
      resolve(socket);
    });
  });
  await new Promise<void>((resolve) => {
    if ('path' in address) server.listen(address.path, resolve);
    else server.listen(address.port, '127.0.0.1', resolve);
  });
  const bound = server.address();
  const at = typeof bound === 'object' && bound !== null ? { port: bound.port } : address;
  return { server, accepted, at };
}

/** Sends every frame back, waits while the way back is full, and ends after the peer. */
function echo(duplex: Duplex): void {
  duplex.start({
    onFrames(batch) {
      for (let index = 0; index < batch.count; index++) {
        if (duplex.send(batch.text(index)) !== 0) continue;
        duplex.pause();
        return index;
      }
      return batch.count;
    },
    onDrain: () => duplex.resume(),
    onEnd: () => void duplex.close(),
  });
}

async function closeAll(...duplexes: Duplex[]): Promise<void> {
  await Promise.all(duplexes.map((duplex) => duplex.close()));
}
