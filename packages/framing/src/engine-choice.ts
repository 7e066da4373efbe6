import type { ScanEngine } from './engine/engine.ts';
import { FramingError } from './errors.ts';
import { scalarEngine } from './scalar/engine.ts';

/** Which engine to scan with. `auto` takes the fastest that works here. */
export type EngineChoice = 'auto' | 'scalar' | 'wasm';

const CHOICES: readonly string[] = ['auto', 'scalar', 'wasm'];

/** The engine that `auto` means in this process, and why. */
export interface ActiveEngine {
  readonly name: 'scalar' | 'wasm';
  readonly reason: string;
}

interface ProcessLike {
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const environment = (globalThis as { process?: ProcessLike }).process?.env ?? {};

/** Says which engine readers get by default. The environment variable `LINEWIRE_ENGINE` (`auto`, `scalar`, `wasm`) overrides the choice. */
export function activeEngine(): ActiveEngine {
  const switched = environment['LINEWIRE_ENGINE'];
  const { name } = selectEngine('auto');
  if (switched !== undefined && switched !== 'auto') return { name, reason: `LINEWIRE_ENGINE=${switched}` };
  return { name, reason: 'the scalar engine is the only one in this version' };
}

/**
 * The engine for a choice.
 *
 * @throws FramingError `OPTION_INVALID` for a name that does not exist, `ENGINE_UNAVAILABLE` for an engine that is not there.
 */
export function selectEngine(choice: EngineChoice | undefined): ScanEngine {
  const wanted =
    choice === undefined || choice === 'auto' ? (environment['LINEWIRE_ENGINE'] ?? 'auto') : choice;
  if (!CHOICES.includes(wanted)) {
    throw new FramingError('OPTION_INVALID', `engine must be one of ${CHOICES.join(', ')}, not ${wanted}`);
  }
  if (wanted === 'wasm') {
    throw new FramingError(
      'ENGINE_UNAVAILABLE',
      'the wasm engine does not exist in this version: use engine auto or scalar',
    );
  }
  return scalarEngine;
}
