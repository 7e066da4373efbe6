import { describe, expect, it } from 'vitest';
import { learned } from '../../support/slots.ts';

const call = (meta: string, n = 1): string => `{"name":"add","arguments":{"a":${n}},"_meta":${meta}}`;

interface Call {
  readonly _meta: Record<string, unknown>;
}

describe('an object that comes again', () => {
  const meta = '{"io.example/client":{"name":"editor","version":"1"},"x":{"deep":{"deeper":{}}}}';

  it('is made anew each time: who changes one changes no other', () => {
    const trial = learned(call(meta));
    const first = trial.feed(call(meta, 2)) as Call;
    const wanted = structuredClone(first);
    (first._meta['x'] as Record<string, unknown>)['deep'] = 'changed';
    delete first._meta['io.example/client'];
    first._meta['more'] = true;
    const second = trial.feed(call(meta, 2)) as Call;
    expect(second).toEqual(wanted);
    expect(second._meta['x']).not.toBe((trial.feed(call(meta, 2)) as Call)._meta['x']);
    expect(trial.stats.misses).toBe(1);
  });

  it.each([
    ['names twice', '{"a":1,"b":{"a":1,"a":2},"a":{"z":1,"y":2}}'],
    ['indices as names', '{"b":1,"1":2,"0":{"2":1,"1":2}}'],
    ['indices as names, in their order', '{"0":1,"1":{"a":1},"b":2}'],
    ['names that objects inherit', '{"a":{"toString":1},"b":1}'],
    ['__proto__', '{"a":{"__proto__":{"b":1}},"b":1}'],
    ['an empty name', '{"":{"":{"":null}}}'],
    ['escaped names', '{"\\u0061":{"b\\n":1},"a":2}'],
    ['numbers of every form', '{"a":-0,"b":0.1,"c":1e400,"d":1e-7,"e":12345678901234567890,"f":{"g":-0.0}}'],
    ['lone surrogates', '{"a":"\\ud800","b":{"c":"\\udc00x"}}'],
    ['white space', '{ "a" : { "b":\t1 } ,\r"c":{ } }'],
    ['other scripts', '{"ก":{"ข":"ทดสอบ"},"b":"😀"}'],
  ])('equals what JSON.parse gives: %s', (_, object) => {
    const trial = learned(call(object), call('{"another":{"one":1}}'));
    for (let n = 0; n < 8; n++) trial.feedAll([call(object, n), call('{"another":{"one":1}}', n)]);
  });

  it('is told from those that differ in one byte, wherever that is', () => {
    const trial = learned(call(meta));
    for (let at = 1; at < meta.length - 1; at++) {
      const changed = `${meta.slice(0, at)}${meta[at] === 'q' ? 'r' : 'q'}${meta.slice(at + 1)}`;
      trial.feed(call(changed));
      trial.feed(call(meta));
    }
  });
});
