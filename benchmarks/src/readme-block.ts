import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readmePath, reportPath, resultsFolder } from './paths.ts';
import { renderMarkdown } from './render.ts';
import { readmeTables, reportTables } from './report-tables.ts';
import { newestFullResult, type RunResult, resultSchema } from './results.ts';

const startMark = '<!-- numbers:start -->';
const endMark = '<!-- numbers:end -->';

/** Puts a block between the two marks; a text without the marks, or with one alone, comes back as undefined. */
export function replaceBlock(text: string, block: string): string | undefined {
  const start = text.indexOf(startMark);
  const end = text.indexOf(endMark);
  if (start < 0 || end < start) return undefined;
  return `${text.slice(0, start + startMark.length)}\n${block}\n${text.slice(end)}`;
}

/** What the README shows of a result: a few tables, and where the rest is. */
export function readmeBlock(name: string, result: RunResult): string {
  const tables = renderMarkdown(result, readmeTables(result));
  const link =
    'Every corpus, server and table: [benchmarks/REPORT.md](benchmarks/REPORT.md), from the same run.';
  return `${generatedFrom(name)}\n\n${tables}\n\n${link}\n`;
}

/** The whole report as a page of its own. */
export function reportPage(name: string, result: RunResult): string {
  const tables = renderMarkdown(result, reportTables(result));
  return `# Benchmarks\n\n${generatedFrom(name)}\n\n${tables}\n`;
}

function generatedFrom(name: string): string {
  return `<!-- generated from benchmarks/results/${name} -->`;
}

/** Where results come from and where their numbers go. */
export interface NumberPlaces {
  readonly results: string;
  readonly readme: string;
  readonly report: string;
}

const ownPlaces: NumberPlaces = { results: resultsFolder, readme: readmePath, report: reportPath };

/**
 * Renders the newest full result into the README and the report, or with `check` only compares. Nothing but the result file
 * goes in: neither the clock nor the machine that renders. What an older harness rendered stays until there is a new run.
 *
 * @returns the exit code: 1 if the README has no marks or, with `check`, a page is not what the result says
 */
export function updateReadme(check: boolean, { results, readme, report }: NumberPlaces = ownPlaces): number {
  if (!existsSync(readme)) return say('README.md does not exist yet: nothing to write', 0);
  const newest = newestFullResult(results);
  if (newest !== undefined && newest.result.schema !== resultSchema)
    return say(`${newest.name} is of an older kind: its numbers stay as they were rendered`, 0);
  const block = newest
    ? readmeBlock(newest.name, newest.result)
    : '\nNo full run has been recorded yet: `npm run bench`.\n';
  const wanted = replaceBlock(readFileSync(readme, 'utf8'), block);
  if (wanted === undefined) return say(`README.md lacks ${startMark} … ${endMark}`, 1);
  const pages = [{ path: readme, text: wanted }];
  if (newest) pages.push({ path: report, text: reportPage(newest.name, newest.result) });
  const stale = pages.filter(({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text);
  if (stale.length === 0) return say('the numbers are current', 0);
  if (check) return say('the numbers differ from the newest full result: npm run generate', 1);
  for (const { path, text } of stale) writeFileSync(path, text);
  return say(`numbers written from ${newest?.name ?? 'nothing'}`, 0);
}

function say(line: string, exitCode: number): number {
  process.stdout.write(`${line}\n`);
  return exitCode;
}
