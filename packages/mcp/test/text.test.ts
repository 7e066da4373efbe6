import { describe, expect, it } from 'vitest';
import { printable, printableLine } from '../src/printable.ts';
import { StderrReporter } from '../src/server/stderr-reporter.ts';
import type { SessionReport } from '../src/session/session-report.ts';
import { memberText } from '../src/wire/member-text.ts';

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
