import { activeEngine, createFrameReader } from '@linewire/framing';

export interface MemoryJob {
  readonly kind: 'memory';
  /** Length of the line that never ends. */
  readonly lineBytes: number;
}

export interface MemoryOutcome {
  readonly engine: string;
  readonly peakStoredBytes: number;
  readonly storedBytes: number;
  readonly windowBytes: number;
  readonly droppedBytes: number;
  readonly faults: number;
  readonly code: string;
  /** Resident before the first byte. */
  readonly startRssBytes: number;
  readonly maxRssBytes: number;
}

/** A string that never closes, with the default limits. */
export function runMemoryJob({ lineBytes }: MemoryJob): MemoryOutcome {
  const chunk = Buffer.alloc(65_536, 'a');
  const startRssBytes = process.memoryUsage.rss();
  let code = '';
  const reader = createFrameReader({
    onFrames(batch) {
      for (let i = 0; i < batch.count; i++) code = batch.code(i) ?? batch.kind(i);
    },
  });
  const head = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"text":"');
  reader.push(head);
  for (let at = head.length; at < lineBytes; at += chunk.length) reader.push(chunk);
  const { storedBytes } = reader.stats();
  reader.end();
  const { peakStoredBytes, windowBytes, droppedBytes, faults } = reader.stats();
  return {
    engine: activeEngine().name,
    peakStoredBytes,
    storedBytes,
    windowBytes,
    droppedBytes,
    faults,
    code,
    startRssBytes,
    maxRssBytes: process.resourceUsage().maxRSS * 1024,
  };
}
