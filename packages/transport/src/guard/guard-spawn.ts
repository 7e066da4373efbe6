import type { ChildProcess } from 'node:child_process';
import { overlay } from './guard-streams.ts';

type SpawnOptions = Record<string, unknown>;

/** Which descriptors of this process no child may get. */
export interface WireDescriptors {
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  /** Stderr leads into the wire: no child may write there either. */
  readonly stderrIsWire: boolean;
}

/**
 * Keeps the children of tools off the wire: what would inherit its input gets no stdin, what would inherit its output writes to stderr, or
 * nowhere when that is the wire too. Returns the undoing.
 *
 * Every asynchronous way (`spawn`, `fork`, `exec`, cluster) ends in `ChildProcess.prototype.spawn`, however it was imported. The three
 * synchronous ones have no such place; they are replaced on the module, and `syncBuiltinESMExports` carries that to
 * `import { execSync } from 'node:child_process'`. Out of reach: a CommonJS `const { execSync } = require(..)` that ran before the guard, and
 * worker threads, which have modules of their own.
 */
export function guardSpawns(wire: WireDescriptors): () => void {
  const children = process.getBuiltinModule('node:child_process');
  const { syncBuiltinESMExports } = process.getBuiltinModule('node:module');
  const prototype: object | undefined = children.ChildProcess?.prototype;
  const spawn: unknown = prototype === undefined ? undefined : Reflect.get(prototype, 'spawn');
  const undo: (() => void)[] = [];
  if (prototype !== undefined && typeof spawn === 'function') {
    undo.push(
      overlay(prototype, {
        spawn(this: ChildProcess, options: unknown): unknown {
          return Reflect.apply(spawn, this, [offTheWire(options, wire)]);
        },
      }),
    );
  }
  const sync = {
    spawnSync: children.spawnSync,
    execFileSync: children.execFileSync,
    execSync: children.execSync,
  };
  const replaced = Object.entries(sync).map(([name, original]) => [
    name,
    (...args: unknown[]): unknown =>
      Reflect.apply(
        original,
        children,
        args.map((argument) => offTheWire(argument, wire)),
      ),
  ]);
  undo.push(overlayExports(children, Object.fromEntries(replaced)));
  syncBuiltinESMExports();
  return () => {
    for (const step of undo) step();
    syncBuiltinESMExports();
  };
}

/** Like `overlay`, but as plain enumerable properties: a module's exports are listed by their keys. */
function overlayExports(module: object, replaced: Record<string, unknown>): () => void {
  const before = Object.keys(replaced).map((key) => [key, Reflect.get(module, key)] as const);
  for (const [key, value] of Object.entries(replaced)) Reflect.set(module, key, value);
  return () => {
    for (const [key, value] of before) Reflect.set(module, key, value);
  };
}

/** The same argument, with a `stdio` in it that leaves the wire alone. Anything but an options object passes as it is. */
function offTheWire(argument: unknown, wire: WireDescriptors): unknown {
  if (typeof argument !== 'object' || argument === null || Array.isArray(argument)) return argument;
  const { stdio } = argument as SpawnOptions;
  if (stdio === undefined || stdio === null) return argument;
  return { ...argument, stdio: divertedStdio(stdio, wire) };
}

/** Same length and order as the given `stdio`; only what leads into the wire changes. */
function divertedStdio(stdio: unknown, wire: WireDescriptors): unknown {
  const entries: unknown = stdio === 'inherit' ? [0, 1, 2] : stdio;
  if (!Array.isArray(entries)) return stdio;
  return Array.from(entries, (entry: unknown, index) => {
    const fd = entry === 'inherit' ? index : fdOf(entry);
    if (fd === undefined) return entry;
    if (wire.inputs.includes(fd)) return 'ignore';
    const isOutput = wire.outputs.includes(fd);
    if (wire.stderrIsWire) return isOutput || fd === 2 ? 'ignore' : entry;
    return isOutput ? 2 : entry;
  });
}

/** The descriptor that an entry of `stdio` names: by number, by a stream with an `fd`, or by a socket over one. */
function fdOf(entry: unknown): number | undefined {
  if (typeof entry === 'number') return entry;
  if (typeof entry !== 'object' || entry === null) return undefined;
  const own: unknown = Reflect.get(entry, 'fd');
  if (typeof own === 'number') return own;
  const handle: unknown = Reflect.get(entry, '_handle');
  return typeof handle === 'object' && handle !== null ? fdOf(handle) : undefined;
}
