import { createCorpus, handedCases } from '@linewire/testkit';
import { describe, expect, it } from 'vitest';
import type { ScanArea, ScanOptions } from '../../src/engine/engine.ts';
import { wasmEngine } from '../../src/wasm/engine.ts';
import { account, defaultOptions, EngineAccount } from '../support/engine-account.ts';

/** Beginnings of up to 16 bytes wait in such a window, so that most turns end in the middle of a frame. */
const windowBytes = 64;

const stream = Buffer.from(
  [
    '{"jsonrpc":"2.0","id":"early","method":"m","params":{"a":[1,"\\"}",{"b":null}]}}',
    '{"params":{"a":"\\\\","b":"\xe0\xb8\x97\xf0\x9f\x98\x80"},"meth\\u006fd":"tools/call","id":-12.50e1,"jsonrpc":"2.0"}',
    '',
    '{"jsonrpc":"2.0","method":"\xff","id":"\xc3"}',
    `  ${'['.repeat(20)}"x"${']'.repeat(20)}`,
    'Content-Length: 12',
    '{"method":"late","id":12345678901234567890,"result":{"\xc3\xa9":tru}}',
    '{"jsonrpc":"2.0","id":7,"error":{"a":"cut',
  ].join('\n'),
  'latin1',
);

const streams: readonly (Partial<ScanOptions> & { readonly windowBytes: number })[] = [
  { windowBytes, validate: 'full' },
  { windowBytes, validate: 'envelope', maxFrameBytes: 40 },
  { windowBytes, validate: 'full', maxFrameBytes: 40, maxIdBytes: 16, maxDepth: 5 },
  { windowBytes, validate: 'full', envelope: 'none', utf8: 'replace' },
  { windowBytes, validate: 'none', envelope: 'none', maxFrameBytes: 40 },
  { windowBytes: 4096, validate: 'envelope', duplicates: 'last' },
];

const everyByte = Array.from(stream.keys());

function accountOf(
  mode: Partial<ScanOptions>,
  cuts: readonly number[],
  bytes: Uint8Array = stream,
): EngineAccount {
  return new EngineAccount(wasmEngine, bytes, cuts, { ...defaultOptions, ...mode });
}

/** Where no other scanner comes between. */
const quietArea = wasmEngine.openArea(defaultOptions);

function told(mode: Partial<ScanOptions>, cuts: readonly number[]): readonly string[] {
  return account(wasmEngine, stream, cuts, { ...defaultOptions, ...mode }, quietArea).said;
}

describe('what stands around the bytes of a turn does not matter', () => {
  /** Quotes, backslashes, brackets, newlines, digits, letters that go on a literal, and pieces of sequences. */
  const litter = [
    0x00, 0xff, 0x22, 0x5c, 0x7b, 0x5d, 0x0a, 0x0d, 0x20, 0x31, 0x65, 0x80, 0xc3, 0xe0, 0xf0, 0x3a,
  ];
  const area = wasmEngine.openArea(defaultOptions);

  const tell = (
    bytes: Uint8Array,
    cuts: readonly number[],
    mode: Partial<ScanOptions>,
    byte: number,
  ): string[] => {
    const its = accountOf(mode, cuts, bytes);
    its.litter = byte;
    while (!its.isDone) its.step(area);
    return its.said;
  };

  it.each(streams)('cut at each byte and at all, %j', (mode) => {
    for (const cuts of [everyByte, ...everyByte.map((cut) => [cut])]) {
      const expected = tell(stream, cuts, mode, 0x78);
      for (const byte of litter) expect(tell(stream, cuts, mode, byte)).toEqual(expected);
    }
  });

  it.each(streams)('for every handed case, %j', (mode) => {
    for (const { bytes } of handedCases()) {
      if (bytes.length > 20_000) continue;
      for (const cuts of [[], [bytes.length >> 1], [Math.max(0, bytes.length - 2)]]) {
        const expected = tell(bytes, cuts, mode, 0x78);
        for (const byte of litter) expect(tell(bytes, cuts, mode, byte)).toEqual(expected);
      }
    }
  });
});

