import type { AreaSize, FrameScanner, ScanArea, ScanEngine, ScanOptions } from '../engine/engine.ts';
import { ScalarArea } from './area.ts';
import { NewlineScanner } from './newline-scanner.ts';
import { ScalarScanner } from './scanner.ts';

/** The reference engine: plain TypeScript, no requirements. */
export const scalarEngine: ScanEngine = {
  name: 'scalar',
  openArea(size: AreaSize): ScanArea {
    return new ScalarArea(size);
  },
  createScanner(options: ScanOptions): FrameScanner {
    return options.validate === 'none' ? new NewlineScanner(options) : new ScalarScanner(options);
  },
};
