import type { Random } from './random.ts';
import { thaiWords } from './thai-text.ts';

/* Traffic that repeats its shapes and never its values: a few tools, each call and each result of 60 to 400 bytes. */

/** Where the words of a line come from. */
interface Wording {
  /** A query, a title. */
  short(random: Random, wordCount: number): string;
  /** Running text of at least `byteCount` bytes and a word more at most; one in eight has a line break, so an escape. */
  long(random: Random, byteCount: number): string;
}

const plainWords = (
  'report invoice branch kernel window stream parser backlog release harbour signal the of with from before after every ' +
  'never into under about quick slow open closed failed merged'
).split(' ');

/** One and two bytes a letter in UTF-8, as in the names and the mails of half of Europe. */
const accentedWords = 'café naïve Größe über año señor élève Zürich façade Ærø smørrebrød crème brûlée'.split(
  ' ',
);

const plainWording: Wording = wordingOf((random) => random.pick(plainWords));

/** Thai words and accented ones by turns of chance, some plain words between them. */
const foreignWording: Wording = wordingOf((random) => {
  const dice = random.integer(0, 9);
  if (dice < 4) return thaiWords(random, 1);
  return random.pick(dice < 7 ? accentedWords : plainWords);
});

function wordingOf(word: (random: Random) => string): Wording {
  return {
    short: (random, wordCount) => Array.from({ length: wordCount }, () => word(random)).join(' '),
    long(random, byteCount) {
      const breakAt = random.integer(0, 7) === 0 ? byteCount >> 1 : byteCount;
      let text = word(random);
      while (Buffer.byteLength(text) < byteCount) {
        const isBreak = Buffer.byteLength(text) >= breakAt && !text.includes('\n');
        text += (isBreak ? '\n' : ' ') + word(random);
      }
      return text;
    },
  };
}

/** `tools/call` of three tools, every other one in the modern form that carries its envelope along. */
export function repeatedCall(random: Random, n: number, isPlain: boolean): string {
  const wording = isPlain ? plainWording : foreignWording;
  const { name, args } = random.pick(calls)(random, wording);
  const params = { name, arguments: args };
  const isModern = random.integer(0, 1) === 1;
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 1000 + n,
    method: 'tools/call',
    params: isModern ? { ...params, _meta: modernMeta(n) } : params,
  });
}

type CallMaker = (random: Random, wording: Wording) => { name: string; args: Record<string, unknown> };

const calls: readonly CallMaker[] = [
  (random, { short }) => ({
    name: 'search_issues',
    args: {
      query: short(random, random.integer(2, 4)),
      state: random.pick(['open', 'closed', 'all']),
      page: random.integer(1, 40),
      perPage: random.pick([10, 25, 50, 100]),
    },
  }),
  (random) => ({
    name: 'read_file',
    args: {
      path: `/srv/app/${random.pick(plainWords)}/${random.pick(plainWords)}-${random.integer(1, 999)}.ts`,
      offset: random.integer(0, 1 << 20),
      limit: random.integer(1, 4000),
    },
  }),
  (random, { short, long }) => ({
    name: 'append_note',
    args: {
      title: short(random, 2),
      text: long(random, random.integer(8, 40)),
      pinned: random.integer(0, 1) === 1,
    },
  }),
];

function modernMeta(n: number): Record<string, unknown> {
  return {
    progressToken: n,
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'testkit', version: '0.0.0' },
  };
}

/** Answers: mostly one text or a record, now and then a page of a tool list. */
export function repeatedResult(random: Random, n: number, isPlain: boolean): string {
  const wording = isPlain ? plainWording : foreignWording;
  const dice = random.integer(0, 9);
  const make = dice < 5 ? textResult : dice < 9 ? recordResult : listResult;
  return JSON.stringify({ jsonrpc: '2.0', id: 1000 + n, result: make(random, wording) });
}

function textResult(random: Random, { long }: Wording): unknown {
  return { content: [{ type: 'text', text: long(random, random.integer(12, 110)) }] };
}

function recordResult(random: Random, { short }: Wording): unknown {
  const record = {
    city: short(random, random.integer(1, 3)),
    temperatureC: random.integer(-300, 400) / 10,
    humidity: random.integer(0, 100),
    windKmh: random.integer(0, 1500) / 10,
    isRaining: random.integer(0, 1) === 1,
    at: new Date(1_790_000_000_000 + random.integer(0, 1 << 30) * 10).toISOString(),
  };
  return {
    content: [{ type: 'text', text: `${record.temperatureC} degrees` }],
    structuredContent: record,
    isError: false,
  };
}

function listResult(random: Random, { long }: Wording): unknown {
  const name = `${random.pick(plainWords)}_${random.integer(1, 99)}`;
  const properties = { id: { type: 'integer', minimum: random.integer(0, 9) }, note: { type: 'string' } };
  const inputSchema = { type: 'object', properties, required: ['id'] };
  const description = long(random, random.integer(10, 40));
  return { tools: [{ name, description, inputSchema }], nextCursor: `c${random.integer(1, 1 << 24)}` };
}
