import { describe, expect, test } from 'vitest';
import { type ChildEnvironment, childEnvironment } from '../../src/child/child-env.ts';

const HOST = {
  HOME: '/homes/me',
  PATH: '/bin',
  SHELL: '/bin/sh',
  TERM: 'xterm',
  USER: 'me',
  LOGNAME: '() { echo a function; }',
  LANG: 'th_TH.UTF-8',
  LC_TIME: 'C',
  XDG_CONFIG_HOME: '/cfg',
  HTTPS_PROXY: 'http://proxy',
  NODE_EXTRA_CA_CERTS: '/ca.pem',
  SECRET_TOKEN: 'x',
};
const PYTHON = { PYTHONUTF8: '1', PYTHONUNBUFFERED: '1' };
const MINIMAL = { HOME: '/homes/me', PATH: '/bin', SHELL: '/bin/sh', TERM: 'xterm', USER: 'me' };
const plain = ({ variables }: ChildEnvironment): Record<string, string> => ({ ...variables });

describe('the environment of a child', () => {
  test('is by default six names, without exported functions', () => {
    expect(plain(childEnvironment('minimal', {}, HOST))).toEqual({ ...MINIMAL, ...PYTHON });
  });

  test('for launching has language, folders, proxies and certificates as well, and no secrets', () => {
    expect(plain(childEnvironment('launch', {}, HOST))).toEqual({
      ...MINIMAL,
      ...PYTHON,
      LANG: 'th_TH.UTF-8',
      LC_TIME: 'C',
      XDG_CONFIG_HOME: '/cfg',
      HTTPS_PROXY: 'http://proxy',
      NODE_EXTRA_CA_CERTS: '/ca.pem',
    });
  });

  test('may be an exact list of names', () => {
    expect(plain(childEnvironment(['SECRET_TOKEN', 'NOT_SET'], {}, HOST))).toEqual({
      SECRET_TOKEN: 'x',
      ...PYTHON,
    });
  });

  test('takes explicit values over inherited ones, and removes what is undefined', () => {
    const explicit = {
      PATH: '/mine',
      TERM: undefined,
      PYTHONUTF8: '0',
      PYTHONUNBUFFERED: undefined,
      EMPTY: '',
    };
    const { TERM: _, ...rest } = MINIMAL;
    expect(plain(childEnvironment('minimal', explicit, HOST))).toEqual({
      ...rest,
      PATH: '/mine',
      PYTHONUTF8: '0',
      EMPTY: '',
    });
  });

  test('keeps a variable called __proto__ a variable', () => {
    const { variables, origins } = childEnvironment([], JSON.parse('{"__proto__":"x"}'), HOST);
    expect(Object.keys(variables)).toContain('__proto__');
    expect(Object.getPrototypeOf(variables)).toBe(null);
    expect(Object.entries(origins)).toContainEqual(['__proto__', 'given']);
  });

  test('knows where each name comes from, and names that were removed are gone', () => {
    const explicit = { MINE: '1', TERM: undefined, USER: 'you', PYTHONUTF8: '0' };
    const { variables, origins } = childEnvironment('minimal', explicit, HOST);
    expect({ ...origins }).toEqual({
      HOME: 'inherited',
      PATH: 'inherited',
      SHELL: 'inherited',
      USER: 'given',
      MINE: 'given',
      PYTHONUTF8: 'given',
      PYTHONUNBUFFERED: 'default',
    });
    expect(Object.keys(variables).sort()).toEqual(Object.keys(origins).sort());
  });

  test.each([
    ['an empty name', { '': 'secret' }],
    ['a name with an equals sign', { 'A=B': 'secret' }],
    ['a name with a NUL byte', { 'A\0': 'secret' }],
    ['a value with a NUL byte', { A: 'secret\0' }],
    ['a value that is no string', { A: ['secret'] as unknown as string }],
  ])('refuses %s, without showing a value', (_, explicit) => {
    const refusal = (): unknown => childEnvironment('minimal', explicit, HOST);
    expect(refusal).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }));
    expect(refusal).not.toThrow(/secret/);
  });
});
