import { beforeEach, describe, expect, test } from 'vitest';
import type { FrameWriter } from '../../src/duplex.ts';
import { isTransportError } from '../../src/errors.ts';
import { waterMarks } from '../../src/limits.ts';
import { Outbox } from '../../src/writing/outbox.ts';
import type { Sink } from '../../src/writing/sink.ts';

const slabBytes = 256 * 1024;

let written: Buffer[];
/** False while the sink keeps what it is given. */
let takes: boolean;
let outbox: Outbox;

const sink: Sink = {
  write(chunk) {
    written.push(Buffer.from(chunk));
    return takes;
  },
  unsent: (chunk) => chunk,
  end() {},
  release() {},
};

beforeEach(() => {
  written = [];
  takes = true;
  outbox = new Outbox(
    { drained() {}, allWritten() {}, failed() {} },
    waterMarks({ highWaterBytes: 1 << 30, lowWaterBytes: undefined }),
  );
  outbox.attach(sink);
});

function textWritten(): string {
  outbox.flush();
  return Buffer.concat(written).toString();
}

/** Writes its text as bytes, after `before` has run in the middle of it. */
function frame(text: string, before?: () => void): FrameWriter & { texts: number } {
  return {
    texts: 0,
    writeInto(target, at) {
      const bytes = Buffer.from(text);
      if (at + bytes.length > target.length) return -1;
      const half = bytes.length >> 1;
      target.set(bytes.subarray(0, half), at);
      before?.();
      target.set(bytes.subarray(half), at + half);
      return at + bytes.length;
    },
    text() {
      this.texts++;
      return text;
    },
  };
}

describe('a frame that writes itself', () => {
  test('goes out between its neighbours, in the order of sending, and is never made a string', () => {
    const own = frame('{"b":"ü"}');
    outbox.sendEncoded('{"a":1}');
    outbox.sendWith(own);
    outbox.sendEncoded('{"c":3}');
    outbox.sendWith(frame('{"d":4}'));
    expect(textWritten()).toBe('{"a":1}\n{"b":"ü"}\n{"c":3}\n{"d":4}\n');
    expect(own.texts).toBe(0);
    expect(outbox.framesOut).toBe(4);
    expect(outbox.queuedBytes).toBe(0);
  });

  test('is counted as queued to the byte, and written at the next turn by itself', async () => {
    outbox.sendWith(frame('"ü"'));
    expect(outbox.queuedBytes).toBe(5);
    await new Promise((resolve) => setImmediate(resolve));
    expect(Buffer.concat(written).toString()).toBe('"ü"\n');
  });

  test.each([slabBytes - 3, slabBytes - 2, slabBytes - 1, slabBytes, 3 * slabBytes])(
    'of %i bytes goes out whole, as text where the memory ends too soon',
    (length) => {
      const text = `"${'x'.repeat(length - 2)}"`;
      outbox.beginBatch();
      outbox.sendWith(frame('1'));
      outbox.sendWith(frame(text));
      outbox.sendWith(frame('2'));
      outbox.endBatch(false);
      expect(textWritten()).toBe(`1\n${text}\n2\n`);
    },
  );

  test('fills the outbox above the high-water mark, as any frame does, and is queued all the same', () => {
    takes = false;
    const full = new Outbox(
      { drained() {}, allWritten() {}, failed() {} },
      waterMarks({ highWaterBytes: 10, lowWaterBytes: 5 }),
    );
    full.attach(sink);
    full.sendWith(frame('"1234567"'));
    expect(full.isFull).toBe(false);
    full.sendWith(frame('"8"'));
    expect(full.isFull).toBe(true);
    expect([full.queuedBytes, full.stalls]).toEqual([14, 1]);
    full.release();
  });

  test('leaves no hole when thousands of them cross the ends of the memory while the sink is slow', () => {
    takes = false;
    const texts = Array.from({ length: 3000 }, (_, i) => `"${i}${'y'.repeat(i % 400)}"`);
    for (const text of texts) outbox.sendWith(frame(text));
    takes = true;
    outbox.written();
    expect(textWritten()).toBe(texts.map((text) => `${text}\n`).join(''));
  });

  test('queues nothing when it throws', () => {
    outbox.sendEncoded('1');
    const bad = frame('2222', () => {
      throw new Error('no JSON');
    });
    expect(() => outbox.sendWith(bad)).toThrow('no JSON');
    outbox.sendEncoded('3');
    expect(textWritten()).toBe('1\n3\n');
    expect(outbox.framesOut).toBe(2);
  });
});

describe('code that runs while a frame writes itself', () => {
  test('may send frames of any kind: they come behind it, each of them whole', () => {
    outbox.beginBatch();
    outbox.sendWith(
      frame('"outer"', () => {
        for (let i = 0; i < 2000; i++) outbox.sendEncoded(`"${i}"`);
        outbox.sendWith(frame('"inner"'));
      }),
    );
    outbox.sendWith(frame('"after"'));
    outbox.endBatch(false);
    const between = Array.from({ length: 2000 }, (_, i) => `"${i}"\n`).join('');
    expect(textWritten()).toBe(`"outer"\n${between}"inner"\n"after"\n`);
    expect(outbox.framesOut).toBe(2003);
  });

  test('may flush: what is half written does not go, and what is sent next does not overwrite it', async () => {
    outbox.beginBatch();
    outbox.sendWith(frame('"first"'));
    outbox.sendWith(
      frame('"0123456789"', () => {
        outbox.flush();
        expect(written).toEqual([]);
        outbox.endBatch(false);
        expect(written).toEqual([]);
      }),
    );
    outbox.sendWith(frame('"last"'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(Buffer.concat(written).toString()).toBe('"first"\n"0123456789"\n"last"\n');
  });

  test('may end the outbox: the frame is refused as one sent after it', () => {
    outbox.sendEncoded('1');
    expect(() => outbox.sendWith(frame('22', () => outbox.end()))).toThrow(
      expect.toSatisfy((error: unknown) => isTransportError(error) && error.code === 'SEND_AFTER_CLOSE'),
    );
    expect(textWritten()).toBe('1\n');
  });

  test('may let everything go: nothing is written any more', () => {
    expect(() => outbox.sendWith(frame('22', () => outbox.release()))).toThrow();
    expect(textWritten()).toBe('');
  });
});
