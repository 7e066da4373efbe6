import { describe, expect, it } from 'vitest';
import { UriTemplate } from '../../../src/server/catalog/uri-template.ts';

function match(template: string, uri: string): Record<string, string> | undefined {
  const values = new UriTemplate(template).match(uri);
  return values === undefined ? undefined : { ...values };
}

describe('a URI template', () => {
  it.each([
    ['mem://notes/{id}', 'mem://notes/7', { id: '7' }],
    ['mem://{a}/{b}', 'mem://x/y', { a: 'x', b: 'y' }],
    ['mem://{x,y}', 'mem://1,2', { x: '1', y: '2' }],
    ['file:///{+path}', 'file:///a/b/c.txt', { path: 'a/b/c.txt' }],
    ['file:///{+dir}/{name}', 'file:///a/b/c', { dir: 'a/b', name: 'c' }],
    ['{+a}-{b}', 'x/y-z/w-v', { a: 'x/y-z/w', b: 'v' }],
    ['doc://{id}{#part}', 'doc://a#b/c', { id: 'a', part: 'b/c' }],
    ['f://{name}{.ext}', 'f://a.tar.gz', { name: 'a', ext: 'tar.gz' }],
    ['f:/{/a,b}', 'f://x/y', { a: 'x', b: 'y' }],
    ['db://{table}{?limit,offset}', 'db://t?limit=1&offset=2', { table: 't', limit: '1', offset: '2' }],
    ['db://{table}{?limit,offset}', 'db://t?offset=2', { table: 't', offset: '2' }],
    ['db://{table}{?limit}', 'db://t', { table: 't' }],
    ['db://t?fixed=1{&x}', 'db://t?fixed=1&x=2', { x: '2' }],
    ['db://t{?a}{&b}', 'db://t?a=1&b=2', { a: '1', b: '2' }],
    ['db://t{?a}{#f}', 'db://t?a=1#g', { a: '1', f: 'g' }],
    ['m://{id}', 'm://a%20b%C3%A9', { id: 'a bé' }],
    ['m://{id}', 'm://ü', { id: 'ü' }],
    ['m://{a}{b}', 'm://xyz', { a: 'x', b: 'yz' }],
    ['plain://x', 'plain://x', {}],
    ['m://{__proto__}', 'm://v', { ['__proto__']: 'v' }],
  ])('%s reads %s', (template, uri, values) => {
    expect(match(template, uri)).toEqual(values);
  });

  it.each([
    ['mem://notes/{id}', 'mem://notes/'],
    ['mem://notes/{id}', 'mem://notes/a/b'],
    ['mem://notes/{id}', 'mem://notes/a?b'],
    ['mem://notes/{id}', 'xmem://notes/a'],
    ['mem://notes/{id}/x', 'mem://notes/a/xy'],
    ['m://{id}', 'm://%zz'],
    ['m://{id}', 'm://%'],
    ['db://t{?a}', 'db://t?b=1'],
    ['db://t{?a}', 'db://t?a=1&a=2'],
    ['db://t{?a}', 'db://t?a'],
    ['db://t{?a}', 'db://t?a=%zz'],
    ['m://{id}', ''],
  ])('%s does not read %s', (template, uri) => {
    expect(match(template, uri)).toBeUndefined();
  });

  it.each([
    '',
    'a{',
    'a}',
    '{}',
    '{a',
    '{a,}',
    '{a*}',
    '{/a*}',
    '{a:3}',
    '{;a}',
    '{=a}',
    '{?a}/x',
    '{?a}{b}',
    '{a}{a}',
    '{a b}',
  ])('of the form %j is refused when it is registered', (template) => {
    expect(() => new UriTemplate(template)).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }));
  });

  it('a hostile URI costs time in proportion to its length', () => {
    // Every split of it is a way to begin; tried one after the other they would be millions of millions.
    const template = new UriTemplate('m://{+a}x{+b}x{+c}x{+d}x{+e}!');
    expect(template.match(`m://${'x'.repeat(60_000)}`)).toBeUndefined();
    expect({ ...template.match(`m://${'x'.repeat(60_000)}!`) }).toEqual({
      a: 'x',
      b: 'x',
      c: 'x',
      d: 'x',
      e: 'x'.repeat(60_000 - 8),
    });
  });

  it('a URI beyond the bound fits none', () => {
    const template = new UriTemplate('{+all}');
    expect(template.match('x'.repeat(65_536))).toBeDefined();
    expect(template.match('x'.repeat(65_537))).toBeUndefined();
  });
});
