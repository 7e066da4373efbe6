import type { Row, RunResult } from './results.ts';
import { distinct, nothing, percent, shortNumber, type Table } from './table.ts';
import { validationGroup } from './validation-case.ts';
import { sizeName, validationSides } from './validation-sides.ts';
import { bandOf } from './verdict.ts';

/** Every frame that was checked: what each side took. */
export function validationTable(result: RunResult): Table {
  const sides = Object.values(validationSides);
  return {
    caption: 'Is it JSON? ns per frame',
    note: `${about} ${crossover(result)}`,
    header: ['frames', 'bytes', ...sides, 'simdjson ÷ full', 'noise'],
    leftColumns: 1,
    rows: checkedFrames(result).map(({ name, bySide, band }) => [
      name,
      shortNumber(Number(Object.values(bySide)[0]?.detail?.['meanBytes'])),
      ...sides.map((side) => (bySide[side] === undefined ? nothing : shortNumber(bySide[side].median))),
      shownRatio(ratioOf(bySide)),
      percent(band),
    ]),
  };
}

/** What the README shows: how many times as long simdjson takes, by content and size, and where it is faster. */
export function crossoverTable(result: RunResult): Table {
  const frames = checkedFrames(result).filter(({ bySide }) => ratioOf(bySide) !== undefined);
  const sizes = distinct(frames.map(({ frameBytes }) => frameBytes)).sort((a, b) => a - b);
  return {
    caption:
      "Is it JSON? Time of simdjson's `isValid`, of a string made from the frame, ÷ time of `validate: 'full'`",
    note: crossover(result),
    header: ['content', ...sizes.map(sizeName)],
    leftColumns: 1,
    rows: distinct(frames.map(({ content }) => content)).map((content) => [
      content,
      ...sizes.map((size) => {
        const found = frames.find((frame) => frame.content === content && frame.frameBytes === size);
        return shownRatio(found && ratioOf(found.bySide));
      }),
    ]),
  };
}

const about =
  'simdjson (npm 0.9.2) and JSON.parse: of a `latin1Slice`, for Thai of a `utf8Slice`, of the whole frame, which is made for them in ' +
  "advance; simdjson does not check the bytes' UTF-8. full: the frame table with `validate: 'full'`, wasm engine, copying 64 KiB chunks in " +
  'included.';

type BySide = Readonly<Record<string, Row>>;

interface CheckedFrames {
  readonly name: string;
  readonly content: string;
  readonly frameBytes: number;
  readonly bySide: BySide;
  readonly band: number | undefined;
}

function checkedFrames({ rows, noise }: RunResult): CheckedFrames[] {
  const checked = rows.filter((row) => row.group === validationGroup);
  return distinct(checked.map((row) => row.case)).map((name) => {
    const own = checked.filter((row) => row.case === name);
    return {
      name,
      content: String(own[0]?.detail?.['content']),
      frameBytes: Number(own[0]?.detail?.['frameBytes']),
      bySide: Object.fromEntries(own.map((row) => [row.side, row])),
      band: bandOf(noise, validationGroup, name),
    };
  });
}

/** Above 1, the scan is faster. */
function ratioOf(bySide: BySide): number | undefined {
  const simdjson = bySide[validationSides.simdjson];
  const full = bySide[validationSides.full];
  return simdjson && full && simdjson.median / full.median;
}

function shownRatio(ratio: number | undefined): string {
  return ratio === undefined ? nothing : `${ratio.toFixed(2)} ×`;
}

/** Where simdjson is faster, in words: than the scan, and than `JSON.parse`. A lead within the noise band is none. */
function crossover(result: RunResult): string {
  const frames = checkedFrames(result).filter(({ bySide }) => ratioOf(bySide) !== undefined);
  if (frames.length === 0) return 'simdjson was NOT measured: its addon was not built here.';
  const wins = names(frames, validationSides.full);
  const beside = names(frames, validationSides.parse);
  const scan =
    wins === ''
      ? 'There is no crossover with the scan: simdjson is nowhere faster. It takes strings only, so it begins when the bytes have been ' +
        'made a string, copies that again, and allocates anew for every call.'
      : `simdjson is faster than the scan on: ${wins}.`;
  return `${scan} It is ${beside === '' ? 'nowhere faster than JSON.parse' : `faster than JSON.parse on: ${beside}`}.`;
}

function names(frames: readonly CheckedFrames[], loser: string): string {
  return frames
    .filter(({ bySide, band = 0 }) => {
      const [simdjson, other] = [bySide[validationSides.simdjson], bySide[loser]];
      return simdjson && other && simdjson.median < other.median * (1 - band);
    })
    .map(({ name }) => name)
    .join('; ');
}
