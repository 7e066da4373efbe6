import { describe, expect, it } from 'vitest';
import { type CorpusName, corpora, createCorpus } from '../src/index.ts';

const names = Object.keys(corpora) as CorpusName[];

describe.each(names)('corpus %s', (name) => {
  const corpus = createCorpus(name);
  const lines = corpus.bytes.toString('utf8').split('\n');

  it('holds messageCount whole lines and ends with a newline', () => {
    expect(lines.pop()).toBe('');
    expect(lines).toHaveLength(corpus.messageCount);
  });

  it('holds one valid JSON-RPC message per line', () => {
    for (const line of lines) {
      const message = JSON.parse(line) as Record<string, unknown>;
      if (
        message['jsonrpc'] !== '2.0' ||
        !('method' in message || 'result' in message || 'error' in message)
      ) {
        expect.fail(`no message: ${line.slice(0, 100)}`);
      }
    }
  });

  it('has the promised mean line length and size', () => {
    const { meanLineBytes, targetBytes } = corpora[name];
    const mean = corpus.bytes.length / corpus.messageCount;
    expect(mean).toBeGreaterThanOrEqual(meanLineBytes[0]);
    expect(mean).toBeLessThanOrEqual(meanLineBytes[1]);
    expect(corpus.bytes.length).toBeGreaterThanOrEqual(targetBytes);
  });

  it('is valid UTF-8, and ASCII exactly if it says so', () => {
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(corpus.bytes)).not.toThrow();
    expect(corpus.bytes.every((byte) => byte < 0x80)).toBe(corpus.ascii);
  });

  it('is the same for the same seed and another for another seed', () => {
    const small = { targetBytes: 100_000 };
    expect(
      createCorpus(name, { ...small, seed: 7 }).bytes.equals(createCorpus(name, { ...small, seed: 7 }).bytes),
    ).toBe(true);
    expect(
      createCorpus(name, { ...small, seed: 7 }).bytes.equals(createCorpus(name, { ...small, seed: 8 }).bytes),
    ).toBe(false);
  });

  it('owns its buffer', () => {
    expect(corpus.bytes.buffer.byteLength).toBe(corpus.bytes.length);
  });
});

function linesOf(name: CorpusName): string[] {
  return createCorpus(name).bytes.toString('utf8').trimEnd().split('\n');
}

