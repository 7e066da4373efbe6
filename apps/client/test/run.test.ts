import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sameAnswer, sameValue } from '../src/run-compare.ts';
import { framesOf, linesOf } from '../src/run-lines.ts';

const bin = fileURLToPath(new URL('../bin/linewire.js', import.meta.url));
const serverBin = fileURLToPath(new URL('../../server/bin/linewire-server.js', import.meta.url));
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'linewire-run-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
  return path;
}

interface Result {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function linewire(...args: string[]): Result {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  return { status, stdout, stderr };
}

/** A command that answers every request; `say` is what it writes for one. */
function command(onRequest: string, atEnd = ''): string[] {
  const source = `
    const write = (line) => process.stdout.write(line + '\\n');
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id } = JSON.parse(line);
      ${onRequest}
    }).on('close', () => { ${atEnd} });
  `;
  return [process.execPath, '-e', source];
}

const GOOD = `write(JSON.stringify({ jsonrpc: '2.0', id, result: { n: id } }));`;

function requests(count: number): string {
  return file(
    'requests.jsonl',
    Array.from({ length: count }, (_, id) => `{"jsonrpc":"2.0","id":${id},"method":"m"}`),
  );
}

function answers(count: number, n = (id: number): string => String(id)): string {
  return file(
    'answers.jsonl',
    Array.from({ length: count }, (_, id) => `{"jsonrpc":"2.0","id":${id},"result":{"n":${n(id)}}}`),
  );
}

describe('linewire run', () => {
  it('plays a file, compares every answer and tells the rate', () => {
    const result = linewire('run', requests(3), '--expect', answers(3), '--', ...command(GOOD));
    expect(result.stderr).toBe('');
    expect(result.stdout).toMatch(
      /^3 messages, 3 answers: all right\n\d+\.\d{3} s .*, [\d,]+ messages\/s\n$/,
    );
    expect(result.status).toBe(0);
  });

  it('without --expect each request must get one answer, whatever it says', () => {
    expect(linewire('run', requests(3), '--', ...command(GOOD))).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('all answered'),
    });
    const twice = linewire('run', requests(1), '--', ...command(GOOD + GOOD));
    expect(twice).toMatchObject({ status: 1, stdout: expect.stringContaining('extra') });
  });

