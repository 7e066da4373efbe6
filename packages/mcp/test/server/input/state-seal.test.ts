import { describe, expect, it, vi } from 'vitest';
import { type StateOwner, StateSeal } from '../../../src/server/input/state-seal.ts';

const owner: StateOwner = { method: 'tools/call', params: { name: 'ask' } };
const OLD = 'an old secret of more than 32 bytes';
const NEW = new Uint8Array(32).fill(7);

describe('the keys of a seal', () => {
  it('are random by default: another server does not open the state', () => {
    const token = new StateSeal({}).seal('s', owner);
    expect(new StateSeal({}).open(token, owner)).toBeUndefined();
  });

  it('are shared by all that were given the same ones', () => {
    const token = new StateSeal({ stateKeys: [OLD] }).seal('s', owner);
    expect(new StateSeal({ stateKeys: [Buffer.from(OLD)] }).open(token, owner)).toBe('s');
  });

  it('rotate: the old one still opens, the new one seals', () => {
    const before = new StateSeal({ stateKeys: [OLD] });
    const between = new StateSeal({ stateKeys: [NEW, OLD] });
    const after = new StateSeal({ stateKeys: [NEW] });
    expect(between.open(before.seal('s', owner), owner)).toBe('s');
    expect(before.open(between.seal('s', owner), owner)).toBeUndefined();
    expect(after.open(between.seal('s', owner), owner)).toBe('s');
    expect(after.open(before.seal('s', owner), owner)).toBeUndefined();
  });

  it('are copied: the caller may wipe its bytes', () => {
    const bytes = new Uint8Array(32).fill(9);
    const seal = new StateSeal({ stateKeys: [bytes] });
    bytes.fill(0);
    const token = seal.seal('s', owner);
    expect(new StateSeal({ stateKeys: [new Uint8Array(32).fill(9)] }).open(token, owner)).toBe('s');
  });

  it.each([
    ['no list', 'x'.repeat(40)],
    ['none at all', []],
    ['a short string', ['x'.repeat(31)]],
    ['short bytes', [new Uint8Array(31)]],
    ['a short old one', [OLD, 'short']],
    ['neither text nor bytes', [42]],
  ])('are refused at construction: %s', (_, stateKeys) => {
    expect(() => new StateSeal({ stateKeys: stateKeys as string[] })).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID', message: expect.stringContaining('stateKeys') }),
    );
  });

  it('may be short in characters if they are long in bytes', () => {
    expect(() => new StateSeal({ stateKeys: ['é'.repeat(16)] })).not.toThrow();
  });
});

describe('the time of a state', () => {
  it('is ten minutes unless said otherwise, and ends', () => {
    let now = 1_000_000;
    const seal = new StateSeal({}, () => now);
    const token = seal.seal('s', owner);
    now += 599_999;
    expect(seal.open(token, owner)).toBe('s');
    now += 1;
    expect(seal.open(token, owner)).toBeUndefined();
  });

  it('is what stateTtlMs says', () => {
    let now = 0;
    const seal = new StateSeal({ stateTtlMs: 5 }, () => now);
    const token = seal.seal('s', owner);
    now = 4;
    expect(seal.open(token, owner)).toBe('s');
    now = 5;
    expect(seal.open(token, owner)).toBeUndefined();
  });
});

describe('the size of a state', () => {
  const seal = new StateSeal({ maxStateBytes: 1024, stateKeys: [OLD] });
  const wide = new StateSeal({ stateKeys: [OLD] });

  it('is exactly limited: the longest that fits opens, one byte more is STATE_TOO_LARGE', () => {
    let length = 0;
    let last = '';
    for (;;) {
      try {
        last = seal.seal('x'.repeat(length), owner);
        length++;
      } catch (error) {
        expect(error).toMatchObject({ code: 'STATE_TOO_LARGE', limit: 1024 });
        break;
      }
    }
    expect(last.length).toBeGreaterThan(1020);
    expect(last.length).toBeLessThanOrEqual(1024);
    expect(seal.open(last, owner)).toBe('x'.repeat(length - 1));
  });

  it('beyond the limit is refused before it is decoded', () => {
    const token = wide.seal('x'.repeat(2000), owner);
    expect(wide.open(token, owner)).toBeDefined();
    const decoded = vi.spyOn(Buffer, 'from');
    expect(seal.open(token, owner)).toBeUndefined();
    expect(seal.open('A'.repeat(100_000_000), owner)).toBeUndefined();
    expect(decoded).not.toHaveBeenCalled();
    decoded.mockRestore();
  });
});

it('no two tokens are the same, and none shows what it holds', () => {
  const seal = new StateSeal({});
  const tokens = Array.from({ length: 1000 }, () => seal.seal('the user said secret', owner));
  // Format and name of the key are the same; salt and all behind it are not.
  expect(new Set(tokens.map((token) => token.slice(7, 28))).size).toBe(1000);
  for (const token of tokens) {
    expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('secret');
  }
});

it('crypto is loaded when a state is sealed or opened, not when the server is made', () => {
  const load = vi.spyOn(process, 'getBuiltinModule');
  const seal = new StateSeal({ stateKeys: [OLD] });
  expect(load).not.toHaveBeenCalled();
  seal.seal('s', owner);
  expect(load).toHaveBeenCalledWith('node:crypto');
  load.mockRestore();
});
