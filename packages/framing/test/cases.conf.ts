import { type HandedCase, type HandedFrame, handedCases, type RpcClass } from '@linewire/testkit';
import { describe, expect, it } from 'vitest';
import type { FrameBatch, FrameKind } from '../src/index.ts';
import { events, read, type Settings, type Split, values } from './support/events.ts';

const kindOf: Readonly<Record<RpcClass, FrameKind>> = {
  request: 'request',
  notification: 'notification',
  response: 'result',
  'error-response': 'error',
  'invalid-request': 'invalid',
  'invalid-response': 'invalid',
  batch: 'batch',
  'empty-batch': 'batch',
  'not-a-message': 'invalid',
};

// Every depth is a value here; what the default makes of it has its own test below.
const modes: readonly Settings[] = [
  { validate: 'full', duplicates: 'last', maxDepth: 1_000_000, windowBytes: 4096 },
  { validate: 'envelope', duplicates: 'last', maxDepth: 1_000_000, windowBytes: 4096 },
];

/**
 * Files above this cost milliseconds per split: of two of them only some splits are taken, on the server every third (all of them take the scalar engine three
 * minutes there), and no texts compared.
 */
const bigBytes = 2000;
const splitStep = process.env['CI'] === 'true' ? 3 : 389;
const nearEndsBytes = 50;

/** A frame in one line, cheap enough for a hundred thousand splits. */
function shown(batch: FrameBatch, index: number, isBig: boolean): string {
  if (isBig)
    return `${batch.start(index)}-${batch.end(index)} ${batch.kind(index)} ${batch.code(index)} ${batch.idText(index)}\n`;
  const fault = batch.fault(index);
  const text = `${batch.text(index)} ${batch.payloadText(index)}`;
  return `${batch.start(index)}-${batch.end(index)} ${batch.kind(index)} ${fault?.code} ${fault?.offset} ${fault?.preview} ${batch.idText(index)} ${batch.idKey(index)} ${batch.method(index)} ${batch.unterminated(index)} ${batch.ascii(index)} ${text}\n`;
}

function table(bytes: Uint8Array, settings: Settings, split: Split): string {
  let lines = '';
  const isBig = bytes.length > bigBytes;
  const reader = read(
    bytes,
    settings,
    (batch, index) => {
      lines += shown(batch, index, isBig);
    },
    split,
  );
  return `${lines}${reader.stats().blankFrames} blank`;
}

function expectedKind(frame: HandedFrame): string {
  switch (frame.kind) {
    case 'error':
      return 'fault';
    case 'truncated-at-eof':
      return 'fault FRAME_TRUNCATED unterminated';
    case 'value-at-eof':
      return `${kindOf[frame.rpc]} unterminated`;
    case 'value':
      return kindOf[frame.rpc];
    case 'blank':
      throw new Error('blank frames are no events');
  }
}

/** Positions to cut at: all of them in a small file. */
function isCut(at: number, byteCount: number): boolean {
  if (byteCount <= bigBytes) return true;
  return at < nearEndsBytes || at > byteCount - nearEndsBytes || at % splitStep === 0;
}

/** Cuts into three around everything that a boundary could break. */
function threeWaySplits(bytes: Uint8Array): number[][] {
  const splits: number[][] = [];
  if (bytes.length > bigBytes) return splits;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte !== 0x0d && byte !== 0x0a && byte !== 0x5c && byte < 0x80) continue;
    for (let reach = 1; reach <= 6; reach++) splits.push([at, at + reach], [at + 1, at + 1 + reach]);
  }
  return splits;
}

describe.each(handedCases())('$file: $what', (handed: HandedCase) => {
  const frames = handed.frames.filter((frame) => frame.kind !== 'blank');

  it.each(modes)('gives the kinds, id texts and values that are known, validate $validate', (settings) => {
    const found = events(handed.bytes, settings);
    const kinds = found.map(({ kind, code, unterminated }) => {
      const truncated = code === 'FRAME_TRUNCATED' ? ' FRAME_TRUNCATED' : '';
      return kind + truncated + (unterminated ? ' unterminated' : '');
    });
    expect(kinds).toEqual(frames.map(expectedKind));
    const decoded = values(handed.bytes, settings);
    frames.forEach((frame, index) => {
      if (frame.kind !== 'value' && frame.kind !== 'value-at-eof') return;
      if (frame.depth === undefined) expectSame(decoded[index], frame.value);
      else expect(depthOf(decoded[index])).toBe(frame.depth);
    });
    const { blankFrames } = read(handed.bytes, settings, () => {}).stats();
    expect(blankFrames).toBe(handed.frames.length - frames.length);
  });

  it.each(modes)(
    'gives the same table for every split, validate $validate',
    (settings) => {
      const whole = table(handed.bytes, settings, 'whole');
      expect(table(handed.bytes, settings, 1)).toBe(whole);
      for (let at = 0; at <= handed.bytes.length; at++) {
        if (!isCut(at, handed.bytes.length)) continue;
        if (table(handed.bytes, settings, [at]) !== whole)
          expect(table(handed.bytes, settings, [at])).toBe(whole);
      }
      for (const split of threeWaySplits(handed.bytes)) {
        if (table(handed.bytes, settings, split) !== whole)
          expect(table(handed.bytes, settings, split)).toBe(whole);
      }
    },
    120_000,
  );
});

describe('the handed cases at the defaults', () => {
  const named = (file: string): HandedCase => {
    const found = handedCases().find((handed) => handed.file === file);
    if (found === undefined) throw new Error(`no case ${file}`);
    return found;
  };

  it('keep the exact text of an id that a double cannot hold', () => {
    expect(events(named('i01-id-over-2p53.jsonl').bytes)[0]?.idText).toBe('9007199254740993');
  });

  it('refuse duplicate envelope members, escaped spellings too', () => {
    const codes = events(named('j11-duplicate-keys.jsonl').bytes).map(({ kind, code }) => `${kind} ${code}`);
    expect(codes).toEqual(['fault ENVELOPE_DUPLICATE', 'fault ENVELOPE_DUPLICATE']);
  });

  it('make 10,000 levels one depth fault, and serve the next frame', () => {
    const [deep, next] = events(named('j18-deep-10000.jsonl').bytes);
    expect([deep?.code, deep?.limit, next?.kind]).toEqual(['JSON_DEPTH', 512, 'request']);
  });
});

/** `toStrictEqual`, and key order, and -0 (which it does compare), and own `__proto__`. */
function expectSame(actual: unknown, expected: unknown): void {
  expect(actual).toStrictEqual(expected);
  expect(keysInOrder(actual)).toEqual(keysInOrder(expected));
}

function keysInOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) return value.map(keysInOrder);
  return Object.entries(value).map(([key, item]) => [key, keysInOrder(item)]);
}

/** Arrays inside each other. */
function depthOf(root: unknown): number {
  let deepest = 0;
  const open: [unknown, number][] = [[root, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, outside] = next;
    if (typeof value !== 'object' || value === null) continue;
    const depth = outside + (Array.isArray(value) ? 1 : 0);
    deepest = Math.max(deepest, depth);
    for (const item of Object.values(value)) open.push([item, depth]);
  }
  return deepest;
}
