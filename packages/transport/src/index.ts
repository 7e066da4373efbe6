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
export { launcherForm } from './guard/launcher.ts';
export { type LimitName, limits } from './limits.ts';
export { type MemoryPairOptions, memoryPair } from './memory/memory-pair.ts';
export { type OwnStdioDuplex, type OwnStdioOptions, openOwnStdio } from './own-stdio/own-stdio.ts';
export type { ReadingChoice } from './reading/capabilities.ts';
