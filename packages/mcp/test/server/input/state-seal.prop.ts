import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type StateOwner, StateSeal } from '../../../src/server/input/state-seal.ts';

const LIMIT = { interruptAfterTimeLimit: 2000 };
const KEY = 'k'.repeat(32);
const seal = new StateSeal({ stateKeys: [KEY] });
const owner: StateOwner = { method: 'tools/call', params: { name: 'ask', arguments: { who: 'bob' } } };

describe('a sealed state', () => {
  it('opens to what was sealed, for the same request in another spelling', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (text, args) => {
          const params = { name: 'n', arguments: args };
          const again = {
            requestState: 's',
            arguments: JSON.parse(JSON.stringify(args)),
            name: 'n',
            _meta: { a: 1 },
            inputResponses: {},
          };
          expect(seal.open(seal.seal(text, { method: 'm', params }), { method: 'm', params: again })).toBe(
            text,
          );
        },
      ),
      LIMIT,
    );
  });

  it('with any character changed, removed or added does not open', () => {
    const token = seal.seal('{"answers":[]}', owner);
    const position = fc.nat({ max: token.length - 1 });
    const character = fc.oneof(
      fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc.constantFrom('=', '+', '/', ' ', '\n'),
    );
    fc.assert(
      fc.property(position, character, fc.constantFrom('change', 'remove', 'add'), (at, by, how) => {
        const end = how === 'add' ? at : at + 1;
        const forged = token.slice(0, at) + (how === 'remove' ? '' : by) + token.slice(end);
        fc.pre(forged !== token);
        expect(seal.open(forged, owner)).toBeUndefined();
      }),
      { ...LIMIT, numRuns: 2000 },
    );
  });

  it('with any single bit flipped does not open', () => {
    const bytes = Buffer.from(seal.seal('{}', owner), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const forged = Buffer.from(bytes);
      forged[bit >> 3] = (forged[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(seal.open(forged.toString('base64url'), owner), `bit ${bit}`).toBeUndefined();
    }
  });

  it('cut at any place does not open', () => {
    const token = seal.seal('{}', owner);
    for (let length = 0; length < token.length; length++) {
      expect(seal.open(token.slice(0, length), owner), `${length} characters`).toBeUndefined();
    }
  });

  it('opens for no other method, target or params', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.jsonValue(), fc.jsonValue(), (method, name, one, other) => {
        const token = seal.seal('s', { method, params: { name, arguments: one } });
        expect(seal.open(token, { method: `${method}2`, params: { name, arguments: one } })).toBeUndefined();
        expect(seal.open(token, { method, params: { name: `${name}2`, arguments: one } })).toBeUndefined();
        expect(seal.open(token, { method, params: { name, arguments: [one] } })).toBeUndefined();
        expect(seal.open(token, { method, params: { name, arguments: one, task: 1 } })).toBeUndefined();
        const same = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        expect(seal.open(token, { method, params: { name, arguments: other } }) !== undefined).toBe(same);
      }),
      LIMIT,
    );
  });

  it.each([undefined, null, 0, 1n, true, {}, [], '', 'x', 'é', '\ud800', Symbol('s'), () => 's'])(
    'is not %s',
    (token) => {
      expect(seal.open(token, owner)).toBeUndefined();
    },
  );

  it('is not just any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.base64String({ maxLength: 400 })), (text) => {
        expect(seal.open(text, owner)).toBeUndefined();
      }),
      LIMIT,
    );
  });
});

/** Members in one order: what two spellings of the same value have in common. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]): [string, unknown] => [key, sorted(member)]);
  return { members: members.sort(([a], [b]) => (a < b ? -1 : 1)) };
}
