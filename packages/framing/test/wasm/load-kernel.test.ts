import { describe, expect, it, vi } from 'vitest';

const pages = 2;
const maxModuleBytes = 16 * 1024;

/** What the tests put in the place of `WebAssembly`, or take from it. */
interface WebAssemblyLike {
  validate(bytes: Uint8Array): boolean;
  Module: (new (bytes: Uint8Array) => object) & { imports(module: object): readonly object[] };
  Memory: new (size: object) => { readonly buffer: ArrayBuffer };
  Instance: new (module: object, imports: object) => object;
}

interface Growable {
  grow(pages: number): number;
}

/** The tests take the global one away. */
const NodeBuffer = Buffer;

const real = (globalThis as unknown as { WebAssembly: WebAssemblyLike }).WebAssembly;

/** The loader as a fresh thread has it, with nothing compiled yet. */
async function freshLoader(): Promise<typeof import('../../src/wasm/load-kernel.ts')> {
  vi.resetModules();
  return import('../../src/wasm/load-kernel.ts');
}

/** A `WebAssembly` that differs in some parts. */
function stubWebAssembly(parts: Partial<WebAssemblyLike>): void {
  const { validate, Module, Memory, Instance } = real;
  vi.stubGlobal('WebAssembly', { validate, Module, Memory, Instance, ...parts });
}

/** A constructor that throws. */
function throwing(error: Error): never {
  return function refuse() {
    throw error;
  } as never;
}

/** Why a fresh loader cannot open the kernel. */
async function openError(): Promise<unknown> {
  const { openKernel } = await freshLoader();
  try {
    openKernel(pages);
  } catch (error) {
    return error;
  }
  throw new Error('the kernel could be opened');
}

describe('the kernel', () => {
  it(`is a module of at most ${maxModuleBytes} bytes`, async () => {
    const { moduleText } = await import('../../src/wasm/module-text.ts');
    expect(Buffer.from(moduleText, 'base64').length).toBeLessThanOrEqual(maxModuleBytes);
  });

  it('imports its memory and nothing else', async () => {
    const { kernelModule } = await freshLoader();
    expect(real.Module.imports(kernelModule())).toEqual([{ module: 'env', name: 'memory', kind: 'memory' }]);
  });

  it('is compiled at the first call and never again; every instance has its own memory, of the given size', async () => {
    const Module = vi.fn(function compile(bytes: Uint8Array) {
      return new real.Module(bytes);
    });
    stubWebAssembly({ Module: Module as never });
    const { kernelModule, openKernel } = await freshLoader();
    expect(Module).not.toHaveBeenCalled();
    const [one, other] = [openKernel(pages), openKernel(pages)];
    expect(kernelModule()).toBe(kernelModule());
    expect(Module).toHaveBeenCalledTimes(1);
    expect(one.memory.buffer).not.toBe(other.memory.buffer);
    expect(one.memory.buffer.byteLength).toBe(pages * 64 * 1024);
    expect(() => (one.memory as unknown as Growable).grow(1)).toThrow(RangeError);
  });

  it.each([
    ['Uint8Array.fromBase64', (text: string) => new Uint8Array(NodeBuffer.from(text, 'base64'))],
    ['atob', undefined],
  ])('is decoded without a Buffer, by %s', async (_name, fromBase64) => {
    const compiled: Uint8Array[] = [];
    stubWebAssembly({
      Module: function compile(bytes: Uint8Array) {
        compiled.push(bytes);
        return new real.Module(bytes);
      } as never,
    });
    const { moduleText } = await import('../../src/wasm/module-text.ts');
    const { kernelModule } = await freshLoader();
    vi.stubGlobal('Buffer', undefined);
    stubFromBase64(fromBase64);
    try {
      kernelModule();
    } finally {
      vi.unstubAllGlobals();
      stubFromBase64(nativeFromBase64);
    }
    expect(compiled).toEqual([new Uint8Array(NodeBuffer.from(moduleText, 'base64'))]);
  });
});

const nativeFromBase64 = (Uint8Array as { fromBase64?: (text: string) => Uint8Array }).fromBase64;

/** Not a global, so vitest's stubs do not reach it; Node 20 has none. */
function stubFromBase64(fromBase64: ((text: string) => Uint8Array) | undefined): void {
  Object.defineProperty(Uint8Array, 'fromBase64', { value: fromBase64, configurable: true, writable: true });
}

describe('what stands in the way of the kernel is ENGINE_UNAVAILABLE, in words for people', () => {
  it('no WebAssembly', async () => {
    vi.stubGlobal('WebAssembly', undefined);
    expect(await openError()).toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      message: 'this runtime has no WebAssembly',
    });
  });

  it('no SIMD', async () => {
    stubWebAssembly({ validate: () => false });
    expect(await openError()).toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      message: 'the WebAssembly of this runtime or processor has no SIMD instructions',
    });
  });

  it('a refusal, with what the runtime says about it', async () => {
    const refusal = new EvalError("call to WebAssembly.Module() blocked by CSP's script-src");
    stubWebAssembly({ Module: throwing(refusal) });
    expect(await openError()).toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      message: `this runtime refuses to compile WebAssembly (${refusal.message})`,
      cause: refusal,
    });
  });

  it('no memory', async () => {
    const refusal = new RangeError('could not allocate memory');
    stubWebAssembly({ Memory: throwing(refusal) });
    expect(await openError()).toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      message: 'there is not enough memory or address space for WebAssembly (could not allocate memory)',
      cause: refusal,
    });
  });

  it('no room for an instance', async () => {
    const refusal = new RangeError('out of code space');
    stubWebAssembly({ Instance: throwing(refusal) });
    expect(await openError()).toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      message: 'WebAssembly could not be started (out of code space)',
      cause: refusal,
    });
  });
});
