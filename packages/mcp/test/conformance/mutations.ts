import fc from 'fast-check';
import { lineBytes, type Transcript } from './transcript.ts';

/** What happens to a connection, one after the other. */
export type Act =
  /** As text with a character for each byte, which a failure can show. */
  { readonly kind: 'bytes'; readonly latin1: string } | { readonly kind: 'event'; readonly pick: number };

/** Pieces that land in a line. */
const PIECES = [
  ...['"', '{', '}', '[', ']', ',', ':', '\\', '\u0000', 'é', '\n', '\r', '\n\n', '\uFEFF', '{}', '[]'],
  ...['null', '1.5', '-0', '1e999', '"id":9,', '"_meta":{},', '"params":null,', '"jsonrpc":"1.0",'],
];
/** What a member may turn into. */
const VALUES: readonly unknown[] = [null, true, 0, -1, 1.5, 2 ** 60, '', 'x', [], [1], {}, { id: 1 }];

interface Edit {
  readonly kind: 'piece' | 'byte' | 'drop' | 'double' | 'swap' | 'forget' | 'replace' | 'turn';
  readonly line: number;
  readonly at: number;
  readonly length: number;
  readonly pick: number;
}

/** Connections made of transcripts: some of them, interleaved, with edits of lines, bytes and members, cut anywhere. */
export function mutatedConnections(transcripts: readonly Transcript[]): fc.Arbitrary<Act[]> {
  const edits: fc.Arbitrary<Edit[]> = fc.array(
    fc.record({
      kind: fc.constantFrom('piece', 'byte', 'drop', 'double', 'swap', 'forget', 'replace', 'turn'),
      line: fc.nat(40),
      at: fc.nat(400),
      length: fc.nat(12),
      pick: fc.nat(1000),
    }),
    { maxLength: 6 },
  );
  return fc
    .record({
      spoken: fc.array(fc.constantFrom(...transcripts), { minLength: 1, maxLength: 3 }),
      order: fc.array(fc.nat(2), { maxLength: 40 }),
      edits,
      cuts: fc.array(fc.nat(4000), { maxLength: 8 }),
      events: fc.array(fc.record({ at: fc.nat(4000), pick: fc.nat(100) }), { maxLength: 4 }),
    })
    .map(({ spoken, order, edits, cuts, events }) => {
      const lines = interleaved(spoken.map(clientLines), order);
      const bytes = Buffer.concat(edits.reduce(edited, lines)).toString('latin1');
      return pieces(bytes, cuts, events);
    });
}

/** What the client says in a transcript, with the handshake that comes before. */
function clientLines({ setting, steps }: Transcript): Uint8Array[] {
  const { handshake, capabilities = {} } = setting;
  const params = { protocolVersion: handshake, capabilities, clientInfo: { name: 'c', version: '1' } };
  const hello = JSON.stringify({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params });
  const said = steps.flatMap((step) => (step.kind === 'client' ? [step.text] : []));
  // What a server had named: 0 is often the id of its first request.
  const named = said.map((line) => line.replace(/⟨\$\w+!?⟩/g, '0'));
  return (handshake === undefined ? named : [hello, ...named]).map(lineBytes);
}

function interleaved(conversations: Uint8Array[][], order: readonly number[]): Uint8Array[] {
  const rests = conversations.map((lines) => [...lines]);
  const merged: Uint8Array[] = [];
  for (const which of order) {
    const next = rests[which % rests.length]?.shift();
    if (next !== undefined) merged.push(next);
  }
  return [...merged, ...rests.flat()];
}

function edited(lines: Uint8Array[], { kind, line, at, length, pick }: Edit): Uint8Array[] {
  const index = line % Math.max(lines.length, 1);
  const target = lines[index];
  if (target === undefined) return lines;
  switch (kind) {
    case 'drop':
      return lines.toSpliced(index, 1);
    case 'double':
      return lines.toSpliced(index, 0, target);
    case 'swap':
      return lines.toSpliced(index, 1).toSpliced(pick % lines.length, 0, target);
    case 'piece':
    case 'byte': {
      const from = at % (target.length + 1);
      const piece = kind === 'byte' ? Buffer.of(pick % 256) : Buffer.from(PIECES[pick % PIECES.length] ?? '');
      return lines.with(
        index,
        Buffer.concat([target.subarray(0, from), piece, target.subarray(from + length)]),
      );
    }
    default:
      return lines.with(index, withMember(target, kind, at, pick));
  }
}

/** The message with one member, at any depth, left out, of another value, or in another place. */
function withMember(
  line: Uint8Array,
  kind: 'forget' | 'replace' | 'turn',
  at: number,
  pick: number,
): Uint8Array {
  let message: unknown;
  try {
    message = JSON.parse(Buffer.from(line).toString());
  } catch {
    return line;
  }
  const objects = objectsIn(message);
  const object = objects[at % Math.max(objects.length, 1)];
  const names = Object.keys(object ?? {});
  const name = names[pick % Math.max(names.length, 1)];
  if (object === undefined || name === undefined) return line;
  const value = object[name];
  delete object[name];
  if (kind === 'turn') object[name] = value;
  if (kind === 'replace') object[name] = VALUES[pick % VALUES.length];
  return Buffer.from(`${JSON.stringify(message)}\n`);
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(objectsIn)];
}

function pieces(latin1: string, cuts: number[], events: { at: number; pick: number }[]): Act[] {
  const places = [
    ...cuts.map((at) => ({ at: at % (latin1.length + 1), pick: undefined })),
    ...events.map(({ at, pick }) => ({ at: at % (latin1.length + 1), pick })),
  ].sort((a, b) => a.at - b.at);
  const acts: Act[] = [];
  let from = 0;
  for (const { at, pick } of places) {
    acts.push({ kind: 'bytes', latin1: latin1.slice(from, at) });
    if (pick !== undefined) acts.push({ kind: 'event', pick });
    from = at;
  }
  return [...acts, { kind: 'bytes', latin1: latin1.slice(from) }];
}
