import { type PlannedCall, plannedCall } from './call-plan.ts';
import { denseRecords } from './dense-records.ts';
import {
  deepestCall,
  floodCall,
  lateMissCall,
  manyMembersCall,
  nearObjectsCall,
  nearStringsCall,
  newShapeCall,
} from './hostile-lines.ts';
import { Random } from './random.ts';
import { repeatedCall, repeatedResult } from './repeated-lines.ts';
import { callAnswer, callLine, requestLine } from './rpc-lines.ts';
import { thaiProse, thaiWords } from './thai-text.ts';
import { timelineResult } from './timeline.ts';

/** Every corpus holds valid JSON-RPC messages only, one per line, in UTF-8; what each is about stands in {@link corpora}. */
export type CorpusName =
  | 'tiny'
  | 'calls'
  | 'calls-modern'
  | 'answers'
  | 'answers-modern'
  | 'calls-thai'
  | '1kb'
  | '64kb'
  | '1mb'
  | '1mb-thai'
  | '1mb-dense'
  | 'escapes'
  | 'thai-emoji'
  | 'deep'
  | 'sdk-order'
  | 'timeline'
  | 'repeated-calls'
  | 'repeated-calls-thai'
  | 'repeated-results'
  | 'repeated-results-thai'
  | 'hostile-shapes'
  | 'hostile-flood'
  | 'hostile-members'
  | 'hostile-depth'
  | 'hostile-late'
  | 'hostile-strings'
  | 'hostile-objects';

type LineMaker = (random: Random, n: number) => string;

/** Endless lines of a corpus, without newline. */
export function* corpusLines(name: CorpusName, seed: number): Generator<string, never, undefined> {
  const random = new Random(seed);
  const make = makers[name];
  for (let n = 0; ; n++) yield make(random, n);
}

const makers: Record<CorpusName, LineMaker> = {
  tiny: (random, n) => random.pick(tinyLines)(n),
  calls: (random, n) => callLine(1000 + n, plainCall(random), 'legacy').trimEnd(),
  'calls-modern': (random, n) => callLine(1000 + n, plainCall(random), 'modern').trimEnd(),
  answers: (random, n) => JSON.stringify(callAnswer(1000 + n, plainCall(random).outcome, 'legacy')),
  'answers-modern': (random, n) => JSON.stringify(callAnswer(1000 + n, plainCall(random).outcome, 'modern')),
  'calls-thai': (random, n) => thaiCall(random, n),
  '1kb': (random, n) => textResult(n, prose(random, random.integer(840, 1010))),
  '64kb': (random, n) => textResult(n, sourceCode(random, random.integer(61_000, 63_500))),
  '1mb': (random, n) => blobResult(n, base64(random, random.integer(1_030_000, 1_060_000))),
  '1mb-thai': (random, n) => textResult(n, thaiProse(random, random.integer(1_030_000, 1_060_000))),
  '1mb-dense': (random, n) => recordsResult(n, denseRecords(random, random.integer(1_030_000, 1_060_000))),
  escapes: (random, n) => textResult(n, escapedText(random)),
  'thai-emoji': (random, n) => textResult(n, foreignText(random)),
  deep: (random, n) => deepCall(random, n),
  'sdk-order': (random, n) => sdkAnswer(random, n),
  timeline: timelineResult,
  'repeated-calls': (random, n) => repeatedCall(random, n, true),
  'repeated-calls-thai': (random, n) => repeatedCall(random, n, false),
  'repeated-results': (random, n) => repeatedResult(random, n, true),
  'repeated-results-thai': (random, n) => repeatedResult(random, n, false),
  'hostile-shapes': newShapeCall,
  'hostile-flood': floodCall,
  'hostile-members': manyMembersCall,
  'hostile-depth': deepestCall,
  'hostile-late': lateMissCall,
  'hostile-strings': nearStringsCall,
  'hostile-objects': nearObjectsCall,
};

function plainCall(random: Random): PlannedCall {
  return plannedCall(random.integer(0, 1 << 24), 'plain');
}

const tinyLines: readonly ((n: number) => string)[] = [
  (n) => `{"jsonrpc":"2.0","id":${n},"method":"ping"}`,
  (n) => `{"jsonrpc":"2.0","id":${n},"result":{}}`,
  (n) => `{"jsonrpc":"2.0","id":"p${n}","method":"ping"}`,
  () => '{"jsonrpc":"2.0","method":"notifications/initialized"}',
];

