import { idKey } from '@linewire/framing';
import { describe, expect, it } from 'vitest';
import { encodeText } from '../src/encode-text.ts';
import { memberText } from '../src/member-text.ts';
import { printable, printableLine } from '../src/printable.ts';
import { idOfText, keyOfText } from '../src/request-id.ts';
import type { SessionReport } from '../src/session-report.ts';
import { StderrReporter } from '../src/stderr-reporter.ts';

describe('printable', () => {
  it('shows controls, DEL, C1 and bidi marks as escapes', () => {
    expect(printable('a\u001b[31mb\u0007\u007f\u009b\u202ec\u2066\u061c')).toBe(
      'a\\u001b[31mb\\u0007\\u007f\\u009b\\u202ec\\u2066\\u061c',
    );
  });

  it('leaves line breaks, tabs and text in any script alone', () => {
    const text = 'ok\n\tสวัสดี 🧪 naïve\u00a0日本';
    expect(printable(text)).toBe(text);
  });

  it('in one line, breaks are escaped too', () => {
    expect(printableLine('a\n\tb\u2028')).toBe('a\\n\\tb\\u2028');
  });
});

describe('ids from text', () => {
  it.each<[string, string | number | bigint | undefined]>([
    ['1', 1],
    ['1.0', 1],
    ['10e-1', 1],
    ['1.5e1', 15],
    ['-0', 0],
    ['"a\\u0062"', 'ab'],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993.0', -9007199254740993n],
    ['1e20', 100000000000000000000n],
    ['1.5', undefined],
    ['9007199254740991.4', undefined],
    ['1e-5', undefined],
    ['1e999999999', undefined],
    ['null', undefined],
    ['{}', undefined],
  ])('%s is %s', (text, id) => {
    const found = idOfText(text);
    expect(found === 0 ? 0 : found).toBe(id);
    expect(keyOfText(text)).toBe(id === undefined ? undefined : idKey(id));
  });
});

describe('member text', () => {
  it.each<[string, string[], string | undefined]>([
    ['{"a":1}', ['a'], '1'],
    [' { "b" : [1,{"a":2}] , "a" : 12345678901234567890 } ', ['a'], '12345678901234567890'],
    ['{"a":1,"\\u0061":2}', ['a'], '2'],
    ['{"x":{"y":"}\\"{"}, "z":3}', ['x', 'y'], '"}\\"{"'],
    ['{"x":{"y":[ ]}}', ['x'], '{"y":[ ]}'],
    ['{"x":true}', ['y'], undefined],
    ['{"x":true}', ['x', 'y'], undefined],
    ['[1]', ['0'], undefined],
    ['{}', ['a'], undefined],
  ])('%s at %j is %s', (text, path, expected) => {
    expect(memberText(text, path)).toBe(expected);
  });
});

describe('the stderr reporter', () => {
  const report = (message: string): SessionReport => ({ code: 'JSON_SYNTAX', message, offset: 0 });

  it('writes ten lines in ten seconds, then counts, and goes on in the next window', () => {
    let now = 0;
    const lines: string[] = [];
    const reporter = new StderrReporter(
      (line) => lines.push(line),
      () => now,
    );
    for (let count = 0; count < 1000; count++) reporter.report(report('x'));
    expect(lines).toHaveLength(10);
    now = 10_000;
    reporter.report(report('y'));
    expect(lines.slice(10)).toEqual([
      'linewire: 990 more reports like these were left out\n',
      'linewire: JSON_SYNTAX: y\n',
    ]);
    reporter.unfold();
    expect(lines).toHaveLength(12);
  });

  it('a report is one line without control characters, whatever the peer wrote', () => {
    const lines: string[] = [];
    new StderrReporter((line) => lines.push(line)).report(report('a\n\u001b[2Jb'));
    expect(lines).toEqual(['linewire: JSON_SYNTAX: a\\n\\u001b[2Jb\n']);
  });
});

describe('encoding a text', () => {
  it('equals JSON.stringify for every unit, short and long', () => {
    for (let unit = 0; unit <= 0xffff; unit++) {
      const text = `a${String.fromCharCode(unit)}b`;
      if (encodeText(text) !== JSON.stringify(text)) expect.fail(`unit ${unit}`);
    }
    for (const text of ['', 'x'.repeat(24), 'x'.repeat(25), `${'x'.repeat(23)}"`, 'naïve 🧪']) {
      expect(encodeText(text)).toBe(JSON.stringify(text));
    }
  });
});
