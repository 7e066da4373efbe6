/** Names of the sides of every corpus case, in the order of the tables. */
export const corpusSides = {
  newline: 'indexOf newline',
  frames: "frames, validate 'none'",
  envelope: "index, validate 'envelope'",
  full: "index, validate 'full'",
  route: "index 'envelope' + kind, id, method",
  decode: "index 'envelope' + decode",
  parse: 'JSON.parse per line',
} as const;

export type CorpusSide = keyof typeof corpusSides;
