import { afterEach, describe, expect, it, vi } from 'vitest';
import { createFrameReader, type FrameReaderOptions, type LimitName, limits } from '../../src/index.ts';

const names = Object.keys(limits) as LimitName[];

function create(options: Record<string, unknown>): unknown {
  return createFrameReader({ onFrames() {}, ...options } as FrameReaderOptions);
}

const range = expect.objectContaining({ code: 'OPTION_RANGE' });
const invalid = expect.objectContaining({ code: 'OPTION_INVALID' });

describe('the limits', () => {
  it.each(names)('%s is checked at construction, to the last one', (name) => {
    const { min, max } = limits[name];
    create({ [name]: min });
    // A window of the largest size is memory; the others are only numbers.
    create({ [name]: max });
    for (const value of [
      min - 1,
      max + 1,
      min + 0.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      -1,
      '5000',
      null,
      5000n,
    ]) {
      expect(() => create({ [name]: value })).toThrow(range);
    }
    expect(() => create({ [name]: min - 1 })).toThrow(name);
    create({ [name]: undefined });
  });
});

describe('the options', () => {
  it('are refused where they name what does not exist', () => {
    for (const option of ['engine', 'envelope', 'validate', 'utf8', 'duplicates']) {
      for (const value of ['nonsense', '', null, 1, true])
        expect(() => create({ [option]: value })).toThrow(invalid);
    }
    expect(() => createFrameReader({} as FrameReaderOptions)).toThrow(invalid);
    expect(() => create({ onFrames: 1 })).toThrow(invalid);
  });

  it("are refused where they contradict each other: validate 'none' needs envelope 'none'", () => {
    expect(() => create({ validate: 'none' })).toThrow(invalid);
    expect(() => create({ validate: 'none', envelope: 'jsonrpc' })).toThrow(invalid);
    create({ validate: 'none', envelope: 'none' });
    create({ validate: 'envelope', envelope: 'none' });
  });
});

describe('the engine', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('is switched by LINEWIRE_ENGINE where nothing is asked for', () => {
    vi.stubEnv('LINEWIRE_ENGINE', 'nonsense');
    expect(() => create({})).toThrow(invalid);
    expect(() => create({ engine: 'auto' })).toThrow(invalid);
    create({ engine: 'scalar' });
  });
});
