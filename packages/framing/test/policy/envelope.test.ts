import { describe, expect, it } from 'vitest';
import { brief, events, type FrameEvent, read, values } from '../support/events.ts';

const good: readonly (readonly [json: string, kind: string])[] = [
  ['{"jsonrpc":"2.0","id":1,"method":"m"}', 'request id 1'],
  ['{"method":"m","id":1,"jsonrpc":"2.0"}', 'request id 1'],
  ['{ "jsonrpc" : "2.0" , "id" : "a" , "method" : "m" , "params" : { } }', 'request id "a"'],
  ['\t{"jsonrpc":"2.0","id":1,"method":"m"}\r ', 'request id 1'],
  ['{"jsonrpc":"2.0","id":1,"method":""}', 'request id 1'],
  ['{"jsonrpc":"2.0","id":1,"method":"m","params":null}', 'request id 1'],
  ['{"jsonrpc":"2.0","id":1,"method":"m","other":[1],"":0}', 'request id 1'],
  ['{"json\\u0072pc":"2.0","\\u0069d":1,"m\\u0065thod":"m"}', 'request id 1'],
  ['{"jsonrpc":"2\\u002e0","id":1,"method":"m"}', 'request id 1'],
  ['{"jsonrpc":"2.0","method":"m"}', 'notification'],
  ['{"jsonrpc":"2.0","method":"m","params":{"id":1}}', 'notification'],
  ['{"jsonrpc":"2.0","id":1,"result":{}}', 'result id 1'],
  ['{"result":{"a":[{}]},"jsonrpc":"2.0","id":"x"}', 'result id "x"'],
  ['{"jsonrpc":"2.0","id":1,"error":{}}', 'error id 1'],
  ['{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}', 'error'],
  ['{"jsonrpc":"2.0","error":{"code":1}}', 'error'],
  ['[]', 'batch'],
  ['[1]', 'batch'],
  ['[{"jsonrpc":"2.0","id":1,"method":"m"}]', 'batch'],
];

const bad: readonly (readonly [json: string, code: string])[] = [
  ['42', 'SHAPE'],
  ['"x"', 'SHAPE'],
  ['null', 'SHAPE'],
  ['true', 'SHAPE'],
  ['{}', 'VERSION'],
  ['{"jsonrpc":2.0,"id":1,"method":"m"}', 'VERSION'],
  ['{"jsonrpc":"2","id":1,"method":"m"}', 'VERSION'],
  ['{"jsonrpc":"2.00","id":1,"method":"m"}', 'VERSION'],
  ['{"jsonrpc":null,"id":null,"method":1}', 'VERSION'],
  ['{"jsonrpc":"2.0","id":null,"method":"m"}', 'ID'],
  ['{"jsonrpc":"2.0","id":null,"result":{}}', 'ID'],
  ['{"jsonrpc":"2.0","result":{}}', 'ID'],
  ['{"jsonrpc":"2.0","id":1.5,"error":{}}', 'ID'],
  ['{"jsonrpc":"2.0","id":{},"method":1}', 'ID'],
  ['{"jsonrpc":"2.0","id":1,"method":null}', 'METHOD'],
  ['{"jsonrpc":"2.0","method":["m"]}', 'METHOD'],
  ['{"jsonrpc":"2.0","id":1,"method":1,"result":{}}', 'METHOD'],
  ['{"jsonrpc":"2.0","id":1}', 'OUTCOME'],
  ['{"jsonrpc":"2.0","id":1,"params":{}}', 'OUTCOME'],
  ['{"jsonrpc":"2.0"}', 'OUTCOME'],
  ['{"jsonrpc":"2.0","id":1,"result":null}', 'OUTCOME'],
  ['{"jsonrpc":"2.0","id":1,"result":[]}', 'OUTCOME'],
  ['{"jsonrpc":"2.0","id":1,"result":"x"}', 'OUTCOME'],
  ['{"jsonrpc":"2.0","id":1,"error":null}', 'OUTCOME'],
  ['{"jsonrpc":"2.0","id":1,"error":"x"}', 'OUTCOME'],
  ['{"jsonrpc":"2.0","id":1,"result":{},"error":{}}', 'OUTCOME'],
  ['{"jsonrpc":"2.0","id":1,"method":"m","result":{}}', 'OUTCOME'],
  ['{"jsonrpc":"2.0","id":1,"method":"m","error":{},"params":1}', 'OUTCOME'],
  ['{"jsonrpc":"2.0","id":1,"method":"m","params":[]}', 'PARAMS'],
  ['{"jsonrpc":"2.0","id":1,"method":"m","params":0}', 'PARAMS'],
  ['{"jsonrpc":"2.0","method":"m","params":"x"}', 'PARAMS'],
  ['{"jsonrpc":"2.0","id":1,"result":{},"params":[]}', 'PARAMS'],
];

const both = ['full', 'envelope'] as const;

