import { type AreaPool, areasFor, STANDARD_AREA } from './engine/areas.ts';
import type { AreaSize, ScanEngine } from './engine/engine.ts';
import { environmentVariable } from './environment.ts';
import { FramingError } from './errors.ts';
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

/** Whether the wasm engine works in this thread, or why it does not; undefined before anybody has asked. */
let wasmState: { readonly works: true } | { readonly works: false; readonly cause: unknown } | undefined;

/**
 * Says which engine readers get by default in this thread. The environment variable `LINEWIRE_ENGINE` (`auto`, `scalar`, `wasm`)
 * takes the place of `auto`.
 *
 * @throws FramingError `OPTION_INVALID`, `ENGINE_UNAVAILABLE` when the variable asks for what does not exist here
 */
export function activeEngine(): ActiveEngine {
  const wanted = resolveChoice('auto');
  const { name } = engineFor(wanted);
  if (wanted !== 'auto') return { name, reason: `LINEWIRE_ENGINE=${wanted}` };
  const state = probeWasm();
  return { name, reason: state.works ? 'WebAssembly with SIMD works here' : messageOf(state.cause) };
}

/**
 * Where a reader of this size works, with the engine of its choice. The first call that does not ask for scalar tries WebAssembly out; its
 * finding holds for this thread. A reader that needs an area of its own gets it at once, so that `auto` can fall back when there is no
 * memory for it.
 *
 * @throws FramingError `OPTION_INVALID` for a name that does not exist, `ENGINE_UNAVAILABLE` for an engine that does not work here;
 *   RangeError when there is no memory for a scalar area
 */
export function selectAreas(choice: EngineChoice | undefined, size: AreaSize): AreaPool {
  const wanted = resolveChoice(choice);
  const areas = areasFor(engineFor(wanted), size);
  if (areas.isShared) return areas;
  try {
    areas.idle();
    return areas;
  } catch (error) {
    if (wanted === 'auto' && areas.engine !== scalarEngine) return areasFor(scalarEngine, size);
    throw error;
  }
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
  const state = probeWasm();
  if (state.works) return wasmEngine;
  if (wanted === 'auto') return scalarEngine;
  const { cause } = state;
  throw new FramingError('ENGINE_UNAVAILABLE', `the wasm engine does not work here: ${messageOf(cause)}`, {
    cause,
  });
}

/** Opens the area that the readers of this thread will work in: nothing less tells whether there is room for one. */
function probeWasm(): NonNullable<typeof wasmState> {
  if (wasmState === undefined) {
    try {
      areasFor(wasmEngine, STANDARD_AREA).idle();
      wasmState = { works: true };
    } catch (cause) {
      wasmState = { works: false, cause };
    }
  }
  return wasmState;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
