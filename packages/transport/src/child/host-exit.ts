import type { ProcessGroup } from './process-group.ts';

/** Signals that end a process by default, and that people and supervisors send. */
const FATAL_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
type FatalSignal = (typeof FATAL_SIGNALS)[number];

/** Children that live, and whether the orphan guard watches them. */
const living = new Map<ProcessGroup, boolean>();
let unguardedCount = 0;
/** Our own signal listeners that are in force. */
const listening = new Set<FatalSignal>();

/**
 * Ends a child with this process, from now until `disown`: when it exits, when an exception ends it, and when SIGTERM, SIGINT or SIGHUP
 * does. One hook for all children.
 *
 * A signal still does what it would have done. We listen to one only while nobody else does, end the children and send it again without
 * a listener, so that the process dies of it, with its true status; whoever listens himself decides himself, and the exit hook sees to the
 * rest. Cost: a process that is busy in one long synchronous run dies of the signal at the end of it. Guarded children need no listener.
 */
export function own(group: ProcessGroup, isGuarded: boolean): void {
  if (living.size === 0) process.on('exit', endAll);
  living.set(group, isGuarded);
  if (!isGuarded && ++unguardedCount === 1) beginListening();
}

export function disown(group: ProcessGroup): void {
  const isGuarded = living.get(group);
  if (isGuarded === undefined) return;
  living.delete(group);
  if (!isGuarded && --unguardedCount === 0) stopListening();
  if (living.size === 0) process.off('exit', endAll);
}

/** There is no time to wait any more, so there is nothing to ask for. */
function endAll(): void {
  for (const group of living.keys()) group.signal('SIGKILL');
}

function beginListening(): void {
  // In front of Node's own hook, which opens the system's side of a signal for its first listener: it must find that we have left.
  const emitter: NodeJS.EventEmitter = process;
  emitter.prependListener('newListener', onListenerAdded);
  process.on('removeListener', onListenerRemoved);
  for (const signal of FATAL_SIGNALS) listenIfAlone(signal);
}

function stopListening(): void {
  process.off('removeListener', onListenerRemoved);
  process.off('newListener', onListenerAdded);
  for (const signal of listening) process.off(signal, dieOf);
  listening.clear();
}

function listenIfAlone(signal: FatalSignal): void {
  if (listening.has(signal) || process.listenerCount(signal) > 0) return;
  listening.add(signal);
  process.on(signal, dieOf);
}

function unlisten(signal: FatalSignal): void {
  if (listening.delete(signal)) process.off(signal, dieOf);
}

/** Somebody else will decide: many (such as `signal-exit`) look whether they are alone, so we must not even be there. */
function onListenerAdded(name: string | symbol, listener: unknown): void {
  if (isFatal(name) && listener !== dieOf) unlisten(name);
}

function onListenerRemoved(name: string | symbol, listener: unknown): void {
  if (!isFatal(name)) return;
  if (listener === dieOf) listening.delete(name);
  else listenIfAlone(name);
}

function isFatal(name: string | symbol): name is FatalSignal {
  return FATAL_SIGNALS.some((signal) => signal === name);
}

function dieOf(signal: NodeJS.Signals): void {
  endAll();
  stopListening();
  process.kill(process.pid, signal);
}
