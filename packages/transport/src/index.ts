export { type ChildDuplex, spawnChild } from './child/child.ts';
export type { InheritEnv, VariableOrigin } from './child/child-env.ts';
export type { ChildOptions, SpawnOptions } from './child/child-options.ts';
export type { StderrUse } from './child/child-stderr.ts';
export { type DescribedVariable, describeSpawn, type SpawnDescription } from './child/describe-spawn.ts';
export type { ChildGroup } from './child/process-group.ts';
export { type WindowsKillPlan, windowsKillPlan } from './child/windows-kill-plan.ts';
export {
  type WindowsSpawnOptions,
  type WindowsSpawnPlan,
  windowsSpawnPlan,
} from './child/windows-spawn-plan.ts';
export { type GateOwner, RequestGate } from './credit/request-gate.ts';
export type {
  CloseReason,
  Duplex,
  DuplexHandlers,
  DuplexStats,
  FrameWriter,
  Lane,
  ParkedRequests,
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
export { launcherForm } from './guard/launcher.ts';
export type { Clock } from './keeper/clock.ts';
export { keepChild } from './keeper/keeper.ts';
export type {
  ChildEnd,
  ChildKeeper,
  KeeperEnd,
  KeeperOptions,
  KeeperState,
  KeeperStatus,
  NextStep,
  OpenBreaker,
  RestartMode,
} from './keeper/keeper-contract.ts';
export type { RestartOptions } from './keeper/restart-policy.ts';
export { type LimitName, limits } from './limits.ts';
export { type MemoryPairOptions, memoryPair } from './memory/memory-pair.ts';
export type { CloseMessage, FrameMessage, ObservedDuplex, QueueMessage } from './observe/channels.ts';
export { type OwnStdioDuplex, type OwnStdioOptions, openOwnStdio } from './own-stdio/own-stdio.ts';
export type { ReadingChoice } from './reading/capabilities.ts';
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
