import type { ReadableStreamDefaultController } from 'node:stream/web';
import type { FrameBatch } from '@linewire/framing';
import type { CloseReason, Duplex } from '../duplex.ts';

/** A duplex as two Web streams of frames: one JSON text per chunk, without its newline. */
export interface WebFrameStreams {
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<string>;
}

/**
 * Shows a duplex that has not been started as two Web streams, and starts it. Faults are left out; `duplex.stats` counts them.
 *
 * Back-pressure goes both ways: the duplex reads on when the readable stream is asked for more, at most one batch ahead, and a write is done
 * when the outbox is below high water again. Closing the writable stream calls `duplex.end()`; cancelling the readable or aborting
 * the writable one closes the duplex. When the duplex ends with an error, both streams get it.
 *
 * @throws TransportError `ALREADY_STARTED`
 */
export function toWebStreams(duplex: Duplex): WebFrameStreams {
  let controller: ReadableStreamDefaultController<string> | undefined;
  let hasEnded = false;
  let drained: (() => void) | undefined;
  const room = (): Promise<void> =>
    new Promise((resolve) => {
      drained = resolve;
    });
  const endReadable = (error?: Error): void => {
    if (hasEnded) return;
    hasEnded = true;
    if (error === undefined) controller?.close();
    else controller?.error(error);
  };
  const readable = new ReadableStream<string>(
    {
      start(given): void {
        controller = given;
      },
      pull(): void {
        duplex.resume();
      },
      cancel(): void {
        hasEnded = true;
        void duplex.close();
      },
    },
    { highWaterMark: 0 },
  );
  // Nothing is read before the first pull.
  duplex.pause();
  duplex.start({
    onFrames(batch: FrameBatch): void {
      for (let index = 0; index < batch.count; index++) {
        if (batch.code(index) === undefined) controller?.enqueue(batch.text(index));
      }
      if ((controller?.desiredSize ?? 0) <= 0) duplex.pause();
    },
    onEnd: () => endReadable(),
    onDrain(): void {
      drained?.();
      drained = undefined;
    },
    onClose(reason: CloseReason): void {
      endReadable(reason.error);
      drained?.();
    },
  });
  const writable = new WritableStream<string>({
    async write(frame): Promise<void> {
      while (duplex.send(frame) === 0) await room();
      if (duplex.isFull) await room();
    },
    async close(): Promise<void> {
      duplex.end();
      await duplex.flushed();
    },
    async abort(): Promise<void> {
      await duplex.close();
    },
  });
  return { readable, writable };
}
