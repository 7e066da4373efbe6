import { createFrameReader } from '@linewire/framing';

export interface ModuleJob {
  readonly kind: 'module';
}

export interface ModuleOutcome {
  /** Size of every module that the first reader had compiled, together. */
  readonly moduleBytes: number;
}

/** The part of the global that Node's types leave out. */
interface CompilerHolder {
  WebAssembly: { Module: new (bytes: Uint8Array) => object };
}

/**
 * Watches what the built package hands to the compiler: the size that counts, however it is embedded.
 *
 * @throws Error when nothing is compiled, as for a second reader
 */
export function runModuleJob(): ModuleOutcome {
  const { WebAssembly } = globalThis as unknown as CompilerHolder;
  const { Module } = WebAssembly;
  let moduleBytes = 0;
  WebAssembly.Module = new Proxy(Module, {
    construct(target, [bytes]: [Uint8Array]) {
      moduleBytes += bytes.byteLength;
      return new target(bytes);
    },
  });
  try {
    createFrameReader({ engine: 'wasm', onFrames() {} }).push(new Uint8Array([10]));
  } finally {
    WebAssembly.Module = Module;
  }
  if (moduleBytes === 0) throw new Error('the wasm engine had no module compiled');
  return { moduleBytes };
}
