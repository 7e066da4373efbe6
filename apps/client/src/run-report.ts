import { printable, printableLine } from '@linewire/mcp';
import pc from 'picocolors';
import type { PlayReport } from './run-play.ts';
import type { Tally } from './run-tally.ts';

/** True if every answer was right, nothing else came, and the command ended well. */
export function playSucceeded(tally: Tally, report: PlayReport): boolean {
  const { exitCode } = report.end;
  // Ended by our own ladder: not every server leaves at the end of its input, and that is not what is checked.
  const endedWell = report.killed || exitCode === 0;
  return tally.allRight && !report.timedOut && endedWell;
}

/** The report of one run as text. Everything that the command said in it is made printable. */
export function reportText(tally: Tally, report: PlayReport, compared: boolean): string {
  const out: string[] = [];
  const good = playSucceeded(tally, report);
  const verdict = good ? pc.green(compared ? 'all right' : 'all answered') : pc.red('not all right');
  out.push(`${count(report.lines, 'message')}, ${count(tally.right + tally.wrong, 'answer')}: ${verdict}`);
  const seconds = report.lastAnswerMs / 1000;
  const rate = seconds > 0 ? `, ${number(report.lines / seconds)} messages/s` : '';
  out.push(`${seconds.toFixed(3)} s from the start of the command to the last answer${rate}`);
  if (tally.notifications > 0) out.push(`${count(tally.notifications, 'notification')} beside`);
  if (tally.serverRequests > 0)
    out.push(`${count(tally.serverRequests, 'request')} of the server were not answered`);
  if (good) return `${out.join('\n')}\n`;

  if (report.timedOut) out.push(pc.red('gave up: no answer for too long (--timeout-ms)'));
  for (const { idText, expected, actual } of tally.wrongAnswers) {
    out.push(`${pc.red('wrong')}    id ${printableLine(idText)}`);
    out.push(`  expected ${printableLine(expected)}`, `  got      ${printableLine(actual)}`);
  }
  more(out, tally.wrong, tally.wrongAnswers.length, 'wrong');
  if (tally.missing > 0) {
    const ids = tally.missingIds().map(printableLine);
    out.push(
      `${pc.red('missing')}  ${count(tally.missing, 'answer')}: id ${ids.join(', ')}${ids.length < tally.missing ? ' …' : ''}`,
    );
  }
  for (const line of tally.extraLines) out.push(`${pc.red('extra')}    ${printableLine(line)}`);
  more(out, tally.extra, tally.extraLines.length, 'extra');
  out.push(`the command ${endText(report)}`);
  const tail = report.end.stderrTail?.trimEnd() ?? '';
  if (tail !== '') out.push('the end of its stderr:', printable(tail));
  return `${out.join('\n')}\n`;
}

function more(out: string[], all: number, shown: number, what: string): void {
  if (all > shown) out.push(`         and ${number(all - shown)} more ${what}`);
}

function endText({ end, killed }: PlayReport): string {
  if (end.error !== undefined) return `failed: ${printableLine(end.error.message)}`;
  if (typeof end.signal === 'string')
    return `was ended by ${end.signal}${killed ? ', it did not leave at the end of its input' : ''}`;
  return `exited with code ${end.exitCode ?? 'unknown'}`;
}

function count(value: number, what: string): string {
  return `${number(value)} ${what}${value === 1 ? '' : 's'}`;
}

function number(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
