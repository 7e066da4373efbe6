import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createFrameReader, type FrameBatch, type FrameReader } from '../../src/index.ts';
import { bytesOf, land } from '../support/events.ts';

/** Messages of one shape and length, so that each stands exactly where another stood before. */
const line = (letter: string): string =>
  `{"jsonrpc":"2.0","id":"${letter}${letter}","method":"${letter}-call","params":{"a":"${letter}","b":"${letter.repeat(11)}","c":"${letter.repeat(30)}"}}\n`;

const payload = (letter: string): unknown => ({ a: letter, b: letter.repeat(11), c: letter.repeat(30) });

const expected = (letter: string): unknown[] => [
  payload(letter),
  JSON.parse(line(letter)),
  `"${letter}${letter}"`,
  `${letter}-call`,
];

function taken(batch: FrameBatch, index: number): unknown[] {
  return [batch.payload(index), batch.value(index), batch.idText(index), batch.method(index)];
}

function collecting(seen: unknown[], meanwhile: (letter: string) => void = () => {}): FrameReader {
  return createFrameReader({
    onFrames(batch) {
      for (let index = 0; index < batch.count; index++) {
        const first = taken(batch, index);
        meanwhile(batch.method(index)?.[0] ?? '');
        seen.push(first, taken(batch, index));
      }
    },
    onError(error) {
      throw error;
    },
  });
}

