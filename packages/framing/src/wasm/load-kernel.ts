import { FramingError } from '../errors.ts';
import { moduleText } from './module-text.ts';

/** What the loader asks of a runtime, all of it optional. */
interface Runtime {
  readonly WebAssembly?: typeof WebAssembly;
  readonly Buffer?: { from(text: string, encoding: 'base64'): Uint8Array<ArrayBuffer> };
}

/** Newer than the language level that the sources are checked against. */
interface Base64Decoder {
  fromBase64?(text: string): Uint8Array<ArrayBuffer>;
}

/**
 * The smallest module that needs SIMD-128: one function that splats a byte over a vector and tests it. A runtime validates it without
 * compiling anything, so the answer is the same where compiling is forbidden.
 */
const SIMD_PROBE = [
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00], // magic, version
  ...[0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7f], // type 0: () => i32
  ...[0x03, 0x02, 0x01, 0x00], // function 0 is of type 0
  ...[0x0a, 0x0a, 0x01, 0x08, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0xfd, 0x63, 0x0b], // i32.const 0, i8x16.splat, i8x16.all_true
];

/**
 * An instance of the kernel and the memory that it works in. In types that need no DOM, where those of WebAssembly stand: whoever
 * reads these declarations may not have them.
 */
export interface OpenKernel {
  readonly exports: object;
  readonly memory: { readonly buffer: ArrayBuffer };
}

let compiled: WebAssembly.Module | undefined;

/**
 * The kernel, compiled at the first call: once per thread, since every thread has its own copy of this module.
 *
 * @throws FramingError `ENGINE_UNAVAILABLE` whose message says why, in words for people
 */
export function kernelModule(): object {
  compiled ??= compileKernel();
  return compiled;
}

/**
 * A fresh instance with memory of its own, of a size that never changes: growing would detach every view of it.
 *
 * @param memoryPages size in pages of 64 KiB. The address space that a runtime reserves is far larger: about 10 GiB in Node 20.
 * @throws FramingError `ENGINE_UNAVAILABLE` as `kernelModule` does, and when there is not enough memory
 */
export function openKernel(memoryPages: number): OpenKernel {
  const module = kernelModule() as WebAssembly.Module;
  let memory: WebAssembly.Memory;
  try {
    memory = new WebAssembly.Memory({ initial: memoryPages, maximum: memoryPages });
  } catch (cause) {
    throw unavailable(
      `there is not enough memory or address space for WebAssembly (${messageOf(cause)})`,
      cause,
    );
  }
  try {
    return { exports: new WebAssembly.Instance(module, { env: { memory } }).exports, memory };
  } catch (cause) {
    throw unavailable(`WebAssembly could not be started (${messageOf(cause)})`, cause);
  }
}

function compileKernel(): WebAssembly.Module {
  const { WebAssembly: wasm } = globalThis as Runtime;
  if (wasm === undefined) throw unavailable('this runtime has no WebAssembly');
  if (!wasm.validate(new Uint8Array(SIMD_PROBE))) {
    throw unavailable('the WebAssembly of this runtime or processor has no SIMD instructions');
  }
  const bytes = decodeBase64(moduleText);
  try {
    return new wasm.Module(bytes);
  } catch (cause) {
    // The module is valid wherever the probe is. What is left is a policy, such as a Content-Security-Policy without
    // 'wasm-unsafe-eval', or too little memory; the runtime's own words say which.
    throw unavailable(`this runtime refuses to compile WebAssembly (${messageOf(cause)})`, cause);
  }
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const { Buffer } = globalThis as Runtime;
  if (Buffer !== undefined) return Buffer.from(text, 'base64');
  const { fromBase64 } = Uint8Array as Base64Decoder;
  if (fromBase64 !== undefined) return fromBase64.call(Uint8Array, text);
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function unavailable(reason: string, cause?: unknown): FramingError {
  return new FramingError('ENGINE_UNAVAILABLE', reason, cause === undefined ? {} : { cause });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
