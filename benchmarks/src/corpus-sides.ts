/**
 * The sides of every corpus case, in the order of the tables. `index` is the frame table with kinds, `route` adds id and
 * method of each message, `decode` adds the payload as values; these are the wasm engine's unless they say scalar.
 */
export const corpusSides = {
  newline: 'indexOf',
  frames: 'frames',
  envelope: 'index',
  full: 'full',
  route: 'route',
  decode: 'decode',
  scalarEnvelope: 'scalar index',
  scalarFull: 'scalar full',
  parse: 'JSON.parse',
} as const;

export type CorpusSide = keyof typeof corpusSides;

/** Everything on the Node of the harness; on the others what promises are about, with both engines. */
export const sidesOnOwn: readonly CorpusSide[] = Object.keys(corpusSides) as CorpusSide[];
export const sidesElsewhere: readonly CorpusSide[] = [
  'frames',
  'envelope',
  'full',
  'scalarEnvelope',
  'scalarFull',
  'parse',
];