describe('what is decoded by known shapes is read from where the frame is, and nowhere else', () => {
  it.each(['push', 'commit'] as const)('in a window that is filled again and again (%s)', (feed) => {
    const seen: unknown[] = [];
    const reader = collecting(seen);
    for (const letter of 'abcabcdefa') {
      if (feed === 'push') reader.push(bytesOf(line(letter)));
      else land(reader, bytesOf(line(letter)));
    }
    expect(seen).toEqual([...'abcabcdefa'].flatMap((letter) => [expected(letter), expected(letter)]));
    expect(reader.stats().decoding.hits).toBeGreaterThan(10);
  });

  it('by two readers in turns', () => {
    const [mine, others]: [unknown[], unknown[]] = [[], []];
    const [reader, other] = [collecting(mine), collecting(others)];
    for (const letter of 'abcdeab') {
      reader.push(bytesOf(line(letter)));
      other.push(bytesOf(line(letter.toUpperCase())));
    }
    expect(mine).toEqual([...'abcdeab'].flatMap((letter) => [expected(letter), expected(letter)]));
    expect(others).toEqual([...'ABCDEAB'].flatMap((letter) => [expected(letter), expected(letter)]));
  });

  it('while another reader is fed inside the callback, and another inside that of the other', () => {
    const [outer, middle, inner]: [unknown[], unknown[], unknown[]] = [[], [], []];
    const innermost = collecting(inner);
    const nested = collecting(middle, () => innermost.push(bytesOf(line('z') + line('y'))));
    const reader = collecting(outer, (letter) =>
      nested.push(bytesOf(line(letter.toUpperCase()) + line('x'))),
    );
    for (const letters of ['ab', 'cd', 'ba']) reader.push(bytesOf([...letters].map(line).join('')));
    const twice = (letters: string): unknown[] =>
      [...letters].flatMap((letter) => [expected(letter), expected(letter)]);
    expect(outer).toEqual(twice('abcdba'));
    expect(middle).toEqual(twice('AxBxCxDxBxAx'));
    expect(inner).toEqual(twice('zy'.repeat(12)));
  });

  it('when frames are held and delivered one by one, while others read in the window where they were', () => {
    const [seen, others]: [unknown[], unknown[]] = [[], []];
    const other = collecting(others);
    const reader = createFrameReader({
      onFrames(batch) {
        seen.push(taken(batch, 0));
        return 1;
      },
    });
    reader.push(bytesOf([...'abcdef'].map(line).join('')));
    for (const letter of 'ghijk') {
      other.push(bytesOf(line(letter)));
      reader.resume();
    }
    expect(seen).toEqual([...'abcdef'].map(expected));
    expect(others).toEqual([...'ghijk'].flatMap((letter) => [expected(letter), expected(letter)]));
  });

  it('in frames that outgrew the window, one after the other in the same memory', () => {
    const seen: unknown[] = [];
    const reader = createFrameReader({
      windowBytes: 4096,
      onFrames(batch) {
        for (let index = 0; index < batch.count; index++) seen.push(taken(batch, index));
      },
    });
    const long = (letter: string): string =>
      line(letter).replace('"params":', `"x":"${letter.repeat(9000)}","params":`);
    for (const letter of 'abcab') {
      const bytes = bytesOf(long(letter));
      for (let at = 0; at < bytes.length; at += 1000) reader.push(bytes.slice(at, at + 1000));
    }
    expect(seen).toEqual(
      [...'abcab'].map((letter) => [
        payload(letter),
        JSON.parse(long(letter)),
        `"${letter}${letter}"`,
        `${letter}-call`,
      ]),
    );
  });

  it('after a callback that threw', () => {
    const seen: unknown[] = [];
    const reader = createFrameReader({
      onFrames(batch) {
        seen.push(taken(batch, 0));
        throw new Error('boom');
      },
      onError() {},
    });
    for (const letter of 'abcab') reader.push(bytesOf(line(letter)));
    expect(seen).toEqual([...'abcab'].map(expected));
  });

  it('in answers, whose method only the caller knows', () => {
    const seen: unknown[] = [];
    const reader = createFrameReader({
      onFrames(batch) {
        for (let index = 0; index < batch.count; index++) {
          const method = index % 2 === 0 ? 'even' : 'odd';
          if (batch.hasMethod(index)) batch.payload(index);
          else seen.push(batch.payload(index, method), batch.payload(index));
        }
      },
    });
    const answer = (index: number): string =>
      `{"jsonrpc":"2.0","id":${index},"result":${index % 2 === 0 ? `{"even":${index}}` : `["odd",${index}]`}}\n`;
    const count = 20;
    reader.push(bytesOf(Array.from({ length: count }, (_, index) => answer(index)).join('')));
    expect(seen).toEqual(
      Array.from({ length: count }, (_, index) => {
        const value = index % 2 === 0 ? { even: index } : ['odd', index];
        return [value, value];
      }).flat(),
    );
    // Three slots learn: one for each method, and one for answers to nobody knows what, which learns both shapes.
    expect(reader.stats().decoding).toEqual({ hits: 2 * count - 4, misses: 4, passed: 0, members: 4 });
    // A call of such a method has nothing to do with its answers.
    reader.push(bytesOf('{"jsonrpc":"2.0","id":1,"method":"even","params":{"even":1}}\n'));
    expect(reader.stats().decoding).toMatchObject({ misses: 5, members: 5 });
  });
});

describe('a window of one’s own', () => {
  it.each(['close', 'end'] as const)(
    'is let go of at %s, though payloads were read from it',
    async (call) => {
      setFlagsFromString('--expose-gc');
      const collectGarbage = runInNewContext('gc') as () => void;
      const window = windowOfReader(call);
      for (let round = 0; round < 20 && window.deref() !== undefined; round++) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        collectGarbage();
      }
      expect(window.deref()).toBeUndefined();
    },
  );
});

/** The memory of a reader that has read some payloads and is closed. In a function of its own, so that no variable keeps it. */
function windowOfReader(call: 'close' | 'end'): WeakRef<object> {
  let window = new WeakRef<object>({});
  const reader = createFrameReader({
    windowBytes: 1 << 20,
    onFrames(batch) {
      for (let index = 0; index < batch.count; index++) taken(batch, index);
      window = new WeakRef(batch.frameView(0).buffer);
    },
  });
  reader.push(bytesOf([...'abc'].map(line).join('')));
  reader[call]();
  return window;
}
