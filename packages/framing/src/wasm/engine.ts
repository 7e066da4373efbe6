import type { AreaSize, FrameScanner, ScanArea, ScanEngine, ScanOptions } from '../engine/engine.ts';
import { FramingError } from '../errors.ts';

/** Stands in for the engine until its scanner is here. */
export const wasmEngine: ScanEngine = {
  name: 'wasm',
  openArea(_size: AreaSize): ScanArea {
    throw unfinished();
  },
  createScanner(_options: ScanOptions): FrameScanner {
    throw unfinished();
  },
};

function unfinished(): FramingError {
  return new FramingError('ENGINE_UNAVAILABLE', 'the wasm engine does not exist in this version');
}
