import type { Readable, Writable } from 'node:stream';
import type { NoiseDiverter } from './guard-noise.ts';

/**
 * Puts own properties onto an object and returns the undoing. Own properties hide the prototype's methods from everybody but us, and
 * also from code that took its reference to `process.stdout` before the guard came.
 */
export function overlay(target: object, properties: Readonly<Record<string, unknown>>): () => void {
  const before = Object.keys(properties).map(
    (key) => [key, Object.getOwnPropertyDescriptor(target, key)] as const,
  );
  for (const [key, value] of Object.entries(properties)) {
    Object.defineProperty(target, key, { value, configurable: true, enumerable: false, writable: true });
  }
  return () => {
    for (const [key, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(target, key);
      else Object.defineProperty(target, key, descriptor);
    }
  };
}

/** Replaces a getter of `process` and returns the undoing. */
export function replaceGetter(name: 'stdin' | 'stdout', stream: Readable | Writable): () => void {
  const before = Object.getOwnPropertyDescriptor(process, name);
  Object.defineProperty(process, name, { configurable: true, enumerable: true, get: () => stream });
  return () => {
    if (before !== undefined) Object.defineProperty(process, name, before);
  };
}

/** What `process.stdin` is while the wire owns descriptor 0: a stream that has already ended. */
export function createEndedStdin(): Readable {
  const { Readable } = process.getBuiltinModule('node:stream');
  const stream = new Readable({
    read(): void {
      this.push(null);
    },
  });
  return Object.assign(stream, { fd: 0 });
}

/**
 * What `process.stdout` is while the wire owns descriptor 1: everything goes to the diverter, and nothing can end or break it.
 *
 * @param noiseFd where `fs.writeSync(process.stdout.fd)` and `stdio: [.., process.stdout]` of a child may write instead
 * @param forward set once the guard is released: whoever kept this stream (`console` does) then writes to the real stdout again.
 */
export function createStdoutGuard(
  diverter: NoiseDiverter,
  noiseFd: () => number,
  forward: () => Writable | undefined,
): Writable {
  const { Writable } = process.getBuiltinModule('node:stream');
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, encoding: BufferEncoding | 'buffer', done: () => void): void {
      const named = encoding === 'buffer' ? undefined : encoding;
      const real = forward();
      if (real === undefined) diverter.divert(chunk, named);
      else if (typeof chunk === 'string') real.write(chunk, named ?? 'utf8');
      else real.write(chunk);
      done();
    },
  });
  Object.defineProperty(stream, 'fd', { configurable: true, get: noiseFd });
  return Object.assign(stream, {
    _isStdio: true,
    end: endNothing,
    destroy: () => stream,
    destroySoon: () => stream,
  });
}

/** Stands in for `end` of a stdout: what comes with it is written, its callback is called, and the stream stays open. */
export function endNothing(this: Writable, ...args: unknown[]): Writable {
  const [chunk] = args;
  if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.write(chunk);
  const done = args.at(-1);
  if (typeof done === 'function') process.nextTick(() => done());
  return this;
}
