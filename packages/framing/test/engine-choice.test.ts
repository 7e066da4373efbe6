import { beforeEach, describe, expect, it, vi } from 'vitest';
import { STANDARD_AREA } from '../src/engine/areas.ts';
import type { AreaSize } from '../src/engine/engine.ts';
import type { EngineChoice } from '../src/engine-choice.ts';

/** The choice as a fresh thread has it, and a watch on the areas that it opens to try the wasm engine. */
async function freshChoice() {
  vi.resetModules();
  const { wasmEngine } = await import('../src/wasm/engine.ts');
  const openArea = vi.spyOn(wasmEngine, 'openArea');
  const { activeEngine, selectAreas } = await import('../src/engine-choice.ts');
  const engineOf = (choice?: EngineChoice, size: AreaSize = STANDARD_AREA): string =>
    selectAreas(choice, size).engine.name;
  return { activeEngine, engineOf, openArea };
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
      const { engineOf } = await freshChoice();
      expect(allChoices.map((choice) => engineOf(choice))).toEqual(names);
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
    const { activeEngine, engineOf, openArea } = await freshChoice();
    engineOf('scalar');
    expect(openArea).not.toHaveBeenCalled();
    engineOf('auto');
    engineOf('wasm');
    activeEngine();
    expect(openArea).toHaveBeenCalledTimes(1);
  });
});

describe('where there is memory for the standard area only', () => {
  const large: AreaSize = { ...STANDARD_AREA, windowBytes: STANDARD_AREA.windowBytes * 2 };
  const cause = new RangeError('out of room');

  it('a larger reader is scalar by auto, and gets the error when it asks for wasm', async () => {
    vi.stubEnv('LINEWIRE_ENGINE', '');
    const { engineOf, openArea } = await freshChoice();
    expect(engineOf('auto')).toBe('wasm');
    openArea.mockImplementation(() => {
      throw cause;
    });
    expect(engineOf('auto', large)).toBe('scalar');
    expect(() => engineOf('wasm', large)).toThrow(cause);
    expect(engineOf('auto')).toBe('wasm');
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
    const { activeEngine, engineOf, openArea } = await crampedChoice();
    expect(engineOf('auto')).toBe('scalar');
    expect(engineOf(undefined)).toBe('scalar');
    expect(activeEngine()).toEqual({ name: 'scalar', reason: 'out of room' });
    expect(openArea).toHaveBeenCalledTimes(1);
  });

  it('wasm is ENGINE_UNAVAILABLE with the reason, by option and by LINEWIRE_ENGINE', async () => {
    const { activeEngine, engineOf } = await crampedChoice();
    const refusal = expect.objectContaining({
      code: 'ENGINE_UNAVAILABLE',
      message: 'the wasm engine does not work here: out of room',
      cause,
    });
    expect(() => engineOf('wasm')).toThrow(refusal);
    vi.stubEnv('LINEWIRE_ENGINE', 'wasm');
    expect(() => engineOf('auto')).toThrow(refusal);
    expect(() => activeEngine()).toThrow(refusal);
    expect(engineOf('scalar')).toBe('scalar');
  });
});

it('a name that does not exist is OPTION_INVALID, by option and by LINEWIRE_ENGINE', async () => {
  const { activeEngine, engineOf } = await freshChoice();
  const invalid = expect.objectContaining({
    code: 'OPTION_INVALID',
    message: 'engine must be one of auto, scalar, wasm, not nonsense',
  });
  expect(() => engineOf('nonsense' as never)).toThrow(invalid);
  vi.stubEnv('LINEWIRE_ENGINE', 'nonsense');
  expect(() => engineOf('auto')).toThrow(invalid);
  expect(() => activeEngine()).toThrow(invalid);
  expect(engineOf('scalar')).toBe('scalar');
});
