export { type ChildDuplex, type ChildOptions, spawnChild } from './child/child.ts';
export type { InheritEnv } from './child/child-env.ts';
export type {
  CloseReason,
  Duplex,
  DuplexHandlers,
  DuplexStats,
  FrameWriter,
  QueueOptions,
  ReadingOptions,
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
export { type LimitName, limits } from './limits.ts';
export { type MemoryPairOptions, memoryPair } from './memory/memory-pair.ts';
export { type OwnStdioDuplex, type OwnStdioOptions, openOwnStdio } from './own-stdio/own-stdio.ts';
export type { ReadingChoice } from './reading/capabilities.ts';
