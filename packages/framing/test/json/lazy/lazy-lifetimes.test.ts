import { describe, expect, it } from 'vitest';
import { createFrameReader, type LazyMember, type LazyValue } from '../../../src/index.ts';
import { bytesOf } from '../../support/events.ts';

/** Every way to use a lazy value. */
const uses: readonly (readonly [string, (value: LazyValue) => unknown])[] = [
  ['kind', (value) => value.kind],
  ['isNull', (value) => value.isNull],
  ['length', (value) => value.length],
  ['get', (value) => value.get('a')],
  ['get without steps', (value) => value.get()],
  ['find', (value) => value.find('a')],
  ['getFirst', (value) => value.getFirst('a')],
  ['findFirst', (value) => value.findFirst('a')],
  ['items', (value) => value.items()],
  ['members', (value) => value.members()],
  ['string', (value) => value.string()],
  ['number', (value) => value.number()],
  ['bigint', (value) => value.bigint()],
  ['numberText', (value) => value.numberText()],
  ['boolean', (value) => value.boolean()],
  ['decode', (value) => value.decode()],
  ['raw', (value) => value.raw()],
  ['rawBytes', (value) => value.rawBytes()],
  ['rawView', (value) => value.rawView()],
];

interface Kept {
  readonly values: LazyValue[];
  readonly items: IterableIterator<LazyValue>;
  readonly members: IterableIterator<LazyMember>;
}

/** Lazy values and iterators of a frame, kept beyond its callback. `size` decides whether it outgrows the window. */
function kept(size: number, throwing = false): Kept {
  let found: Kept | undefined;
  const reader = createFrameReader({
    windowBytes: 4096,
    onFrames(batch) {
      const whole = batch.lazy(0);
      const payload = batch.lazyPayload(0) as LazyValue;
      const items = payload.get('list').items();
      const members = payload.members();
      const [, member] = members.next().value as LazyMember;
      found = {
        values: [whole, payload, payload.get('list'), items.next().value as LazyValue, member],
        items,
        members,
      };
      if (throwing) throw new Error('boom');
      return 0;
    },
    onError() {},
  });
  const line = `{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1,"list":[1,2,3],"s":"${'x'.repeat(size)}"}}\n`;
  const bytes = bytesOf(line);
  for (let at = 0; at < bytes.length; at += 1000) reader.push(bytes.slice(at, at + 1000));
  if (found === undefined) throw new Error('no frame');
  return found;
}

const released = expect.objectContaining({ code: 'VIEW_RELEASED' });

describe.each([10, 20_000])('a lazy value of a frame with %i bytes of text', (size) => {
  it.each(uses)(
    'throws VIEW_RELEASED from %s once its callback has returned, wherever it was got from',
    (_, use) => {
      for (const value of kept(size).values) expect(() => use(value)).toThrow(released);
      for (const value of kept(size, true).values) expect(() => use(value)).toThrow(released);
    },
  );

  it('throws VIEW_RELEASED from its iterators, begun or not', () => {
    const { items, members } = kept(size);
    expect(() => items.next()).toThrow(released);
    expect(() => members.next()).toThrow(released);
  });
});

describe('the uses above', () => {
  it('are all there are', () => {
    const prototype = Object.getPrototypeOf(kept(1).values[0]);
    const names = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
    const tried = new Set(uses.map(([name]) => name.split(' ')[0]));
    expect(names.sort()).toEqual([...tried].sort());
  });
});
