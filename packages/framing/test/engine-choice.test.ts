import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { EngineChoice } from '../src/engine-choice.ts';

/** The choice as a fresh thread has it, and a watch on the areas that it opens to try the wasm engine. */
async function freshChoice() {
  vi.resetModules();
  const { wasmEngine } = await import('../src/wasm/engine.ts');
  const openArea = vi.spyOn(wasmEngine, 'openArea');
  return { ...(await import('../src/engine-choice.ts')), openArea };
}

const allChoices: readonly (EngineChoice | undefined)[] = [undefined, 'auto', 'scalar', 'wasm'];

describe('where WebAssembly works', () => {
  it.each([
    ['auto', ['wasm', 'wasm', 'scalar', 'wasm']],
    ['', ['wasm', 'wasm', 'scalar', 'wasm']],
    [undefined, ['wasm', 'wasm', 'scalar', 'wasm']],
    ['wasm', ['wasm', 'wasm', 'scalar', 'wasm']],
    ['scalar', ['scalar', 'scalar', 'scalar', 'wasm']],
  ])(
    'LINEWIRE_ENGINE=%s decides for readers that ask for nothing or auto, and for no other',
    async (value, names) => {
      vi.stubEnv('LINEWIRE_ENGINE', value);
      const { selectEngine } = await freshChoice();
      expect(allChoices.map((choice) => selectEngine(choice).name)).toEqual(names);
    },
  );

  it.each([
    ['auto', { name: 'wasm', reason: 'WebAssembly with SIMD works here' }],
    ['wasm', { name: 'wasm', reason: 'LINEWIRE_ENGINE=wasm' }],
    ['scalar', { name: 'scalar', reason: 'LINEWIRE_ENGINE=scalar' }],
  ])('activeEngine tells what LINEWIRE_ENGINE=%s comes to', async (value, active) => {
    vi.stubEnv('LINEWIRE_ENGINE', value);
    const { activeEngine } = await freshChoice();
    expect(activeEngine()).toEqual(active);
  });

  it('is found out by the first reader that may use it, once, and nothing is tried before', async () => {
    vi.stubEnv('LINEWIRE_ENGINE', '');
    const { activeEngine, selectEngine, openArea } = await freshChoice();
    selectEngine('scalar');
    expect(openArea).not.toHaveBeenCalled();
    selectEngine('auto');
    selectEngine('wasm');
    activeEngine();
    expect(openArea).toHaveBeenCalledTimes(1);
  });
});

describe('where WebAssembly does not work', () => {
  const cause = new RangeError('out of room');
  beforeEach(() => vi.stubEnv('LINEWIRE_ENGINE', ''));

  async function crampedChoice() {
    const choice = await freshChoice();
    choice.openArea.mockImplementation(() => {
      throw cause;
    });
    return choice;
  }

  it('auto is the scalar engine, and activeEngine has the reason; it is not tried again', async () => {
    const { activeEngine, selectEngine, openArea } = await crampedChoice();
    expect(selectEngine('auto').name).toBe('scalar');
    expect(selectEngine(undefined).name).toBe('scalar');
    expect(activeEngine()).toEqual({ name: 'scalar', reason: 'out of room' });
    expect(openArea).toHaveBeenCalledTimes(1);
  });

  it('wasm is ENGINE_UNAVAILABLE with the reason, by option and by LINEWIRE_ENGINE', async () => {
    const { activeEngine, selectEngine } = await crampedChoice();
    const refusal = expect.objectContaining({
      code: 'ENGINE_UNAVAILABLE',
      message: 'the wasm engine does not work here: out of room',
      cause,
    });
    expect(() => selectEngine('wasm')).toThrow(refusal);
    vi.stubEnv('LINEWIRE_ENGINE', 'wasm');
    expect(() => selectEngine('auto')).toThrow(refusal);
    expect(() => activeEngine()).toThrow(refusal);
    expect(selectEngine('scalar').name).toBe('scalar');
  });
});

it('a name that does not exist is OPTION_INVALID, by option and by LINEWIRE_ENGINE', async () => {
  const { activeEngine, selectEngine } = await freshChoice();
  const invalid = expect.objectContaining({
    code: 'OPTION_INVALID',
    message: 'engine must be one of auto, scalar, wasm, not nonsense',
  });
  expect(() => selectEngine('nonsense' as never)).toThrow(invalid);
  vi.stubEnv('LINEWIRE_ENGINE', 'nonsense');
  expect(() => selectEngine('auto')).toThrow(invalid);
  expect(() => activeEngine()).toThrow(invalid);
  expect(selectEngine('scalar').name).toBe('scalar');
});
