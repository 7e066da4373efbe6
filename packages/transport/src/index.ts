export { type ChildDuplex, type ChildOptions, spawnChild } from './child/child.ts';
export type { InheritEnv } from './child/child-env.ts';
export type {
  CloseReason,
  Duplex,
  DuplexHandlers,
  DuplexStats,
  FrameWriter,
  Lane,
  QueueOptions,
  ReadingOptions,
  SendOptions,
  SendOutcome,
  Ticket,
} from './duplex.ts';
export {
  isTransportError,
  TRANSPORT_CODES,
  type TransportCode,
  TransportError,
  type TransportErrorDetails,
} from './errors.ts';
export { type GuardLevel, guardLevel, guardStdout, type StdoutGuard } from './guard/guard.ts';
export type { GuardNoise } from './guard/guard-noise.ts';
export { type LimitName, limits } from './limits.ts';
export { type MemoryPairOptions, memoryPair } from './memory/memory-pair.ts';
export type { CloseMessage, FrameMessage, ObservedDuplex, QueueMessage } from './observe/channels.ts';
export { type OwnStdioDuplex, type OwnStdioOptions, openOwnStdio } from './own-stdio/own-stdio.ts';
export type { FrameObserver } from './relay/byte-transit.ts';
export { childEnd, descriptorEnd, stdioEnd, streamEnd } from './relay/ends.ts';
export type {
  Relay,
  RelayDirectionStats,
  RelayOptions,
  RelayReason,
  RelaySide,
} from './relay/relay.ts';
export { type ByteRelay, type RelayBytesOptions, relayBytes } from './relay/relay-bytes.ts';
export type { RelayDescriptors, RelayEnd, RelayEndExit, RelayStreams } from './relay/relay-end.ts';
export {
  type FrameDirectionStats,
  type FrameRelay,
  type RelayFilter,
  relayFrames,
} from './relay/relay-frames.ts';
export {
  connectSocket,
  listenSocket,
  type SocketAddress,
  type SocketListener,
  socketDuplex,
} from './stream/socket.ts';
export { streamDuplex } from './stream/stream-duplex.ts';
export type { StreamOptions } from './stream/stream-options.ts';
export { toWebStreams, type WebFrameStreams } from './stream/to-web-streams.ts';
export { type WebStreamPair, webStreamDuplex } from './stream/web-stream-duplex.ts';
