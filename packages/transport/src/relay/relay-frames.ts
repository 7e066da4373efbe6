import type { FrameBatch } from '@linewire/framing';
import { FrameTransit } from './frame-transit.ts';
import {
  JoinedEnds,
  type Relay,
  type RelayDirectionStats,
  type RelayOptions,
  type RelaySide,
} from './relay.ts';
import type { RelayEnd } from './relay-end.ts';

/** Says of a good frame whether it goes on. `from` is the side that sent it. The batch is legal until it returns. */
export type RelayFilter = (batch: FrameBatch, index: number, from: RelaySide) => boolean;

/** Counters of one direction of a relay of frames. */
export interface FrameDirectionStats extends RelayDirectionStats {
  readonly framesOut: number;
  /** Good frames that the filter held back. */
  readonly filteredFrames: number;
}

/** A relay of frames. */
export interface FrameRelay extends Relay {
  readonly stats: { readonly fromA?: FrameDirectionStats; readonly fromB?: FrameDirectionStats };
}

/**
 * Joins two sides so that each gets the good frames of the other: faults and invalid frames are dropped and counted, blank lines and carriage
 * returns before newlines are dropped, each frame keeps its bytes and gets one newline. Ends and back-pressure are those of `relayBytes`; one
 * frame may stand above `highWaterBytes`.
 *
 * @param filter - asked for every good frame, synchronously; without one all of them go on. When it throws the relay ends, with kind `error`
 *
 * @throws as `relayBytes`
 */
export function relayFrames(
  a: RelayEnd,
  b: RelayEnd,
  filter?: RelayFilter,
  options: RelayOptions = {},
): FrameRelay {
  const transits: Partial<Record<RelaySide, FrameTransit>> = {};
  const joined = new Frames(a, b, options, (from, to, reading) => {
    const transit = new FrameTransit(
      to,
      filter && ((batch, index): boolean => filter(batch, index, from)),
      reading,
    );
    transits[from] = transit;
    return transit;
  });
  joined.transits = transits;
  return joined;
}

class Frames extends JoinedEnds implements FrameRelay {
  transits: Partial<Record<RelaySide, FrameTransit>> = {};

  get stats(): FrameRelay['stats'] {
    const fromA = this.#statsOf('a');
    const fromB = this.#statsOf('b');
    return { ...(fromA && { fromA }), ...(fromB && { fromB }) };
  }

  #statsOf(side: RelaySide): FrameDirectionStats | undefined {
    const seen = this.statsFrom(side);
    const transit = this.transits[side];
    if (seen === undefined || transit === undefined) return undefined;
    const { framesOut, filteredFrames } = transit;
    return { ...seen, framesOut, filteredFrames };
  }
}
