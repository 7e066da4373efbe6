import { statSync } from 'node:fs';
import {
  type CallMix,
  type CallStream,
  callStreamAnswers,
  writeCallFile,
  writeMessageFiles,
} from '@linewire/testkit';
import { thousandMessages } from './paths.ts';
import type { ProcessCase } from './process-case.ts';
import { bareLoop, cat, emptyNode, linewire, type ProcessSide, peers } from './process-sides.ts';

/** Names that thresholds and tables look for. */
export const caseNames = {
  thousand: '1,000 lines',
  startUp: '1,000 plain lines',
  million: '1,000,000 plain lines',
  mixedMillion: '1,000,000 mixed lines',
} as const;

/** A case whose file is written only when it is its turn: the large ones have 110 MB. */
export interface PlannedProcessCase {
  readonly name: string;
  prepare(): ProcessCase;
}

export function processCases(quick: boolean): PlannedProcessCase[] {
  // As many as the slowest peer can answer in a few seconds.
  const many = quick ? 10_000 : 100_000;
  const speakers = [bareLoop, linewire, ...peers];
  return [
    {
      name: caseNames.thousand,
      prepare() {
        writeMessageFiles();
        const stream: CallStream = { era: 'legacy', mix: 'mixed', callCount: 1000 };
        return {
          ...shape(
            caseNames.thousand,
            stream,
            [cat, emptyNode, bareLoop, linewire, ...peers],
            quick ? 6 : 20,
          ),
          file: thousandMessages,
          byteCount: statSync(thousandMessages).size,
        };
      },
    },
    // What a process of each kind costs before it has much to do, to be taken off the next case.
    generated(caseNames.startUp, 'plain', 1000, speakers, quick ? 2 : 6),
    generated(`${many / 1000},000 plain lines`, 'plain', many, speakers, quick ? 2 : 4),
    generated(caseNames.million, 'plain', 1_000_000, [cat, emptyNode, bareLoop, linewire], quick ? 2 : 8),
    ...(quick ? [] : [generated(caseNames.mixedMillion, 'mixed', 1_000_000, [bareLoop, linewire], 6)]),
  ];
}

function generated(
  name: string,
  mix: CallMix,
  callCount: number,
  sides: readonly ProcessSide[],
  turnCount: number,
): PlannedProcessCase {
  return {
    name,
    prepare() {
      const stream: CallStream = { era: 'legacy', mix, callCount };
      const { path, byteCount } = writeCallFile(stream);
      return { ...shape(name, stream, sides, turnCount), file: path, byteCount };
    },
  };
}

function shape(
  name: string,
  stream: CallStream,
  sides: readonly ProcessSide[],
  turnCount: number,
): Omit<ProcessCase, 'file' | 'byteCount'> {
  return {
    name,
    sides,
    turnCount,
    // The calls and the two lines of the handshake.
    messageCount: stream.callCount + 2,
    expected: callStreamAnswers(stream),
    reference: bareLoop,
  };
}
