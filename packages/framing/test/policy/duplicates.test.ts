import { describe, expect, it } from 'vitest';
import { brief, events, values } from '../support/events.ts';

const names = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];

/** The name with its last letter escaped. */
function escaped(name: string): string {
  const last = name
    .charCodeAt(name.length - 1)
    .toString(16)
    .padStart(4, '0');
  return `${name.slice(0, -1)}\\u${last}`;
}

function allEscaped(name: string): string {
  return [...name]
    .map((letter) => `\\u${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
    .join('');
}

describe('a duplicate envelope member', () => {
  it.each(names)(
    '%s is a fault at the opening quote of the second key, in any spelling of either',
    (name) => {
      for (const first of [name, escaped(name), allEscaped(name)]) {
        for (const second of [name, escaped(name), allEscaped(name)]) {
          const json = `{"${first}":null,"x":1,"${second}":null}`;
          for (const split of ['whole', 1] as const) {
            const [event] = events(`${json}\n`, {}, split);
            expect([event?.kind, event?.code]).toEqual(['fault', 'ENVELOPE_DUPLICATE']);
            expect(event?.offset).toBe(json.indexOf(`"${second}":null}`));
          }
        }
      }
    },
  );

  it('is none where the names only look alike, or stand deeper, or are no envelope members', () => {
    const fine = [
      '{"jsonrpc":"2.0","id":1,"Id":2,"ID":3,"method":"m"}',
      '{"jsonrpc":"2.0","id":1,"method":"m","params":{"id":1,"id":2}}',
      '{"jsonrpc":"2.0","id":1,"method":"m","x":1,"x":2}',
      '{"jsonrpc":"2.0","id":1,"method":"m","__proto__":1,"__proto__":2}',
      '{"jsonrpc":"2.0","id":1,"method":"m","\\u0069d\\u0000":2}',
      '{"jsonrpc":"2.0","id":1,"method":"m","id ":2}',
    ];
    for (const json of fine) expect(brief(`${json}\n`)).toEqual(['request id 1']);
    expect(brief('[{"id":1,"id":2}]\n')).toEqual(['batch']);
  });

  it('is none without an envelope', () => {
    expect(brief('{"id":1,"id":2}\n', { envelope: 'none' })).toEqual(['value']);
  });
});

describe("duplicates: 'last'", () => {
  const last = { duplicates: 'last' } as const;

  it('takes the last member, as JSON.parse does', () => {
    const json =
      '{"jsonrpc":"1","id":1,"method":"a","params":{"x":1},"\\u0069d":"b","method":"c","params":{"y":2},"jsonrpc":"2.0"}';
    const [event] = events(`${json}\n`, last);
    expect(event).toMatchObject({ kind: 'request', idText: '"b"', method: 'c', payloadText: '{"y":2}' });
    expect(values(`${json}\n`, last)).toEqual([JSON.parse(json)]);
  });

  it('judges the last member only', () => {
    expect(brief('{"jsonrpc":"2.0","id":null,"id":1,"method":2,"method":"m"}\n', last)).toEqual([
      'request id 1',
    ]);
    expect(brief('{"jsonrpc":"2.0","id":1,"id":null,"method":"m"}\n', last)).toEqual(['invalid ENVELOPE_ID']);
    expect(brief('{"jsonrpc":"2.0","id":1,"method":"m","method":2}\n', last)).toEqual([
      'invalid ENVELOPE_METHOD id 1',
    ]);
    expect(events('{"jsonrpc":"2.0","id":1,"method":"m","method":2}\n', last)[0]?.method).toBeUndefined();
    expect(events('{"jsonrpc":"2.0","method":"m","params":{"a":1},"params":null}\n', last)[0]).toMatchObject({
      kind: 'notification',
      payloadText: undefined,
      members: 'm',
    });
  });
});