describe('scanners that share memory give the account that they give alone', () => {
  it('two by turns in one area, cut at every byte, in the middle of frames', () => {
    const area = wasmEngine.openArea(defaultOptions);
    for (const one of streams) {
      for (const other of streams) {
        const [first, second] = [accountOf(one, everyByte), accountOf(other, everyByte)];
        // The second begins later, so that they never stand at the same place.
        for (let turn = 0; turn < 29; turn++) first.step(area);
        takeTurns([first, second], () => area);
        expect(first.said).toEqual(told(one, everyByte));
        expect(second.said).toEqual(told(other, everyByte));
      }
    }
  });

  it('two by turns in one area, each cut once, at every pair of near cuts', () => {
    const area = wasmEngine.openArea(defaultOptions);
    for (const mode of streams) {
      for (const cut of everyByte) {
        const cuts = [[cut], [(cut * 7) % stream.length]];
        const accounts = cuts.map((its) => accountOf(mode, its));
        takeTurns(accounts, () => area);
        accounts.forEach((its, index) => {
          expect(its.said).toEqual(told(mode, cuts[index] ?? []));
        });
      }
    }
  });

  it('many by turns in two areas, going from one to the other', () => {
    const areas = [wasmEngine.openArea(defaultOptions), wasmEngine.openArea(defaultOptions)] as const;
    const accounts = streams.map((mode) => accountOf(mode, everyByte));
    takeTurns(accounts, (turn, index) => areas[(turn >> (index % 3)) & 1 ? 1 : 0]);
    accounts.forEach((its, index) => {
      expect(its.said).toEqual(told(streams[index] ?? {}, everyByte));
    });
  });

  it('one that goes on in a fresh area in every turn', () => {
    for (const mode of streams) {
      const cuts = everyByte.filter((cut) => cut % 41 === 0);
      const its = accountOf(mode, cuts);
      while (!its.isDone) its.step(wasmEngine.openArea(defaultOptions));
      expect(its.said).toEqual(told(mode, cuts));
    }
  });

  it('with deep frames and long names open in both', () => {
    const area = wasmEngine.openArea({ ...defaultOptions, maxDepth: 16_384 });
    const deep = Buffer.from(`${'[{"k":'.repeat(8000)}"${'x'.repeat(500)}"${'}]'.repeat(8000)}\n`);
    const named = Buffer.from(`{"id":"${'i'.repeat(700)}","method":"${'m'.repeat(900)}","jsonrpc":"2.0"}\n`);
    const { bytes: calls } = createCorpus('calls', { targetBytes: 20_000 });
    const mode = { windowBytes: 256, maxDepth: 16_384, maxFrameBytes: 500 };
    const cuts = Array.from({ length: 400 }, (_, at) => at * 131);
    const accounts = [deep, named, calls, deep].map((bytes) =>
      accountOf(
        mode,
        cuts.filter((cut) => cut < bytes.length),
        bytes,
      ),
    );
    const alone = [deep, named, calls, deep].map((bytes) => {
      const its = accountOf(
        mode,
        cuts.filter((cut) => cut < bytes.length),
        bytes,
      );
      while (!its.isDone) its.step(area);
      return its.said;
    });
    takeTurns(accounts, () => area);
    expect(accounts.map(({ said }) => said)).toEqual(alone);
  });
});

/** Lets each make a step in turn, in the area of its choice, until all are done. */
function takeTurns(
  accounts: readonly EngineAccount[],
  areaOf: (turn: number, index: number) => ScanArea,
): void {
  for (let turn = 0; accounts.some(({ isDone }) => !isDone); turn++) {
    accounts.forEach((its, index) => {
      if (!its.isDone) its.step(areaOf(turn, index));
    });
  }
}
