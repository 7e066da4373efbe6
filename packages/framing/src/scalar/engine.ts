import type { FrameScanner, ScanEngine, ScanOptions } from '../engine/engine.ts';
import { NewlineScanner } from './newline-scanner.ts';
import { ScalarScanner } from './scanner.ts';

/** The reference engine: plain TypeScript, no requirements. */
export const scalarEngine: ScanEngine = {
  name: 'scalar',
  createScanner(options: ScanOptions): FrameScanner {
    return options.validate === 'none' ? new NewlineScanner(options) : new ScalarScanner(options);
  },
};
