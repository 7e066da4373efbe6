import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readmePath } from './paths.ts';
import { renderMarkdown } from './render.ts';
import { newestFullResult } from './results.ts';

const startMark = '<!-- numbers:start -->';
const endMark = '<!-- numbers:end -->';

/** Puts a block between the two marks; a text without the marks, or with one alone, comes back as undefined. */
export function replaceBlock(text: string, block: string): string | undefined {
  const start = text.indexOf(startMark);
  const end = text.indexOf(endMark);
  if (start < 0 || end < start) return undefined;
  return `${text.slice(0, start + startMark.length)}\n${block}\n${text.slice(end)}`;
}

/**
 * Renders the newest full result into the README, or with `check` only compares. Nothing but the result file goes in:
 * neither the clock nor the machine that renders.
 *
 * @returns the exit code: 1 if the README has no marks or, with `check`, is not what the result says
 */
export function updateReadme(check: boolean): number {
  if (!existsSync(readmePath)) return say('README.md does not exist yet: nothing to write', 0);
  const newest = newestFullResult();
  const readme = readFileSync(readmePath, 'utf8');
  const block = newest
    ? `<!-- generated from benchmarks/results/${newest.name} -->\n\n${renderMarkdown(newest.result)}\n`
    : '\nNo full run has been recorded yet: `npm run bench`.\n';
  const wanted = replaceBlock(readme, block);
  if (wanted === undefined) return say(`README.md lacks ${startMark} … ${endMark}`, 1);
  if (wanted === readme) return say('README.md numbers are current', 0);
  if (check) return say('README.md numbers differ from the newest full result: npm run generate', 1);
  writeFileSync(readmePath, wanted);
  return say(`README.md numbers written from ${newest?.name ?? 'nothing'}`, 0);
}

function say(line: string, exitCode: number): number {
  process.stdout.write(`${line}\n`);
  return exitCode;
}
