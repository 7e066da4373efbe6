/** A value that is not plain data, by what is odd about it. Made anew for each use: some change when they are read. */
export type OddValue = readonly [what: string, make: () => unknown];

class Point {
  x = 1;
  #hidden = 2;
  get y(): number {
    return this.#hidden;
  }
}

class WithJson {
  readonly inner: unknown;
  constructor(inner: unknown) {
    this.inner = inner;
  }
  toJSON(key: string): unknown {
    return { key, inner: this.inner };
  }
}

class List extends Array<unknown> {}

function Legacy(this: { own: number }): void {
  this.own = 1;
}
Legacy.prototype.inherited = 'not written';

interface RawJson {
  rawJSON?(text: string): unknown;
}

export const oddValues: readonly OddValue[] = [
  ['members without JSON', () => ({ a: undefined, b: () => 1, c: Symbol('x'), d: 1, e: undefined })],
  ['only members without JSON', () => ({ a: undefined, b: { c: () => 1 } })],
  ['items without JSON', () => [undefined, () => 1, Symbol('x'), 1]],
  ['symbol keys', () => ({ [Symbol('s')]: 1, a: 2, [Symbol.toStringTag]: 'x' })],
  ['dates', () => ({ at: new Date(0), list: [new Date(1)], bad: new Date(Number.NaN) })],
  ['toJSON with its key', () => ({ a: new WithJson(1), b: [new WithJson([2]), new WithJson(undefined)] })],
  [
    'toJSON of plain objects',
    () => ({ a: { toJSON: (key: string) => `key ${key}` }, '': { toJSON: (k: string) => [k] } }),
  ],
  [
    'toJSON that gives nothing',
    () => ({ a: { toJSON: () => undefined }, b: 1, c: [{ toJSON: () => undefined }] }),
  ],
  [
    'toJSON that gives a function',
    () => ({ a: { toJSON: () => () => 1 }, c: [{ toJSON: () => Symbol('x') }] }),
  ],
  [
    'toJSON that gives what has one',
    () => ({ a: { toJSON: () => ({ b: [1], toJSON: () => 'not again' }) } }),
  ],
  [
    'toJSON that gives a class instance',
    () => ({ a: { toJSON: () => new WithJson(3) }, b: { toJSON: () => new Date(0) } }),
  ],
  ['toJSON that is no function', () => ({ toJSON: 1, a: { toJSON: null }, b: { toJSON: {} } })],
  [
    'toJSON of functions and of arrays',
    () => ({
      f: Object.assign(() => 1, { toJSON: () => 'f' }),
      a: Object.assign([1], { toJSON: (k: string) => k }),
    }),
  ],
  ['toJSON with a call of its own', () => ({ a: { toJSON: Object.assign(() => 1, { call: () => 2 }) } })],
  ['boxed values', () => [Object(1), Object('x'), Object(true), Object(-0), { a: Object('') }]],
  [
    'boxed values that convert themselves',
    () => [
      Object.assign(Object(1), { valueOf: () => 7 }),
      Object.assign(Object('x'), { toString: () => 'y' }),
      Object.assign(Object(true), { valueOf: () => false }),
    ],
  ],
  ['boxed numbers that are not finite', () => [Object(Number.NaN), { a: Object(Number.POSITIVE_INFINITY) }]],
  [
    'numbers',
    () => [
      0, -0, 1.5, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, -2147483648, 2147483648, 4294967296,
      9007199254740992, 0.1, 123456.789, 1e15, 999999999999999, 0.000001,
    ],
  ],
  [
    'numbers that JSON cannot say',
    () => ({ a: Number.NaN, b: [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] }),
  ],
  [
    'strings',
    () => [
      '\ud800',
      '\udc00\ud800',
      '\u2028\n\r"\\\u0000\u007f',
      'ก🧪',
      `${'x'.repeat(40)}\ud800`,
      `${'ก'.repeat(40)}\n`,
      `${'🧪'.repeat(30)}"`,
      '\ufffd'.repeat(40),
    ],
  ],
  [
    'keys',
    () => ({
      '"': 1,
      '\n': 2,
      '2': 3,
      '1': 4,
      ['__proto__']: 5,
      ก: 6,
      '\ud800': 7,
      '': 8,
      ['k'.repeat(100)]: 9,
      toString: 1,
      constructor: 2,
      hasOwnProperty: 3,
    }),
  ],
  ['empty containers', () => [[], {}, [[]], { a: {} }, Object.create(null)]],
  [
    'maps, sets, typed arrays, buffers',
    () => [
      new Map([[1, 2]]),
      new Set([1]),
      new Uint8Array(2),
      new ArrayBuffer(2),
      /x/,
      new Error('e'),
      Promise.resolve(),
      new WeakMap(),
    ],
  ],
  [
    'sparse arrays',
    () => [Object.assign(new Array(3), { 0: 1, 2: 2 }), new Array(2), Object.assign([1], { extra: 2 })],
  ],
  ['subclasses of Array', () => [List.from([1, { a: 2 }]), new List()]],
  ['class instances', () => ({ p: new Point(), list: [new Point()] })],
  [
    'inherited members',
    () => [
      Object.create({ a: 1 }),
      Object.assign(Object.create({ a: 1, b: 2 }), { b: 3, c: 4 }),
      new (Legacy as unknown as new () => object)(),
    ],
  ],
  [
    'objects without prototype',
    () => Object.assign(Object.create(null), { a: [1], b: Object.assign(Object.create(null), { c: 1 }) }),
  ],
  ['members that are not enumerable', () => Object.defineProperty({ a: 1 }, 'hidden', { value: 2 })],
  [
    'getters',
    () => ({
      get a() {
        return { b: 1 };
      },
      get c() {
        return undefined;
      },
      d: 2,
    }),
  ],
  [
    'a getter that adds, changes and removes members',
    () => {
      const object: Record<string, unknown> = {
        get a() {
          object['z'] = 1;
          object['b'] = 'changed';
          delete object['c'];
          return 1;
        },
        b: 2,
        c: 3,
        d: 4,
      };
      return [object, { after: 1 }];
    },
  ],
  [
    'a getter that changes the array',
    () => {
      const list: unknown[] = [
        {
          get a() {
            list.length = 2;
            return 1;
          },
        },
        2,
        3,
        4,
      ];
      return list;
    },
  ],
  [
    'proxies',
    () => [
      new Proxy({ a: 1, b: { c: 2 } }, {}),
      new Proxy([1, 2], {}),
      new Proxy(Object(1), {}),
      new Proxy(() => 1, {}),
      { p: new Proxy(new Date(0), { get: (t, k) => (k === 'toJSON' ? () => 'x' : Reflect.get(t, k)) }) },
    ],
  ],
  [
    'a proxy of an array that lies about its length',
    () => [new Proxy([1, 2, 3], { get: (t, k) => (k === 'length' ? '2.7' : Reflect.get(t, k)) })],
  ],
  ['the same object twice, side by side', () => ((same) => [same, { same }])({ a: 1 })],
  ['null', () => null],
  ['an empty string', () => ''],
  [
    'raw JSON, where there is such a thing',
    () => ({ a: (JSON as RawJson).rawJSON?.('1.00'), b: [(JSON as RawJson).rawJSON?.('"x"')] }),
  ],
  [
    'levels',
    () => {
      let value: unknown = 'end';
      for (let i = 0; i < 200; i++) value = i % 2 === 0 ? [value] : { k: value };
      return value;
    },
  ],
];
