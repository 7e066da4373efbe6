import type { Sink } from '../../src/writing/sink.ts';

/** A sink that remembers, takes chunks at once or keeps them, as told. */
export class TestSink implements Sink {
  readonly writes: string[] = [];
  busy = false;
  sentToSystem = 0;
  calls: string[] = [];

  /** Everything that was handed over. */
  get text(): string {
    return this.writes.join('');
  }

  write(chunk: Buffer): boolean {
    this.writes.push(chunk.toString());
    return !this.busy;
  }

  unsent(chunk: Buffer): Uint8Array {
    return chunk.subarray(this.sentToSystem);
  }

  end(): void {
    this.calls.push('end');
  }

  release(): void {
    this.calls.push('release');
  }
}
