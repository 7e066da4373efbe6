import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { events, type FrameEvent, type Settings, values } from '../support/events.ts';
import { type ReferenceFrame, type ReferenceSettings, referenceFrames } from '../support/reference.ts';
import { cutPositions, cuts, stream, streamAroundLimit } from '../support/streams.ts';
import { holds, seed, timeBoxMs } from '../support/time-box.ts';

const settings: fc.Arbitrary<ReferenceSettings> = fc
  .record({
    envelope: fc.constantFrom<'jsonrpc' | 'none'>('jsonrpc', 'jsonrpc', 'jsonrpc', 'none'),
    validate: fc.constantFrom<'full' | 'envelope' | 'none'>('full', 'full', 'envelope', 'none'),
    utf8: fc.constantFrom<'strict' | 'replace'>('strict', 'strict', 'replace'),
    duplicates: fc.constantFrom<'fault' | 'last'>('fault', 'fault', 'last'),
    maxFrameBytes: fc.constantFrom(1024, 1100, 65_536),
    maxDepth: fc.constantFrom(1, 2, 3, 5, 31, 32, 512),
    maxIdBytes: fc.constantFrom(16, 17, 1024),
  })
  .map((chosen) => (chosen.validate === 'none' ? { ...chosen, envelope: 'none' } : chosen));

/** Streams shorter than this are fed byte by byte too. */
const bytewiseBytes = 2000;

/** What the reference knows of an engine's event. */
function judged(event: FrameEvent, expected: ReferenceFrame): Record<string, unknown> {
  return {
    start: event.start,
    end: event.end,
    kind: event.kind,
    code: event.code,
    // An invalid message is complained about as a whole.
    ...(expected.offset === undefined ? {} : { offset: event.offset }),
    unterminated: event.unterminated,
    ...(expected.unknownMembers ? {} : { id: event.idText, method: event.method }),
  };
}

function wanted(expected: ReferenceFrame, event: FrameEvent | undefined): Record<string, unknown> {
  const { start, end, kind, offset, unterminated, id, method } = expected;
  const code = event?.code !== undefined && event.code === expected.orCode ? expected.orCode : expected.code;
  return {
    start,
    end,
    kind,
    code,
    ...(offset === undefined ? {} : { offset }),
    unterminated,
    ...(expected.unknownMembers ? {} : { id, method }),
  };
}

/** The engine says what the reference says, whole and split, and decodes what `JSON.parse` decodes. */
function agree(bytes: Uint8Array, chosen: ReferenceSettings, fractions: readonly number[]): void {
  const expected = referenceFrames(bytes, chosen);
  const windowed: Settings = { ...chosen, windowBytes: 4096 };
  const whole = events(bytes, windowed);
  expect(
    whole.map((event, index) => (expected[index] ? judged(event, expected[index]) : event)),
  ).toStrictEqual(expected.map((frame, index) => wanted(frame, whole[index])));
  expect(events(bytes, windowed, cutPositions(fractions, bytes.length))).toStrictEqual(whole);
  expect(events(bytes, windowed, cutPositions(fractions, bytes.length), 'commit')).toStrictEqual(whole);
  if (bytes.length < bytewiseBytes) expect(events(bytes, windowed, 1)).toStrictEqual(whole);
  values(bytes, windowed).forEach((value, index) => {
    const frame = expected[index] as ReferenceFrame;
    if (frame.kind === 'fault') expect(value).toBe(`threw ${whole[index]?.code}`);
    else if (frame.parses) expect(value).toStrictEqual(frame.value);
    else expect(value).toMatch(/^threw (JSON_|FRAME_)/);
  });
}

describe(`a reader against the plain reference (seed ${seed})`, () => {
  it(
    'finds the same kinds, codes, offsets, ids, methods and values in random and damaged streams, however they are split',
    () => {
      holds(fc.property(stream, settings, cuts, agree));
    },
    timeBoxMs + 20_000,
  );

  it(
    'finds the same in frames around the limit and around the window',
    () => {
      const limited = settings.map((chosen) => ({ ...chosen, maxFrameBytes: 1024 }));
      holds(fc.property(streamAroundLimit, limited, cuts, agree));
    },
    timeBoxMs + 20_000,
  );
});
