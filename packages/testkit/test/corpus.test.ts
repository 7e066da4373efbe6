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
});
