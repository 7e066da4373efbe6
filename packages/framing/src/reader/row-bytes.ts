import { ROW_WORDS } from '../table/row.ts';

/** Length of a row of the frame table. */
export const ROW_BYTES: number = ROW_WORDS * Int32Array.BYTES_PER_ELEMENT;
