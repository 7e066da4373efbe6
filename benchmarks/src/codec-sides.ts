/**
 * The sides of the codec's cases. `lines` stands for the whole way from bytes as they are read to values: on our side the frame
 * reader with id and method, on the other `JSON.parse` of every line. The others begin where the payload of each message is known to be, for
 * both, and measure nothing but what is done with it; the last two write whole messages, newline included, into one buffer.
 */
export const codecSides = {
  parseLines: 'JSON.parse, lines',
  decodeLines: 'payload, lines',
  nameLines: 'lazy name, lines',
  parse: 'JSON.parse',
  payload: 'payload',
  name: 'lazy name',
  stringify: 'JSON.stringify, write',
  encode: 'encodeInto',
} as const;

export type CodecSide = keyof typeof codecSides;