describe('what each corpus is about', () => {
  it('escapes: a third to a half of the bytes belong to escapes', () => {
    const bytes = createCorpus('escapes').bytes;
    const escaped = (bytes.toString('latin1').match(/\\(?:u[0-9a-f]{4}|.)/g) ?? []).join('').length;
    expect(escaped / bytes.length).toBeGreaterThan(1 / 3);
    expect(escaped / bytes.length).toBeLessThan(1 / 2);
  });

  it('thai-emoji: most bytes are outside ASCII, three-byte and four-byte sequences both occur', () => {
    const bytes = createCorpus('thai-emoji').bytes;
    expect(bytes.filter((byte) => byte >= 0x80).length / bytes.length).toBeGreaterThan(0.6);
    expect(bytes.some((byte) => byte >= 0xf0)).toBe(true);
    expect(bytes.some((byte) => byte >= 0xe0 && byte < 0xf0)).toBe(true);
    expect(bytes.toString('utf8')).toContain('\u200d');
  });

  it('deep: nested 100 to 300 containers deep below params, always under 512', () => {
    for (const line of linesOf('deep')) {
      let depth = 0;
      let deepest = 0;
      for (const char of line) {
        if (char === '{' || char === '[') deepest = Math.max(deepest, ++depth);
        else if (char === '}' || char === ']') depth--;
      }
      expect(depth).toBe(0);
      expect(deepest).toBeGreaterThanOrEqual(100);
      expect(deepest).toBeLessThanOrEqual(512);
    }
  });

  it('sdk-order: the payload is the first member and the id the last', () => {
    for (const line of linesOf('sdk-order'))
      expect(line).toMatch(/^\{"(?:result|error)":\{.*\},"jsonrpc":"2\.0","id":\d+\}$/);
  });

  it('calls: every line is a tools/call of one of the four tools', () => {
    const tools = new Set(
      linesOf('calls').map((line) => (JSON.parse(line) as { params: { name: string } }).params.name),
    );
    expect([...tools].sort()).toEqual(['add', 'divide', 'echo', 'multiply']);
  });

  it('calls-thai: calls as long as those of `calls`, each with Thai in its argument', () => {
    const lines = linesOf('calls-thai');
    for (const line of lines) {
      const { method, params } = JSON.parse(line) as {
        method: string;
        params: { arguments: { text: string } };
      };
      expect(method).toBe('tools/call');
      expect(params.arguments.text).toMatch(/^\p{Script=Thai}+(?: \p{Script=Thai}+)?$/u);
    }
    const meanBytes = (name: CorpusName): number => {
      const { bytes, messageCount } = createCorpus(name);
      return bytes.length / messageCount;
    };
    expect(meanBytes('calls-thai') / meanBytes('calls')).toBeLessThan(1.15);
    expect(meanBytes('calls-thai') / meanBytes('calls')).toBeGreaterThan(0.85);
  });

  it('1mb-thai: nine bytes of ten are outside ASCII, all of them in three-byte letters', () => {
    const bytes = createCorpus('1mb-thai').bytes;
    expect(bytes.filter((byte) => byte >= 0x80).length / bytes.length).toBeGreaterThan(0.9);
    expect(bytes.some((byte) => byte >= 0xf0)).toBe(false);
  });

  it('1mb-dense: nearly half of the bytes are structure or quotes, and every kind of value occurs', () => {
    const text = createCorpus('1mb-dense').bytes.toString('latin1');
    expect((text.match(/[{}[\]:,"]/g) ?? []).length / text.length).toBeGreaterThan(0.45);
    for (const piece of [':true', ':null', ':[]', ':[-', '":{"']) expect(text).toContain(piece);
  });

  it.each(['repeated-calls', 'repeated-calls-thai', 'repeated-results', 'repeated-results-thai'] as const)(
    '%s: thousands of messages of 60 to 400 bytes, a handful of shapes, no message twice but for its id',
    (name) => {
      const lines = linesOf(name);
      expect(lines.length).toBeGreaterThan(3000);
      for (const line of lines) {
        const byteCount = Buffer.byteLength(line);
        if (byteCount < 60 || byteCount > 400) expect.fail(`${byteCount} bytes: ${line}`);
      }
      const shapes = new Set(lines.map((line) => shapeOf(JSON.parse(line))));
      expect(shapes.size).toBeGreaterThanOrEqual(3);
      expect(shapes.size).toBeLessThanOrEqual(8);
      const bodies = new Set(lines.map((line) => line.replace(/"id":\d+/, '')));
      expect(bodies.size / lines.length).toBeGreaterThan(0.98);
    },
  );

  it('the Thai ones among them have Thai and accented words in most messages', () => {
    for (const name of ['repeated-calls-thai', 'repeated-results-thai'] as const) {
      const lines = linesOf(name);
      const share = (pattern: RegExp): number =>
        lines.filter((line) => pattern.test(line)).length / lines.length;
      expect(share(/\p{Script=Thai}/u)).toBeGreaterThan(0.5);
      expect(share(/[à-ÿ]/)).toBeGreaterThan(0.3);
    }
  });

  it('hostile-shapes: no two messages of one shape', () => {
    const lines = linesOf('hostile-shapes');
    expect(new Set(lines.map((line) => shapeOf(JSON.parse(line)))).size).toBeGreaterThan(lines.length * 0.99);
  });

  it('hostile-flood: all names have one length and one hash of the multiply-by-31 kind', () => {
    const hash = (text: string): number => {
      let value = 0;
      for (const char of text) value = (Math.imul(value, 31) + char.charCodeAt(0)) | 0;
      return value;
    };
    const names = new Set(linesOf('hostile-flood').flatMap((line) => Object.keys(argumentsOf(line))));
    expect(names.size).toBeGreaterThan(1000);
    expect(new Set([...names].map(hash)).size).toBe(1);
    expect(new Set([...names].map((name) => name.length)).size).toBe(1);
  });

  it('hostile-members: one object of a million members', () => {
    expect(linesOf('hostile-members').map((line) => Object.keys(argumentsOf(line)).length)).toEqual([
      1_000_000,
    ]);
  });

  it('hostile-depth: every line is 512 deep', () => {
    for (const line of linesOf('hostile-depth')) {
      let depth = 0;
      let deepest = 0;
      for (const char of line) {
        if (char === '{' || char === '[') deepest = Math.max(deepest, ++depth);
        else if (char === '}' || char === ']') depth--;
      }
      expect(deepest).toBe(512);
    }
  });

  it('hostile-late: two of three messages have one shape, the others differ from it in their last name and from each other', () => {
    const lastNames = linesOf('hostile-late').map((line) => Object.keys(argumentsOf(line)).at(-1));
    expect(lastNames.filter((name) => name === 'last').length / lastNames.length).toBeCloseTo(2 / 3, 2);
    const others = lastNames.filter((name) => name !== 'last');
    expect(new Set(others).size).toBe(others.length);
    const shapes = new Set(
      linesOf('hostile-late').map((line) => shapeOf(JSON.parse(line.replace(/"las\w+"/, '"last"')))),
    );
    expect(shapes.size).toBe(1);
  });

  it('hostile-strings: one shape, and long strings that share all but their last bytes', () => {
    const lines = linesOf('hostile-strings');
    expect(new Set(lines.map((line) => shapeOf(JSON.parse(line)))).size).toBe(1);
    const texts = lines.flatMap((line) => {
      const { from, to } = argumentsOf(line) as { from: string; to: string };
      return [from, to];
    });
    expect(new Set(texts).size).toBe(texts.length);
    expect(new Set(texts.map((text) => text.slice(0, -7))).size).toBe(1);
  });

  it('hostile-objects: four come twice in a row, again and again, and all others once', () => {
    const counts = new Map<string, number>();
    for (const line of linesOf('hostile-objects')) {
      const { source } = (JSON.parse(line) as { params: { _meta: { source: string } } }).params._meta;
      counts.set(source, (counts.get(source) ?? 0) + 1);
    }
    const ofKnown = [...counts.values()].filter((count) => count > 1);
    expect(ofKnown.length).toBe(4);
    expect(Math.min(...ofKnown)).toBeGreaterThan(8);
    expect(new Set([...counts.keys()].map((source) => source.slice(0, -7))).size).toBe(1);
  });

  it('timeline: hundreds of posts, a good part of their text outside ASCII', () => {
    const [line = ''] = linesOf('timeline');
    const { result } = JSON.parse(line) as { result: { structuredContent: { posts: unknown[] } } };
    expect(result.structuredContent.posts.length).toBeGreaterThan(300);
    expect(Buffer.byteLength(line) / line.length).toBeGreaterThan(1.1);
  });
});

function argumentsOf(line: string): Record<string, unknown> {
  return (JSON.parse(line) as { params: { arguments: Record<string, unknown> } }).params.arguments;
}

/** Names and kinds of values, in order, whatever the values say. Booleans are one kind; so are numbers. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shapeOf).join()}]`;
  if (typeof value !== 'object' || value === null) return typeof value;
  return `{${Object.entries(value)
    .map(([name, inner]) => `${name}:${shapeOf(inner)}`)
    .join()}}`;
}