  it('plays against linewire-server, with its input ended at once too', () => {
    const hello =
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}';
    const call = (id: number): string =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"slow","arguments":{"ms":30}}}`;
    const path = file('slow.jsonl', [hello, ...Array.from({ length: 50 }, (_, at) => call(at + 2))]);
    for (const eof of [[], ['--eof']]) {
      const result = linewire('run', path, ...eof, '--', process.execPath, serverBin);
      expect(result).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('51 answers: all answered'),
      });
    }
  });

  it.each([
    [
      'a wrong value',
      GOOD.replace('n: id', 'n: id === 1 ? 7 : id'),
      ['wrong    id 1', 'expected {"jsonrpc"', '"n":7'],
    ],
    [
      'an id of another type',
      GOOD.replace('id, result', 'id: id === 1 ? "1" : id, result'),
      ['missing  1 answer: id 1', 'extra    {"jsonrpc":"2.0","id":"1"'],
    ],
    ['an answer too many', `${GOOD} if (id === 1) ${GOOD}`, ['extra    {"jsonrpc":"2.0","id":1']],
    ['noise', `write('\\u001b[31mlistening'); ${GOOD}`, ['extra    \\x1b[31mlistening']],
    ['a member too many', GOOD.replace('n: id', 'n: id, m: id'), ['wrong    id 0']],
  ])('%s fails the run and is shown', (_, onRequest, shown) => {
    const result = linewire(
      'run',
      requests(2),
      '--expect',
      answers(2),
      '--timeout-ms',
      '1500',
      '--',
      ...command(onRequest),
    );
    expect(result.status).toBe(1);
    expect(result.stdout).toContain('not all right');
    for (const text of shown) expect(result.stdout).toContain(text);
    expect(result.stdout).not.toContain('\u001b');
  });

  it('-0 is not 0', () => {
    const result = linewire(
      'run',
      requests(1),
      '--expect',
      answers(1, () => '-0'),
      '--',
      ...command(GOOD),
    );
    expect(result.status).toBe(1);
  });

  it('gives up after --timeout-ms without an answer, names what is missing and ends the command', () => {
    const started = performance.now();
    const silent = command(`if (id < 2) ${GOOD}`);
    const result = linewire(
      'run',
      requests(4),
      '--expect',
      answers(4),
      '--timeout-ms',
      // Longer than a start takes on a busy machine: two answers are to come.
      '3000',
      '--',
      ...silent,
    );
    expect(result).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('missing  2 answers: id 2, 3'),
    });
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  it('a command that fails is told with its code and its stderr, made printable', () => {
    const failing = command(GOOD, `process.stderr.write('bad \\u001b[2J end\\n'); process.exit(3);`);
    const result = linewire('run', requests(1), '--', ...failing);
    expect(result.status).toBe(1);
    expect(result.stdout).toContain('the command exited with code 3');
    expect(result.stdout).toContain('bad \\u001b[2J end');
  });

  it('a command that does not exist is named', () => {
    const result = linewire('run', requests(1), '--', 'no-such-command-here');
    expect(result).toMatchObject({ status: 1, stdout: expect.stringContaining('no-such-command-here') });
  });

  it('at most five differences are shown, the rest is counted', () => {
    const result = linewire(
      'run',
      requests(100),
      '--expect',
      answers(100),
      '--',
      ...command(GOOD.replace('n: id', 'n: 0.5')),
    );
    expect(result.stdout.match(/wrong {4}id/g)).toHaveLength(5);
    expect(result.stdout).toContain('and 95 more wrong');
  });

  it.each([
    ['no command', (): string[] => ['run', requests(1)]],
    ['a file that is not there', (): string[] => ['run', join(folder, 'none'), '--', 'cat']],
    ['an unknown option', (): string[] => ['run', requests(1), '--fast', '--', 'cat']],
    ['an unknown command', (): string[] => ['walk']],
    ['nothing', (): string[] => []],
    [
      'a time-out that is no number',
      (): string[] => ['run', requests(1), '--timeout-ms', 'soon', '--', 'cat'],
    ],
    [
      'an answers file that holds requests',
      (): string[] => ['run', requests(1), '--expect', requests(1), '--', 'cat'],
    ],
  ])('%s is a usage error: exit 2', (_, args) => {
    const result = linewire(...args());
    expect(result.status).toBe(2);
    expect(result.stderr + result.stdout).not.toContain('    at ');
  });

  it('--help lists the commands, --version the version', () => {
    expect(linewire('--help')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('run <messages>'),
    });
    expect(linewire('run', '--help')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('--expect'),
    });
    expect(linewire('--version')).toMatchObject({ status: 0, stdout: expect.stringContaining('0.1.0') });
  });
});

describe('comparing answers', () => {
  it.each<[string, string, boolean]>([
    ['{"a":1,"b":[1,2]}', '{ "b":[1,2.0], "a":1e0 }', true],
    ['{"a":1}', '{"a":1,"b":null}', false],
    ['{"a":0}', '{"a":-0}', false],
    ['{"__proto__":1}', '{"__proto__":2}', false],
    ['[]', '{}', false],
    ['[1,2]', '[2,1]', false],
    ['null', '{}', false],
    ['"\\u0061"', '"a"', true],
  ])('%s and %s: %s', (left, right, same) => {
    expect(sameValue(JSON.parse(left), JSON.parse(right))).toBe(same);
  });

  it('leaves the id out: it was matched before', () => {
    expect(sameAnswer('{"id":1,"result":{}}', '{"result":{},"id":1.0}')).toBe(true);
  });
});

describe('reading a file', () => {
  const text = (lines: Iterable<string>): string[] => [...lines];

  it('gives every line as cat would play it, blank ones too', () => {
    expect(text(linesOf(new TextEncoder().encode('\uFEFFa\r\n\nb'), 'x'))).toEqual(['\uFEFFa\r', '', 'b']);
    expect(text(linesOf(new Uint8Array(), 'x'))).toEqual([]);
  });

  it('lines longer than a block and characters at its edge come whole', () => {
    const lines = [
      'x'.repeat(700_000),
      '🧪'.repeat(200_000),
      ...Array.from({ length: 20_000 }, (_, at) => `ส${at}`),
    ];
    expect(text(linesOf(new TextEncoder().encode(lines.join('\n')), 'x'))).toEqual(lines);
    expect(framesOf(new TextEncoder().encode(lines.join('\n'))).firstOther).toBe(1);
  });

  it('a file that is not UTF-8 is refused with its name', () => {
    expect(() => text(linesOf(new Uint8Array([0x61, 0x0a, 0xff]), 'some.jsonl'))).toThrow(
      'some.jsonl is not UTF-8',
    );
  });
});
