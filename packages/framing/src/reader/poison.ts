import { environmentVariable } from '../environment.ts';

/**
 * `LINEWIRE_POISON=1`: bytes are overwritten as soon as their batch is released, so that a view that outlived its callback shows.
 * Read once; it costs nothing when off.
 */
export const poisons: boolean = environmentVariable('LINEWIRE_POISON') === '1';

/** Neither ASCII nor UTF-8: whatever is read from it is visibly wrong. */
export const poisonByte = 0xdb;
