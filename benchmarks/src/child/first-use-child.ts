import { performance } from 'node:perf_hooks';
import { createFrameReader } from '@linewire/framing';

export interface FirstUseJob {
  readonly kind: 'first-use';
  readonly engine: 'wasm' | 'scalar';
}

export interface FirstUseOutcome {
  /** From before the first reader is made until its first message is delivered. */
  readonly ms: number;
}

const line =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}\n';

/** The first reader of this process and its first message. Loading the package is over by then. */
export function runFirstUseJob({ engine }: FirstUseJob): FirstUseOutcome {
  const bytes = Buffer.from(line);
  let deliveredAt = performance.now();
  let kind: string | undefined;
  const startedAt = performance.now();
  const reader = createFrameReader({
    engine,
    onFrames(batch) {
      kind = batch.kind(0);
      deliveredAt = performance.now();
    },
  });
  reader.push(bytes);
  if (kind !== 'request') throw new Error(`the first message was delivered as ${kind}`);
  return { ms: deliveredAt - startedAt };
}
