import { Random } from '@linewire/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, joined } from '../../support/events.ts';
import { document, randomShape, type Shape } from '../../support/json-shapes.ts';
import { spacedJson } from '../../support/json-texts.ts';
import { SlotTrial } from '../../support/slots.ts';
import { holds, seed, timeBoxMs } from '../../support/time-box.ts';

const anySeed = fc.integer({ min: 0, max: 2 ** 31 - 1 });
/** Per text, whether only its values change. */
const changes = fc.array(fc.boolean(), { minLength: 4, maxLength: 40 });

describe(`whatever texts a slot is fed (seed ${seed})`, () => {
  it(
    'it gives what JSON.parse gives: a few shapes in turns, with other values, other members, other white space',
    () => {
      let [hits, texts] = [0, 0];
      holds(
        fc.property(anySeed, changes, fc.integer({ min: 1, max: 3 }), (from, isStrict, shapeCount) => {
          const random = new Random(from);
          const shapes = Array.from({ length: shapeCount }, () =>
            randomShape(random, random.pick([1, 2, 3, 5])),
          );
          const trial = new SlotTrial();
          for (const strictly of isStrict) {
            const text = document(random, random.pick(shapes), strictly);
            trial.feed(text, { before: random.integer(0, 9), behind: random.pick(tails) });
          }
          hits += trial.stats.hits;
          texts += isStrict.length;
        }),
      );
      // Otherwise nothing but `JSON.parse` would have been compared with itself.
      expect(hits).toBeGreaterThan(texts / 10);
    },
    timeBoxMs + 20_000,
  );

  it(
    'it gives what JSON.parse gives, or refuses what JSON.parse refuses: texts with bytes changed among good ones',
    () => {
      let hits = 0;
      holds(
        fc.property(anySeed, changes, (from, isGood) => {
          const random = new Random(from);
          const shape = randomShape(random, 3);
          const trial = new SlotTrial();
          for (const good of isGood) {
            const text = bytesOf(document(random, shape));
            trial.feed(good ? text : damaged(random, text), { behind: random.pick(tails) });
          }
          hits += trial.stats.hits;
        }),
      );
      expect(hits).toBeGreaterThan(20);
    },
    timeBoxMs + 20_000,
  );

  it(
    'it gives what JSON.parse gives: texts that have nothing to do with each other, each of them three times',
    () => {
      holds(
        fc.property(fc.array(spacedJson, { maxLength: 8 }), (texts) => {
          const trial = new SlotTrial();
          for (let round = 0; round < 3; round++) trial.feedAll(texts);
        }),
      );
    },
    timeBoxMs + 20_000,
  );

  it(
    'it gives what JSON.parse gives: objects that come again among others, at several places',
    () => {
      let [hits, texts] = [0, 0];
      holds(
        fc.property(anySeed, changes, (from, comesAgain) => {
          const random = new Random(from);
          const shapes = Array.from({ length: 3 }, () => randomShape(random, random.pick([1, 2])));
          const some = shapes.map((shape) => document(random, shape));
          const value = (again: boolean): string =>
            again ? random.pick(some) : document(random, random.pick(shapes));
          const trial = new SlotTrial();
          for (const again of comesAgain) {
            const inner = `{"a":${value(again)},"b":${value(again)}}`;
            trial.feed(`{"n":${random.integer(0, 9)},"x":${value(again)},"y":${inner}}`);
          }
          hits += trial.stats.hits;
          texts += comesAgain.length;
        }),
      );
      expect(hits).toBeGreaterThan(texts / 10);
    },
    timeBoxMs + 20_000,
  );

  it(
    'it gives what JSON.parse gives: nested about as deep as shapes are learned',
    () => {
      holds(
        fc.property(
          anySeed,
          fc.array(fc.integer({ min: 12, max: 20 }), { minLength: 3, maxLength: 9 }),
          (from, depths) => {
            const random = new Random(from);
            const trial = new SlotTrial();
            const levels = Array.from({ length: 20 }, () => random.integer(0, 1) === 0);
            for (const depth of depths) {
              let shape: Shape = randomShape(random, 1);
              for (const isArray of levels.slice(0, depth)) {
                shape = isArray
                  ? { kind: 'array', items: [shape] }
                  : { kind: 'object', members: [['"k"', shape]] };
              }
              for (let round = 0; round < 3; round++) trial.feed(document(random, shape));
            }
          },
        ),
      );
    },
    timeBoxMs + 20_000,
  );
});

/** What may stand behind a text: what would go on with it, what would end it, what is no text at all. */
const tails = ['', '}', ']', '"', '0', '9.5e1', ',"a":1}', '  }', 'rue', '\\"}', '\n', '"}\n'].map((text) =>
  bytesOf(text),
);

function damaged(random: Random, text: Uint8Array): Uint8Array {
  const at = random.integer(0, text.length - 1);
  const byte = random.pick([
    0x22, 0x5c, 0x2c, 0x3a, 0x7d, 0x5d, 0x20, 0x0a, 0x00, 0x1f, 0x30, 0x2e, 0x65, 0x80, 0xc3, 0xff,
  ]);
  const rest = text.subarray(at + random.integer(0, 2));
  return random.integer(0, 3) === 0 ? text.slice(0, at) : joined(text.subarray(0, at), [byte], rest);
}