/** What a person types into a chat, as an argument; all else as in `calls`. */
function thaiCall(random: Random, n: number): string {
  const params = { name: 'echo', arguments: { text: thaiWords(random, random.integer(1, 2)) } };
  return requestLine(1000 + n, 'tools/call', params).trimEnd();
}

function textResult(n: number, text: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: n, result: { content: [{ type: 'text', text }] } });
}

function blobResult(n: number, blob: string): string {
  const resource = { uri: `file:///data/${n}.bin`, mimeType: 'application/octet-stream', blob };
  return JSON.stringify({ jsonrpc: '2.0', id: n, result: { content: [{ type: 'resource', resource }] } });
}

/** `records` is JSON already: parsing and writing a megabyte again would only cost time. */
function recordsResult(n: number, records: string): string {
  return `{"jsonrpc":"2.0","id":${n},"result":{"content":[],"structuredContent":{"records":${records}}}}`;
}

/** Member order of the official TypeScript SDK: the payload comes before anybody knows whose it is. */
function sdkAnswer(random: Random, n: number): string {
  if (random.integer(0, 9) === 0)
    return JSON.stringify({
      error: { code: -32602, message: `Tool ${random.pick(words)} not found` },
      jsonrpc: '2.0',
      id: n,
    });
  return JSON.stringify({
    result: { content: [{ type: 'text', text: prose(random, random.integer(5, 80)) }] },
    jsonrpc: '2.0',
    id: n,
  });
}

const words = (
  'the of and to in is that for it as was with be by on not he his but at are this have from or had an they which one were ' +
  'all we when there can more if no out so what said time has up into only some could new other than then first people may'
).split(' ');

function prose(random: Random, charCount: number): string {
  let text = '';
  while (text.length < charCount) text += `${random.pick(words)}${random.integer(0, 11) === 0 ? '. ' : ' '}`;
  return text.slice(0, charCount);
}

const codeLines = [
  'export function readFrame(bytes: Uint8Array): Frame | undefined {',
  '  const end = bytes.indexOf(10);',
  '  if (end < 0) return undefined;',
  '  // The rest is kept for the next chunk, "as is".',
  '  return { start: 0, end, kind: classify(bytes, 0, end) };',
  '}',
  '',
];

/** JavaScript-like lines: a newline escape every forty bytes or so and a few quotes, as files have that tools return. */
function sourceCode(random: Random, charCount: number): string {
  let text = '';
  while (text.length < charCount) text += `${random.pick(codeLines)}\n`;
  return text.slice(0, charCount);
}

const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** One random block of 4,096 characters, repeated: drawing a million characters would only cost time. */
function base64(random: Random, charCount: number): string {
  let block = '';
  for (let at = 0; at < 4096; at++) block += base64Alphabet[random.next() & 63] as string;
  return block.repeat(Math.ceil(charCount / 4096)).slice(0, charCount & ~3);
}

const escapePieces = [
  '"quoted"',
  'C:\\dir\\file',
  '\tindent\n',
  '\u0001\u001f',
  'a/b',
  '\\\\\\',
  '\r\n',
  'plain words ',
  '{"a":"b"}',
];

function escapedText(random: Random): string {
  let text = '';
  for (let piece = random.integer(90, 120); piece > 0; piece--) text += random.pick(escapePieces);
  return text;
}

const foreignPieces = [
  'สวัสดีชาวโลก ',
  'ทดสอบกำลังทำงาน',
  '🧪🔬',
  '👩‍🔬👨‍👩‍👧‍👦',
  '🇹🇭',
  ' ok ',
  'ข้อมูลบรรทัดที่ ',
  'é',
  '\u0e33\u0e4d',
];

function foreignText(random: Random): string {
  let text = '';
  for (let piece = random.integer(45, 60); piece > 0; piece--) text += random.pick(foreignPieces);
  return text;
}

function deepCall(random: Random, n: number): string {
  const depth = random.integer(100, 300);
  let head = '';
  let tail = '';
  for (let level = 0; level < depth; level++) {
    if (level % 2 === 0) {
      head += '{"k":[1,';
      tail = `]}${tail}`;
    } else {
      head += '[true,';
      tail = `]${tail}`;
    }
  }
  return `{"jsonrpc":"2.0","id":${n},"method":"x/deep","params":{"a":${head}"end"${tail}}}`;
}
