import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type NumberPlaces, replaceBlock, updateReadme } from '../src/readme-block.ts';
import { writeResult } from '../src/results.ts';
import { exampleRun } from './example-run.ts';

describe('the README block', () => {
  const readme = 'before\n<!-- numbers:start -->\nold\n<!-- numbers:end -->\nafter\n';

  it('replaces what is between the marks and nothing else', () => {
    expect(replaceBlock(readme, 'new')).toBe(
      'before\n<!-- numbers:start -->\nnew\n<!-- numbers:end -->\nafter\n',
    );
  });

  it('changes nothing the second time', () => {
    const once = replaceBlock(readme, 'new') as string;
    expect(replaceBlock(once, 'new')).toBe(once);
  });

  it('is refused when a mark is missing', () => {
    expect(replaceBlock('no marks', 'new')).toBeUndefined();
    expect(replaceBlock('<!-- numbers:end --><!-- numbers:start -->', 'new')).toBeUndefined();
  });
});

describe('updating the numbers', () => {
  let places: NumberPlaces;
  beforeEach(() => {
    const results = mkdtempSync(join(tmpdir(), 'linewire-numbers-'));
    places = { results, readme: join(results, 'README.md'), report: join(results, 'REPORT.md') };
    writeFileSync(places.readme, '<!-- numbers:start -->old<!-- numbers:end -->');
  });
  afterEach(() => rmSync(places.results, { recursive: true, force: true }));

  it('writes README and report from the newest full run, and has nothing to do the second time', () => {
    writeResult(exampleRun(), places.results);
    expect(updateReadme(true, places)).toBe(1);
    expect(existsSync(places.report)).toBe(false);
    expect(updateReadme(false, places)).toBe(0);
    expect(readFileSync(places.readme, 'utf8')).toContain('full-2026-01-02T03-04-05.json');
    expect(readFileSync(places.report, 'utf8')).toContain('full-2026-01-02T03-04-05.json');
    expect(updateReadme(true, places)).toBe(0);
  });

  it('notices a report that was edited', () => {
    writeResult(exampleRun(), places.results);
    updateReadme(false, places);
    writeFileSync(places.report, 'faster!');
    expect(updateReadme(true, places)).toBe(1);
  });

  it('leaves what an older harness rendered until there is a new run', () => {
    const older = { ...exampleRun(), schema: 1 };
    writeFileSync(join(places.results, 'full-2026-01-01T00-00-00.json'), JSON.stringify(older));
    expect(updateReadme(false, places)).toBe(0);
    expect(readFileSync(places.readme, 'utf8')).toContain('old');
    writeResult(exampleRun(), places.results);
    updateReadme(false, places);
    expect(readFileSync(places.readme, 'utf8')).not.toContain('old');
  });

  it('fails when the README has no place for them', () => {
    writeFileSync(places.readme, 'no marks');
    expect(updateReadme(false, places)).toBe(1);
  });
});
