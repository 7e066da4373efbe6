import { describe, expect, it } from 'vitest';
import { FormCheck } from '../../../src/server/input/form-check.ts';

function form(properties: unknown, more: object = {}): FormCheck {
  return new FormCheck({ type: 'object', properties, ...more });
}

describe('a form', () => {
  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a list', []],
    ['no type', { properties: {} }],
    ['another type', { type: 'array', items: {} }],
    ['no properties', { type: 'object' }],
    ['alternatives', { type: 'object', properties: {}, anyOf: [] }],
    ['a reference', { type: 'object', properties: {}, $ref: '#' }],
    ['definitions', { type: 'object', properties: {}, $defs: {} }],
    ['a schema for the rest', { type: 'object', properties: {}, additionalProperties: { type: 'object' } }],
    ['required fields that are none', { type: 'object', properties: {}, required: 'name' }],
  ])('that is none is refused: %s', (_, schema) => {
    expect(() => new FormCheck(schema)).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }));
  });

  it.each([
    ['an object', { type: 'object', properties: {} }],
    ['null', { type: 'null' }],
    ['several types', { type: ['string', 'null'] }],
    ['no type', { enum: ['a'] }],
    ['true', true],
    ['a list of anything', { type: 'array' }],
    ['a list of objects', { type: 'array', items: { type: 'object' } }],
    ['a list of numbers to choose from', { type: 'array', items: { enum: [1] } }],
    ['alternatives', { type: 'string', anyOf: [{ minLength: 1 }] }],
    ['titles without values', { type: 'string', oneOf: [{ title: 'A' }] }],
    ['items of a string', { type: 'string', items: { enum: ['a'] } }],
    ['a length that is none', { type: 'string', minLength: -1 }],
    ['a pattern that is none', { type: 'string', pattern: '(' }],
  ])('with a field that is no field is refused, and the field named: %s', (_, field) => {
    expect(() => form({ size: field })).toThrow(
      expect.objectContaining({
        code: 'OPTION_INVALID',
        message: expect.stringContaining('#/properties/size'),
      }),
    );
  });

  it.each([
    [{ type: 'string' }, ['', 'x'], [1, null, ['x'], {}]],
    [
      { type: 'string', minLength: 2, maxLength: 3, title: 't', description: 'd', default: 'ab' },
      ['ab', 'abc'],
      ['a', 'abcd'],
    ],
    [{ type: 'string', format: 'email' }, ['a@b', 'not checked here'], [1]],
    [{ type: 'number', minimum: 0, maximum: 1 }, [0, 0.5, 1], [-1, 2, '0', Number.NaN]],
    [{ type: 'integer' }, [1, -1, 2.0], [1.5, '1', true]],
    [{ type: 'boolean', default: true }, [true, false], [0, 'true', null]],
    [{ type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] }, ['a', 'b'], ['A', '']],
    [{ type: 'string', oneOf: [{ const: 'a', title: 'A' }] }, ['a'], ['A', 'b']],
    [
      { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1, maxItems: 2 },
      [['a'], ['b', 'a']],
      [[], ['c'], 'a', ['a', 'b', 'a']],
    ],
    [{ type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } }, [[], ['a']], [['A'], [1]]],
  ])('%j fits what it says', (field, good, bad) => {
    const check = form({ size: field });
    for (const size of good) expect(check.problem({ size }), JSON.stringify(size)).toBeUndefined();
    for (const size of bad) expect(check.problem({ size }), JSON.stringify(size)).toContain('content.size');
  });

  it('needs what is required, may have more fields, and those are primitive too', () => {
    const check = form({ name: { type: 'string' } }, { required: ['name'] });
    expect(check.problem({})).toBe('content.name is required');
    expect(check.problem({ name: 'x', more: ['a'] })).toBeUndefined();
    expect(check.problem({ name: 'x', more: {} })).toContain('content.more');
    expect(check.problem({ name: 'x', more: [1] })).toContain('content.more');
    const closed = form({ name: { type: 'string' } }, { additionalProperties: false });
    expect(closed.problem({ more: 1 })).toContain('more');
  });
});
