import type { ScanOptions } from '../engine/engine.ts';
import { GrammarMachine } from '../scalar/machine.ts';
import { DATA_CODES, type FrameCode } from '../table/codes.ts';
import { CODE_NONE } from '../table/meta.ts';
import { NO_WORDS } from '../text/plain-text.ts';

/** A fault inside one frame: its code and its offset from the frame's first byte. */
export interface FoundFault {
  readonly code: FrameCode;
  readonly offset: number;
}

/**
 * Looks with the whole grammar for what a laxer scan let through, in a frame that would not decode; undefined when the frame is good and
 * the decoder failed for another reason. Cold: one pass over the frame.
 */
export function findFault(frame: Uint8Array, options: ScanOptions): FoundFault | undefined {
  const machine = new GrammarMachine({ ...options, validate: 'full', envelope: 'none' });
  machine.begin();
  machine.run(frame, NO_WORDS, 0, frame.length, 0);
  machine.finish(frame.length);
  if (machine.faultCode === CODE_NONE) return undefined;
  return { code: DATA_CODES[machine.faultCode - 1].code, offset: machine.faultOffset };
}
