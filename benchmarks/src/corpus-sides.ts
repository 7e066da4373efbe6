/**
 * The sides of every corpus case, in the order of the tables. `index` is the frame table with kinds, `route` adds id and
 * method of each message, `decode` adds the payload as values.
 */
export const corpusSides = {
  newline: 'indexOf',
  frames: 'frames',
  envelope: 'index',
  full: 'index, full',
  route: 'route',
  decode: 'decode',
  parse: 'JSON.parse',
} as const;

export type CorpusSide = keyof typeof corpusSides;
