import type { ChildProcess } from 'node:child_process';
import { overlay } from './guard-streams.ts';

type SpawnOptions = Record<string, unknown>;

/**
 * Keeps the children of tools off the wire: what would inherit descriptor 0 gets no stdin, what would inherit descriptor 1 writes to
 * stderr. Returns the undoing.
 *
 * Every asynchronous way (`spawn`, `fork`, `exec`, cluster) ends in `ChildProcess.prototype.spawn`, however it was imported. The three
 * synchronous ones have no such place; they are replaced on the module, and `syncBuiltinESMExports` carries that to
 * `import { execSync } from 'node:child_process'`. Out of reach: a CommonJS `const { execSync } = require(..)` that ran before the guard.
 */
export function guardSpawns(): () => void {
  const children = process.getBuiltinModule('node:child_process');
  const { syncBuiltinESMExports } = process.getBuiltinModule('node:module');
  const prototype: object | undefined = children.ChildProcess?.prototype;
  const spawn: unknown = prototype === undefined ? undefined : Reflect.get(prototype, 'spawn');
  const undo: (() => void)[] = [];
  if (prototype !== undefined && typeof spawn === 'function') {
    undo.push(
      overlay(prototype, {
        spawn(this: ChildProcess, options: unknown): unknown {
          return Reflect.apply(spawn, this, [offTheWire(options)]);
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
    (...args: unknown[]): unknown => Reflect.apply(original, children, args.map(offTheWire)),
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
function offTheWire(argument: unknown): unknown {
  if (typeof argument !== 'object' || argument === null || Array.isArray(argument)) return argument;
  const { stdio } = argument as SpawnOptions;
  if (stdio === undefined || stdio === null) return argument;
  return { ...argument, stdio: divertedStdio(stdio) };
}

/** Same length and order as the given `stdio`; only what points at descriptors 0 and 1 changes. */
function divertedStdio(stdio: unknown): unknown {
  if (stdio === 'inherit') return ['ignore', 2, 2];
  if (!Array.isArray(stdio)) return stdio;
  return Array.from(stdio, (entry: unknown, index) => {
    const fd = entry === 'inherit' ? index : fdOf(entry);
    if (fd === 0) return 'ignore';
    return fd === 1 ? 2 : entry;
  });
}

function fdOf(entry: unknown): number | undefined {
  if (typeof entry === 'number') return entry;
  if (typeof entry !== 'object' || entry === null) return undefined;
  const fd: unknown = Reflect.get(entry, 'fd');
  return typeof fd === 'number' ? fd : undefined;
}
