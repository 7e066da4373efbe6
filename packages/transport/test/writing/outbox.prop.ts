import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OutboxModel } from '../support/outbox-model.ts';

type Operation = (model: OutboxModel) => void | Promise<void>;

/** Every frame is different, so that one cannot be taken for another. */
let nextFrame = 0;

const letters = ['x', 'é', 'ก', '🧪', '\ud800'];
const text: fc.Arbitrary<() => string> = fc
  .record({
    letter: fc.constantFrom(...letters),
    length: fc.oneof(
      { weight: 12, arbitrary: fc.nat(200) },
      { weight: 3, arbitrary: fc.nat(9000) },
      { weight: 1, arbitrary: fc.nat(150_000) },
      { weight: 1, arbitrary: fc.constantFrom(65_520, 65_530, 65_536, 262_130, 262_140, 262_144) },
    ),
  })
  .map(
    ({ letter, length }) =>
      () =>
        `"${nextFrame++} ${letter.repeat(length / letter.length)}"`,
  );

const reply: fc.Arbitrary<Operation> = fc
  .tuple(text, fc.constantFrom('text' as const, 'bytes' as const, 'writer' as const, 'reserved' as const))
  .map(
    ([frame, how]) =>
      (model) =>
        model.sendReply(frame(), how),
  );
const request: fc.Arbitrary<Operation> = fc
  .tuple(
    text,
    fc.constantFrom(
      'text' as const,
      'bytes' as const,
      'value' as const,
      'encoded' as const,
      'writer' as const,
    ),
    fc.constantFrom(
      'none' as const,
      'none' as const,
      'signal' as const,
      'aborted' as const,
      'timeout' as const,
    ),
  )
  .map(
    ([frame, how, option]) =>
      (model) =>
        model.sendRequest(frame(), how, option),
  );
const pick = fc.nat(10_000);
const during: fc.Arbitrary<Operation> = fc.oneof(
  reply,
  request,
  pick.map(
    (at): Operation =>
      (model) =>
        model.withdraw(at),
  ),
  fc.constant<Operation>((model) => model.outbox.flush()),
);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 8, arbitrary: reply },
  { weight: 12, arbitrary: request },
  {
    weight: 2,
    arbitrary: fc.tuple(text, fc.array(during, { maxLength: 6 }), fc.boolean()).map(
      ([frame, inner, fails]): Operation =>
        (model) =>
          model.sendNesting(
            frame(),
            inner.map((run) => () => void run(model)),
            fails,
          ),
    ),
  },
  {
    weight: 4,
    arbitrary: pick.map(
      (at): Operation =>
        (model) =>
          model.withdraw(at),
    ),
  },
  {
    weight: 2,
    arbitrary: pick.map(
      (at): Operation =>
        (model) =>
          model.abort(at),
    ),
  },
  {
    weight: 4,
    arbitrary: pick.map(
      (at): Operation =>
        (model) =>
          model.ask(at),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.nat(300_000).map(
      (count): Operation =>
        (model) =>
          model.takeSome(count),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.boolean().map(
      (keeps): Operation =>
        (model) =>
          model.keepChunks(keeps),
    ),
  },
  { weight: 2, arbitrary: fc.constant<Operation>((model) => model.outbox.flush()) },
  { weight: 2, arbitrary: fc.constant<Operation>((model) => model.outbox.beginBatch()) },
  {
    weight: 2,
    arbitrary: fc.boolean().map(
      (isHeld): Operation =>
        (model) =>
          model.outbox.endBatch(isHeld),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constant<Operation>(() => new Promise((resolve) => setImmediate(resolve))),
  },
);
const lastOperation: fc.Arbitrary<Operation> = fc.oneof(
  fc.nat(500_000).map(
    (bytes): Operation =>
      (model) =>
        model.failSoon(bytes),
  ),
  fc.constant<Operation>((model) => model.fail()),
  fc.constant<Operation>((model) => model.end()),
  fc.constant<Operation>((model) => model.release()),
  fc.constant<Operation>((model) => model.takeUnsent()),
);

describe('an outbox under any order of sends, withdrawals, short writes and ends', () => {
  test('writes the frames of its model whole and in order, counts the same bytes, and tells each asked ticket the truth once', async () => {
    const seen = { chunks: 0, runs: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom([0, 0], [100, 0], [5000, 1000], [200_000, 50_000], [2 ** 30, 1000]),
        fc.array(operation, { maxLength: 80 }),
        lastOperation,
        fc.array(operation, { maxLength: 20 }),
        async ([high = 0, low = 0], before, last, after) => {
          const model = new OutboxModel(high, low);
          for (const run of [...before, last, ...after]) {
            await run(model);
            model.check();
          }
          await model.finalCheck();
          seen.runs++;
          if (model.outbox.bytesOut > 0) seen.chunks++;
        },
      ),
      { numRuns: 10_000_000, interruptAfterTimeLimit: Number(process.env['CI'] ? 30_000 : 3000) },
    );
    expect(seen.runs).toBeGreaterThan(20);
    expect(seen.chunks).toBeGreaterThan(seen.runs / 4);
  }, 60_000);
});
