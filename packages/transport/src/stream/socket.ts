import type { Server, Socket, SocketConstructorOpts } from 'node:net';
import type { Duplex } from '../duplex.ts';
import { TransportError } from '../errors.ts';
import { readWay } from '../reading/capabilities.ts';
import { OnreadSource } from './onread-source.ts';
import { NodeStreamDuplex } from './stream-duplex.ts';
import type { StreamOptions } from './stream-options.ts';

/** A Unix socket (or, on Windows, a named pipe), or a TCP port; `host` defaults to the loopback address 127.0.0.1. */
export type SocketAddress = { readonly path: string } | { readonly port: number; readonly host?: string };

/**
 * Connects to a socket. The duplex is there at once: frames may be sent before the connection stands and wait in its outbox.
 * Its end of the connection stays open when the peer has ended its own, until `end()` or `close()`.
 *
 * A connection that cannot be made ends the duplex: `closed` gives kind `error` with `CONNECT_FAILED`. There is no limit on the time it
 * takes but the system's: pass `signal: AbortSignal.timeout(…)` for one. A reset by the peer is kind `peer-closed`.
 *
 * @example
 * ```ts
 * const duplex = connectSocket({ path: '/run/server.sock' });
 * duplex.start({ onFrames: (batch) => console.log(batch.text(0)) });
 * duplex.send('{"jsonrpc":"2.0","id":1,"method":"ping"}');
 * ```
 *
 * @throws TransportError `OPTION_INVALID` for an address that is none; `OPTION_RANGE`. FramingError for the reader's options.
 */
export function connectSocket(address: SocketAddress, options: StreamOptions = {}): Duplex {
  const name = nameOf(address);
  const { Socket } = process.getBuiltinModule('node:net');
  const source = readWay('socket') === 'onread' ? new OnreadSource() : undefined;
  const socketOptions: SocketConstructorOpts = {
    allowHalfOpen: true,
    ...(source && { onread: source.onread }),
  };
  const socket = new Socket(socketOptions);
  source?.attach(socket);
  const duplex = new ConnectingDuplex(socket, options, name, source);
  if ('path' in address) socket.connect(address.path);
  else socket.connect(address.port, address.host ?? LOOPBACK);
  return duplex;
}

/**
 * A duplex over a socket that other code has made and connected, read by its `'data'` events. It owns the socket from this call on. The socket
 * should not have been read yet: what others took is gone.
 *
 * @throws as `streamDuplex`
 */
export function socketDuplex(socket: Socket, options: StreamOptions = {}): Duplex {
  return new NodeStreamDuplex(socket, socket, options, 'socket');
}

/** A socket that waits for connections. */
export interface SocketListener {
  /** Where it listens: the port is the real one when 0 was asked for. */
  readonly address: SocketAddress;
  /** Takes no more connections and closes the duplexes that are open. Settles when all of them are closed. */
  close(): Promise<void>;
}

/**
 * Waits for connections; each one is a duplex that nobody has started yet, so nothing of it is read before `start()`.
 * A socket file that is there already is not replaced.
 *
 * @returns when it listens; rejects with a TransportError `LISTEN_FAILED` (address in use, no permission …) or `OPTION_INVALID`
 */
export async function listenSocket(
  address: SocketAddress,
  onDuplex: (duplex: Duplex) => void,
  options: StreamOptions = {},
): Promise<SocketListener> {
  const name = nameOf(address);
  const { createServer } = process.getBuiltinModule('node:net');
  const open = new Set<Duplex>();
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    const duplex = socketDuplex(socket, options);
    open.add(duplex);
    void duplex.closed.then(() => open.delete(duplex));
    onDuplex(duplex);
  });
  await listening(server, address, name);
  return {
    address: addressOf(server, address),
    async close(): Promise<void> {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all([...open].map((duplex) => duplex.close()));
      await closed;
    },
  };
}

const LOOPBACK = '127.0.0.1';

function nameOf(address: SocketAddress): string {
  if ('path' in address && typeof address.path === 'string' && address.path !== '')
    return `socket ${address.path}`;
  if ('port' in address && Number.isInteger(address.port) && address.port >= 0 && address.port <= 65_535)
    return `socket ${address.host ?? LOOPBACK}:${address.port}`;
  throw new TransportError(
    'OPTION_INVALID',
    'a socket address is { path } with a path that is not empty, or { port, host? } with a port from 0 to 65,535',
  );
}

function listening(server: Server, address: SocketAddress, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new TransportError('LISTEN_FAILED', `cannot listen at ${name}: ${cause.message}`, { cause }));
    });
    const isListening = (): void => {
      // A connection that could not be taken (too many descriptors) must not end the process; the next may fare better.
      server.on('error', () => {});
      resolve();
    };
    if ('path' in address) server.listen(address.path, isListening);
    else server.listen(address.port, address.host ?? LOOPBACK, isListening);
  });
}

function addressOf(server: Server, asked: SocketAddress): SocketAddress {
  const actual = server.address();
  return typeof actual === 'object' && actual !== null ? { host: actual.address, port: actual.port } : asked;
}

class ConnectingDuplex extends NodeStreamDuplex {
  readonly #socket: Socket;
  #isConnected = false;

  constructor(socket: Socket, options: StreamOptions, name: string, source: OnreadSource | undefined) {
    super(socket, socket, options, name, source);
    this.#socket = socket;
    socket.once('connect', () => {
      this.#isConnected = true;
    });
  }

  override inputFailed(error: Error): void {
    if (this.#isConnected) super.inputFailed(error);
    else this.settle(this.#connectFailure(error));
  }

  override failed(error: Error): void {
    if (this.#isConnected) super.failed(error);
    else this.settle(this.#connectFailure(error));
  }

  #connectFailure(cause: Error): { kind: 'error'; error: TransportError } {
    this.#socket.destroy();
    const message = `cannot connect to ${this.describe()}: ${cause.message}`;
    return { kind: 'error', error: new TransportError('CONNECT_FAILED', message, { cause }) };
  }
}
