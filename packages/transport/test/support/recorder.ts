import type { CloseReason, Duplex, DuplexHandlers } from '../../src/index.ts';

/** What a duplex told its owner. */
export interface Recording {
  /** Texts of the frames, faults included. */
  readonly texts: string[];
  readonly kinds: string[];
  /** Names of the other callbacks, in order: `end`, `drain`, `close KIND`. */
  readonly calls: string[];
  reason: CloseReason | undefined;
}

/** Starts a duplex and keeps what it tells. */
export function record(duplex: Duplex, handlers: Partial<DuplexHandlers> = {}): Recording {
  const recording: Recording = { texts: [], kinds: [], calls: [], reason: undefined };
  duplex.start({
    onFrames(batch) {
      for (let index = 0; index < batch.count; index++) {
        recording.texts.push(batch.text(index));
        recording.kinds.push(batch.kind(index));
      }
    },
    onDrain: () => recording.calls.push('drain'),
    onEnd: () => recording.calls.push('end'),
    ...handlers,
    onClose(reason) {
      recording.reason = reason;
      recording.calls.push(`close ${reason.kind}`);
    },
  });
  return recording;
}

/** A request with some text in it. */
export function request(id: number, text = ''): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'echo', params: { text } });
}
