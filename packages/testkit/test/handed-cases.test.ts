import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fixturePath, handedCases } from '../src/index.ts';

const cases = handedCases();

describe('the handed cases', () => {
  it('prove their own expectations with plain Node', () => {
    expect(execFileSync(process.execPath, [fixturePath('check.mjs')], { encoding: 'utf8' })).toBe(
      'ok 47 files 645 frames\n',
    );
  });

  it('come whole: 47 files, 645 frames', () => {
    expect(cases).toHaveLength(47);
    expect(cases.flatMap((handed) => handed.frames)).toHaveLength(645);
  });

  it('give values as JSON.parse gives them, or a depth where the value is too deep to write down', () => {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for (const handed of cases) {
      let at = handed.skipBom ? 3 : 0;
      for (const frame of handed.frames) {
        const newline = handed.bytes.indexOf(10, at);
        const end = newline < 0 ? handed.bytes.length : newline;
        if (frame.kind === 'value' || frame.kind === 'value-at-eof') {
          const value: unknown = JSON.parse(decoder.decode(handed.bytes.subarray(at, end)));
          if (frame.depth === undefined) expect(frame.value).toStrictEqual(value);
          else expect(frame.value).toBeUndefined();
        }
        at = end + 1;
      }
    }
  });

  it('own their buffers, so that a test may transfer or poison them', () => {
    for (const handed of cases) expect(handed.bytes.buffer.byteLength).toBe(handed.bytes.length);
  });

  it('hold only the frame kinds and classes that the types name', () => {
    const kinds = new Set(cases.flatMap((handed) => handed.frames.map((frame) => frame.kind)));
    expect([...kinds].sort()).toEqual(['blank', 'error', 'truncated-at-eof', 'value', 'value-at-eof']);
    const classes = new Set(
      cases.flatMap((handed) => handed.frames.map((frame) => ('rpc' in frame ? frame.rpc : undefined))),
    );
    expect([...classes].filter((rpc) => rpc !== undefined).sort()).toEqual([
      'batch',
      'empty-batch',
      'error-response',
      'invalid-request',
      'invalid-response',
      'not-a-message',
      'notification',
      'request',
      'response',
    ]);
  });
});

describe('fixturePath', () => {
  it('finds process fixtures by short and by whole name', () => {
    expect(fixturePath('p16')).toBe(fixturePath('p16-echo.mjs'));
    for (const name of ['p01', 'p02', 'p03', 'p05', 'p07', 'p08', 'p09', 'p11', 'p15', 'p16', 'p18'])
      expect(existsSync(fixturePath(name))).toBe(true);
  });

  it('names what it cannot find', () => {
    expect(() => fixturePath('p99')).toThrow('p99');
  });
});
