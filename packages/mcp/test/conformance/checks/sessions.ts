import { expect } from 'vitest';
import { INITIALIZE, M } from '../../support/example-server.ts';
import { type Served, servedOver } from '../../support/served.ts';
import type { Frame } from '../../support/wire.ts';
import type { Check } from '../check.ts';
import type { RequirementId } from '../requirements.ts';

// What a session does, over everything that carries one: a real client's bytes where there are bytes.

/** Params of a call, legacy or modern. */
const call = (id: unknown, name: string, args: object = {}, meta = ''): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"${name}","arguments":${JSON.stringify(args)},"_meta":{${meta}}}}`;
const cancel = (id: unknown): string =>
  `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${JSON.stringify(id)}}}`;
const ping = (id: unknown): string => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"ping"}`;

const textOf = (frame: Frame): string => frame.result.content[0].text;
const byId = (frames: Frame[]): Map<unknown, Frame> => new Map(frames.map((frame) => [frame.id, frame]));

/** One check over one connection that has shaken hands. */
interface Scene {
  readonly sentence: string;
  readonly rules: readonly RequirementId[];
  /** Only where this is so. */
  readonly needs?: 'bytes' | 'process';
  run(served: Served, patienceMs: number): Promise<void>;
}

const scenes: readonly Scene[] = [
  {
    sentence: 'both eras call, and their errors are theirs',
    rules: ['era.per-request', 'tools.call', 'tools.failed', 'tools.unknown', 'modern.no-handshake'],
    async run({ write, received }, patienceMs) {
      write(
        call(2, 'echo', { text: 'a' }),
        call(3, 'echo', { text: 'b' }, M),
        call(4, 'boom'),
        call(5, 'nope', {}, M),
        `{"jsonrpc":"2.0","id":6,"method":"server/discover","params":{"_meta":{${M}}}}`,
      );
      const frames = byId(await received.next(5, patienceMs));
      expect(frames.get(2)?.result).toEqual({ content: [{ type: 'text', text: 'a' }] });
      expect(frames.get(3)?.result).toMatchObject({ resultType: 'complete', content: [{ text: 'b' }] });
      expect(frames.get(4)?.result).toEqual({ content: [{ type: 'text', text: 'kaboom' }], isError: true });
      expect(frames.get(5)?.error.code).toBe(-32602);
      expect(frames.get(6)?.result.supportedVersions).toEqual(['2026-07-28']);
    },
  },
  {
    sentence: '1,000 calls at once are each answered once, by their own id',
    rules: ['base.id-echo', 'base.one-outcome'],
    async run({ write, received }, patienceMs) {
      const ids = Array.from({ length: 1000 }, (_, n) => (n % 2 === 0 ? n : `${n}`));
      write(
        ...ids.map((id, n) =>
          n % 3 === 0
            ? call(id, 'sleep', { ms: n % 7 }, n % 2 === 0 ? M : '')
            : call(id, 'echo', { text: `${n} 🧪` }),
        ),
      );
      const frames = byId(await received.next(1000, patienceMs));
      ids.forEach((id, n) => {
        expect(textOf(frames.get(id))).toBe(n % 3 === 0 ? `slept ${n % 7}` : `${n} 🧪`);
      });
    },
  },
  {
    sentence: 'a ping is answered though more calls run and wait than may',
    rules: ['legacy.ping', 'legacy.cancel'],
    async run({ write, received, endInput }, patienceMs) {
      write(...Array.from({ length: 1200 }, (_, id) => call(id, 'sleep', { ms: 600_000 })), ping('now'));
      expect(await received.next(1, patienceMs)).toEqual([{ jsonrpc: '2.0', id: 'now', result: {} }]);
      // Those that wait are cancelled first: none of them gets to run.
      write(...Array.from({ length: 1200 }, (_, n) => cancel(1199 - n)), call('how many', 'aborted'));
      const [answer] = await received.next(1, patienceMs);
      expect(Number(textOf(answer))).toBeLessThanOrEqual(1024);
      endInput();
      expect(await received.rest(patienceMs)).toEqual([]);
    },
  },
  {
    sentence: 'a cancel aborts the handler, and its call gets no answer',
    rules: ['legacy.cancel', 'cancel.nothing-after', 'modern.cancel'],
    async run({ write, received, endInput }, patienceMs) {
      write(
        call(2, 'sleep', { ms: 600_000 }, '"progressToken":1'),
        call('2', 'sleep', { ms: 600_000 }, `${M},"progressToken":2`),
      );
      const begun = await received.next(2, patienceMs);
      expect(begun.map((frame) => frame.params.progressToken)).toEqual([1, 2]);
      write(cancel(2), cancel('2'), call(3, 'aborted'));
      expect((await received.next(1, patienceMs)).map(textOf)).toEqual(['2']);
      endInput();
      expect(await received.rest(patienceMs)).toEqual([]);
    },
  },
  {
    sentence: 'progress comes in order, before its answer',
    rules: ['legacy.progress', 'modern.progress'],
    async run({ write, received }, patienceMs) {
      write(call(2, 'steps', { count: 3 }, `${M},"progressToken":"t"`));
      const frames = await received.next(4, patienceMs);
      expect(frames.slice(0, 3).map((frame) => frame.params)).toEqual(
        [1, 2, 3].map((progress) => ({ progressToken: 't', progress, total: 3 })),
      );
      expect(textOf(frames[3])).toBe('stepped');
    },
  },
  {
    sentence: '5 MB of text from many alphabets go there and back',
    rules: ['stdio.utf8', 'stdio.one-line', 'stdio.split-anywhere'],
    async run({ write, received }, patienceMs) {
      const text = 'aé ก 🧪\u2028\n"\\'.repeat(300_000);
      write(call(2, 'echo', { text }), ping(3));
      const frames = byId(await received.next(2, patienceMs));
      expect(textOf(frames.get(2)) === text).toBe(true);
      expect(frames.get(3)?.result).toEqual({});
    },
  },
  {
    sentence: 'noise and torn messages between two requests cost neither of them anything',
    rules: ['base.not-json', 'stdio.noise'],
    async run({ write, received, writeBytes }, patienceMs) {
      write(ping(2), 'server started', '{"jsonrpc":"2.0","id":9,"method":"ping"', '{}', '', ping(3));
      writeBytes?.(Buffer.from([0xff, 0xfe, 0x0a, 0x0d, 0x0a]));
      write(ping(4));
      expect((await received.next(3, patienceMs)).map((frame) => frame.id)).toEqual([2, 3, 4]);
    },
  },
  {
    sentence: 'a request may come byte by byte',
    rules: ['stdio.split-anywhere'],
    needs: 'bytes',
    async run({ writeBytes, received }, patienceMs) {
      for (const byte of Buffer.from(`${call(2, 'echo', { text: 'é🧪' })}\n`)) {
        writeBytes?.(Buffer.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect((await received.next(1, patienceMs)).map(textOf)).toEqual(['é🧪']);
    },
  },
  {
    sentence: 'after the end of input everything is answered, then the server ends in order',
    rules: ['stdio.end-answers', 'stdio.end-exit', 'stdio.any-stream'],
    async run({ write, received, endInput, endedWell }, patienceMs) {
      const ids = Array.from({ length: 300 }, (_, id) => id);
      write(...ids.map((id) => call(id, 'sleep', { ms: 20 }, id % 2 === 0 ? M : '')));
      endInput();
      const frames = await received.rest(patienceMs);
      expect(frames.map((frame) => frame.id).sort((a, b) => a - b)).toEqual(ids);
      expect(frames.filter((frame) => 'error' in frame)).toEqual([]);
      expect(await endedWell).toBe(true);
    },
  },
  {
    sentence: 'an idle server ends as soon as its input does',
    rules: ['stdio.end-exit'],
    async run({ received, endInput, endedWell }, patienceMs) {
      endInput();
      expect(await received.rest(patienceMs)).toEqual([]);
      expect(await endedWell).toBe(true);
    },
  },
  {
    sentence: 'a client that goes away ends the server, whatever runs',
    rules: ['stdio.reader-gone'],
    async run({ write, received, vanish, endedWell }, patienceMs) {
      write(call(2, 'sleep', { ms: 300 }), ping(3));
      await received.next(1, patienceMs);
      vanish();
      expect(await endedWell).toBe(true);
    },
  },
  {
    sentence: 'what a tool writes to stdout does not get between the messages',
    rules: ['stdio.only-messages'],
    needs: 'process',
    async run({ write, received, endInput }, patienceMs) {
      write(call(2, 'talk'), ping(3));
      endInput();
      expect((await received.rest(patienceMs)).map((frame) => frame.id)).toEqual([2, 3]);
    },
  },
];

export const checks: readonly Check[] = servedOver.flatMap((over) =>
  scenes
    .filter(({ needs }) => needs !== 'process' || over.ownsProcess)
    .filter(({ needs }) => needs !== 'bytes' || over.name !== 'a memory pair')
    .map(({ sentence, rules, run }) => ({
      title: `over ${over.name}: ${sentence}`,
      rules,
      async run(patienceMs: number) {
        const served = await over.open();
        try {
          served.write(INITIALIZE, '{"jsonrpc":"2.0","method":"notifications/initialized"}');
          const [hello] = await served.received.next(1, patienceMs);
          expect(hello.result.protocolVersion).toBe('2025-11-25');
          await run(served, patienceMs);
        } finally {
          await served.dispose();
        }
      },
    })),
);
