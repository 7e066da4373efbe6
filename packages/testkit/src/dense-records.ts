import type { Random } from './random.ts';

const names = ['amber', 'birch', 'cobalt', 'dune', 'ember', 'fjord', 'grove', 'harbor'];
const units = ['kg', 'm', 's', 'mol'];
const blockRecords = 256;

/**
 * A JSON array of small records, as a table or a search answers them: half of the bytes are structure or quotes, so nothing can
 * be skipped by the block. One random block of records, repeated: drawing a million bytes would only cost time.
 */
export function denseRecords(random: Random, byteCount: number): string {
  const block = Array.from({ length: blockRecords }, () => JSON.stringify(record(random))).join(',');
  const times = Math.max(1, Math.round(byteCount / (block.length + 1)));
  return `[${Array.from({ length: times }, () => block).join(',')}]`;
}

function record(random: Random): Record<string, unknown> {
  return {
    id: random.integer(0, 99_999),
    name: random.pick(names),
    on: random.integer(0, 1) === 1,
    at: [random.integer(-180, 180), random.integer(-9000, 9000) / 100],
    by: random.integer(0, 3) === 0 ? null : { n: random.integer(0, 9), u: random.pick(units) },
    tags: Array.from({ length: random.integer(0, 3) }, () => random.pick(units)),
  };
}
