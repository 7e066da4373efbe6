import type { WasmArea } from './area.ts';

/** The state of a scanner whose area another one works in: a copy of as much as is in use, taken and put back whole. */
export class SavedState {
  /** Nothing was ever saved. */
  isFresh = true;
  hasSpilled = false;
  blankFrames = 0;
  #state: Uint8Array = new Uint8Array(0);
  #captured: Uint8Array = new Uint8Array(0);
  #kept: Uint8Array = new Uint8Array(0);
  #containers: Uint8Array = new Uint8Array(0);

  take(area: WasmArea): void {
    const { kernel } = area;
    this.isFresh = false;
    this.hasSpilled = kernel.hasSpilled() !== 0;
    this.blankFrames = kernel.blankFrames();
    this.#state = copied(this.#state, area.state, area.state.length);
    // Only frames that go on in the next call need more, and most streams rest between frames.
    this.#captured = copied(this.#captured, area.captured, this.hasSpilled ? area.captured.length : 0);
    this.#kept = copied(this.#kept, area.kept, kernel.keptBytes());
    this.#containers = copied(this.#containers, area.containers, kernel.openContainerBytes());
  }

  putBack(area: WasmArea): void {
    area.state.set(this.#state);
    area.captured.set(this.#captured);
    area.kept.set(this.#kept);
    area.containers.set(this.#containers);
  }
}

/** The first `length` bytes of `source`, in `target` if that is its size, so that streams that take turns make no garbage. */
function copied(target: Uint8Array, source: Uint8Array, length: number): Uint8Array {
  if (target.length !== length) return source.slice(0, length);
  target.set(length === source.length ? source : source.subarray(0, length));
  return target;
}