describe('the envelope', () => {
  it.each(good)('of %s makes it a %s', (json, kind) => {
    for (const validate of both) {
      for (const split of ['whole', 1] as const)
        expect(brief(`${json}\n`, { validate }, split)).toEqual([kind]);
    }
  });

  it.each(bad)('of %s is ENVELOPE_%s', (json, code) => {
    for (const validate of both) {
      for (const split of ['whole', 1] as const) {
        const [event] = events(`${json}\n`, { validate }, split);
        expect([event?.kind, event?.code, event?.offset]).toEqual(['invalid', `ENVELOPE_${code}`, 0]);
      }
    }
  });

  it('is not looked at where it is not asked for', () => {
    for (const [json] of [...good, ...bad])
      expect(brief(`${json}\n`, { envelope: 'none' })).toEqual(['value']);
    const [event] = events('{"jsonrpc":"2.0","id":1,"method":"m","params":{}}\n', { envelope: 'none' });
    expect(event).toMatchObject({
      idText: undefined,
      method: undefined,
      payloadText: undefined,
      members: '',
    });
  });

  it('is read at depth 1 only', () => {
    const nested = '{"jsonrpc":"2.0","id":1,"result":{"id":2,"method":"x","error":{"id":3}}}\n';
    expect(brief(nested)).toEqual(['result id 1']);
  });
});

describe('members', () => {
  const membersOf = (json: string): FrameEvent | undefined => events(`${json}\n`)[0];

  it('are told by presence, not by truth', () => {
    expect(membersOf('{"method":null,"result":0,"error":false,"params":""}')?.members).toBe('mpre');
    expect(membersOf('{"params":null}')?.members).toBe('');
    expect(membersOf('{"params":[]}')?.members).toBe('p');
    expect(membersOf('{"methods":1,"Result":2,"err":3}')?.members).toBe('');
  });

  it('give the payload: params of a call, result or error of an answer', () => {
    expect(membersOf('{"jsonrpc":"2.0","method":"m","params": {"a" : 1} }')?.payloadText).toBe('{"a" : 1}');
    expect(membersOf('{"jsonrpc":"2.0","method":"m","params":null}')?.payloadText).toBeUndefined();
    expect(membersOf('{"jsonrpc":"2.0","id":1,"result":{"é":1}}')?.payloadText).toBe('{"é":1}');
    expect(membersOf('{"jsonrpc":"2.0","id":1,"error":{"code":1}}')?.payloadText).toBe('{"code":1}');
  });

  it('decode the method, whatever its spelling', () => {
    const method = (text: string): string | undefined =>
      membersOf(`{"jsonrpc":"2.0","method":${text}}`)?.method;
    expect(method('"tools/call"')).toBe('tools/call');
    expect(method('"tools\\/call"')).toBe('tools/call');
    expect(method('"\\u0074ools/call"')).toBe('tools/call');
    expect(method('"ทดสอบ"')).toBe('ทดสอบ');
    expect(method('"🧪\\n\\ud83d"')).toBe('🧪\n\ud83d');
    expect(method('""')).toBe('');
    expect(method(`"${'x'.repeat(3000)}"`)).toBe('x'.repeat(3000));
  });
});

describe("validate: 'envelope'", () => {
  const lax = '{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":nope,]x[}}\n'.replace(']x[', '"b":[1 2]');

  it('lets nested text through that is no JSON, and throws where it is decoded', () => {
    expect(brief(lax, { validate: 'envelope' })).toEqual(['request id 1']);
    expect(brief(lax)).toEqual(['fault JSON_SYNTAX @52']);
    expect(values(lax, { validate: 'envelope' })).toEqual(['threw JSON_SYNTAX']);
    read(lax, { validate: 'envelope' }, (batch, index) => {
      expect(() => batch.payload(index)).toThrow(
        expect.objectContaining({ code: 'JSON_SYNTAX', offset: 52 }),
      );
      expect(batch.payloadText(index)).toBe('{"a":nope,"b":[1 2]}');
    });
  });

  it.each([
    ['an open string', '{"jsonrpc":"2.0","method":"m","params":{"a":"}}', 'JSON_SYNTAX'],
    ['a control byte in a string', '{"jsonrpc":"2.0","method":"m","params":{"a":"\u0001"}}', 'JSON_SYNTAX'],
    ['a bracket of the wrong kind', '{"jsonrpc":"2.0","method":"m","params":{"a":[}]}', 'JSON_SYNTAX'],
    ['a bracket too few', '{"jsonrpc":"2.0","method":"m","params":{"a":[]}', 'JSON_SYNTAX'],
    ['depth', `{"jsonrpc":"2.0","method":"m","params":${'['.repeat(600)}${']'.repeat(600)}}`, 'JSON_DEPTH'],
    ['grammar at depth 1', '{"jsonrpc":"2.0","method":"m",}', 'JSON_SYNTAX'],
    ['a literal at depth 1', '{"jsonrpc":"2.0","method":"m","x":nul}', 'JSON_SYNTAX'],
    ['an escape at depth 1', '{"jsonrpc":"2.0","method":"\\q"}', 'JSON_SYNTAX'],
  ])('still sees %s', (_, json, code) => {
    for (const split of ['whole', 1] as const)
      expect(events(`${json}\n`, { validate: 'envelope' }, split)[0]?.code).toBe(code);
  });
});
