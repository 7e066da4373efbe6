import { setFlagsFromString } from 'node:v8';
import { expect, it } from 'vitest';
import { learned } from '../../support/slots.ts';

type HasSameMap = (a: unknown, b: unknown) => boolean;

/** What V8 itself says of the hidden classes of two objects. */
function hasSameMap(): HasSameMap {
  setFlagsFromString('--allow-natives-syntax');
  return new Function('a', 'b', 'return %HaveSameMap(a, b)') as HasSameMap;
}

const text = (id: number, name: string, extra = ''): string => {
  const params = `{"name":"${name}","arguments":{"path":"/a","deep":${id > 1},"page":${Math.max(4, id)}}}`;
  return `{"jsonrpc":"2.0","id":${id},"params":${params}${extra}}`;
};

interface Message {
  readonly params: { readonly arguments: object };
}

it.runIf(process.versions['v8'])('two values of one shape have one hidden class, at every level', () => {
  const same = hasSameMap();
  expect(same({ a: 1, b: 2 }, { a: 3, b: 4 })).toBe(true);
  expect(same({ a: 1, b: 2 }, { b: 3, a: 4 })).toBe(false);
  const trial = learned(text(1, 'read'), text(2, 'write'));
  const { hits } = trial.stats;
  const values = [
    text(1, 'read'),
    text(2, 'write'),
    text(3, 'something new'),
    text(4, 'read'),
    text(5, 'read'),
  ].map((each) => trial.feed(each) as Message);
  expect(trial.stats.hits).toBe(hits + 5);
  // Arguments that came before are known by heart, those of the last are read.
  for (const value of values) {
    expect(same(value, values[0])).toBe(true);
    expect(same(value.params, values[0]?.params)).toBe(true);
    expect(same(value.params.arguments, values[0]?.params.arguments)).toBe(true);
  }
  // Another member makes another class, and does no harm to the first one.
  trial.feed(text(6, 'read', ',"x":1'));
  expect(same(trial.feed(text(7, 'read')), values[0])).toBe(true);
});
