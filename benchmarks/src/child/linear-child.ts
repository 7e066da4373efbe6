import { performance } from 'node:perf_hooks';
import { activeEngine, createFrameReader } from '@linewire/framing';
import { slicesOf } from './slices.ts';

export interface LinearJob {
  readonly kind: 'linear';
  /** Size of one frame, bytes, newline not counted. */
  readonly frameBytes: number;
  readonly chunkBytes: number;
  /** Frames of this size until so many bytes have gone in: every size does the same amount of work. */
  readonly totalBytes: number;
}

export interface LinearOutcome {
  readonly engine: string;
  readonly nsPerByte: number;
  readonly peakStoredBytes: number;
  readonly maxRssBytes: number;
}

const head = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"';
const tail = '"}]}}\n';
const filler = 'The quick brown fox reads lines, one by one. Then it says \\"done\\" and stops.\\n';

/** Feeds frames of one size in chunks of one size, default options but for the limit; the first round warms up. */
export function runLinearJob({ frameBytes, chunkBytes, totalBytes }: LinearJob): LinearOutcome {
  const frame = Buffer.alloc(frameBytes + 1, filler);
  frame.write(head, 0, 'latin1');
  // Spaces before the tail: the filler must not be cut inside an escape.
  frame.fill(' ', frame.length - tail.length - filler.length);
  frame.write(tail, frame.length - tail.length, 'latin1');
  const chunks = slicesOf(frame, chunkBytes);

  let good = 0;
  const reader = createFrameReader({
    maxFrameBytes: 2 * frameBytes,
    onFrames(batch) {
      for (let i = 0; i < batch.count; i++) if (batch.kind(i) === 'result') good++;
    },
  });
  const frameCount = Math.max(1, Math.round(totalBytes / frameBytes));
  const round = (): number => {
    const startedAt = performance.now();
    for (let n = 0; n < frameCount; n++) for (const chunk of chunks) reader.push(chunk);
    return performance.now() - startedAt;
  };
  round();
  const bestMs = Math.min(round(), round(), round());
  if (good !== 4 * frameCount)
    throw new Error(`saw ${good} of ${4 * frameCount} frames of ${frameBytes} bytes`);
  return {
    engine: activeEngine().name,
    nsPerByte: (bestMs * 1e6) / (frameCount * frame.length),
    peakStoredBytes: reader.stats().peakStoredBytes,
    maxRssBytes: process.resourceUsage().maxRSS * 1024,
  };
}
