import type { AreaSize, ScanArea, ScanEngine } from './engine/engine.ts';
import { environmentVariable } from './environment.ts';
import { FramingError } from './errors.ts';
import { limits } from './limits.ts';
import { scalarEngine } from './scalar/engine.ts';
import { wasmEngine } from './wasm/engine.ts';

/** Which engine to scan with. `auto` takes the fastest that works here. */
export type EngineChoice = 'auto' | 'scalar' | 'wasm';

const CHOICES: readonly string[] = ['auto', 'scalar', 'wasm'];

/** The engine that `auto` means in this thread, and why. */
export interface ActiveEngine {
  readonly name: 'scalar' | 'wasm';
  readonly reason: string;
}

/** What most readers will ask for. */
const STANDARD_AREA: AreaSize = {
  windowBytes: limits.windowBytes.default,
  maxDepth: limits.maxDepth.default,
  maxIdBytes: limits.maxIdBytes.default,
};

/** Why the wasm engine does not work in this thread, `true` when it does, undefined before anybody has asked. */
let wasmWorks: true | { readonly reason: string; readonly cause: unknown } | undefined;

/** The area that was opened to see whether one can be opened: the first reader gets it, since each takes gigabytes of address space. */
let spareArea: ScanArea | undefined;

/** The wasm engine, with the spare area handed out first. */
const thriftyWasmEngine: ScanEngine = {
  name: wasmEngine.name,
  openArea(size: AreaSize): ScanArea {
    const area = spareArea;
    if (area === undefined || !fitsStandard(size)) return wasmEngine.openArea(size);
    spareArea = undefined;
    return area;
  },
  createScanner: (options) => wasmEngine.createScanner(options),
};

/**
 * Says which engine readers get by default in this thread. The environment variable `LINEWIRE_ENGINE` (`auto`, `scalar`, `wasm`)
 * overrides the choice.
 *
 * @throws FramingError `OPTION_INVALID`, `ENGINE_UNAVAILABLE` when the variable asks for what does not exist here
 */
export function activeEngine(): ActiveEngine {
  const wanted = resolveChoice('auto');
  const { name } = engineFor(wanted);
  if (wanted !== 'auto') return { name, reason: `LINEWIRE_ENGINE=${wanted}` };
  const works = probeWasm();
  return { name, reason: works === true ? 'WebAssembly with SIMD works here' : works.reason };
}

/**
 * The engine for a choice. The first call that does not ask for scalar tries WebAssembly out; its finding holds for this thread.
 *
 * @throws FramingError `OPTION_INVALID` for a name that does not exist, `ENGINE_UNAVAILABLE` for an engine that does not work here
 */
export function selectEngine(choice: EngineChoice | undefined): ScanEngine {
  return engineFor(resolveChoice(choice));
}

function resolveChoice(choice: EngineChoice | undefined): EngineChoice {
  const wanted =
    choice === undefined || choice === 'auto' ? environmentVariable('LINEWIRE_ENGINE') || 'auto' : choice;
  if (isChoice(wanted)) return wanted;
  throw new FramingError('OPTION_INVALID', `engine must be one of ${CHOICES.join(', ')}, not ${wanted}`);
}

function isChoice(name: string): name is EngineChoice {
  return CHOICES.includes(name);
}

function engineFor(wanted: EngineChoice): ScanEngine {
  if (wanted === 'scalar') return scalarEngine;
  const works = probeWasm();
  if (works === true) return thriftyWasmEngine;
  if (wanted === 'auto') return scalarEngine;
  const { reason, cause } = works;
  throw new FramingError('ENGINE_UNAVAILABLE', `the wasm engine does not work here: ${reason}`, { cause });
}

function probeWasm(): NonNullable<typeof wasmWorks> {
  if (wasmWorks === undefined) {
    try {
      spareArea = wasmEngine.openArea(STANDARD_AREA);
      wasmWorks = true;
    } catch (cause) {
      wasmWorks = { reason: cause instanceof Error ? cause.message : String(cause), cause };
    }
  }
  return wasmWorks;
}

function fitsStandard({ windowBytes, maxDepth, maxIdBytes }: AreaSize): boolean {
  return (
    windowBytes === STANDARD_AREA.windowBytes &&
    maxDepth <= STANDARD_AREA.maxDepth &&
    maxIdBytes <= STANDARD_AREA.maxIdBytes
  );
}
