import { reportTables } from './report-tables.ts';
import type { RunResult } from './results.ts';
import type { Table } from './table.ts';

/** One line about where and when. */
function describeRun({ machine, runtimes, startedAt, fit, kind }: RunResult): string {
  const { system, cpu, cores, load, commit, dirty } = machine;
  return [
    `Node ${runtimes.map(({ version }) => version).join(' and ')}, ${cpu}, ${cores} cores, ${system}, load ${load[0] ?? 0}`,
    `commit ${commit}${dirty ? ' with changes' : ''}`,
    `${startedAt.slice(0, 10)}, ${kind} run${fit ? '' : ', UNFIT: the machine was busy'}`,
  ].join('; ');
}

/** Loud, and first: a table does not show what is not in it. */
function missingNotes({ missing }: RunResult): string[] {
  return missing.map(
    ({ name, reason }) =>
      `NOT RUN: ${name}, ${reason}. Its cases are missing from every table, promises that name it are unproven.`,
  );
}

/** For a terminal: columns padded with spaces. */
export function renderText(result: RunResult): string {
  const blocks = reportTables(result).map((table) => {
    const lines = [table.header, ...table.rows];
    const widths = table.header.map((_, column) =>
      Math.max(...lines.map((line) => [...(line[column] ?? '')].length)),
    );
    const body = lines.map((line) =>
      line
        .map((cell, column) => pad(cell, widths[column] ?? 0, column < table.leftColumns))
        .join('  ')
        .trimEnd(),
    );
    const noted = table.note === undefined ? body : [...body, table.note];
    return [table.caption, ...noted.map((line) => `  ${line}`)].join('\n').replaceAll('`', '');
  });
  return `${[describeRun(result), ...missingNotes(result), ...blocks].join('\n\n')}\n`;
}

/** For the README and the report, with the tables that each shows. */
export function renderMarkdown(result: RunResult, tables: readonly Table[]): string {
  const blocks = tables.flatMap((table) => [
    `**${table.caption}**`,
    markdownTable(table),
    ...(table.note === undefined ? [] : [table.note]),
  ]);
  const notes = missingNotes(result).map((note) => `**${note}**`);
  return [...notes, ...blocks, describeRun(result)].join('\n\n');
}

function markdownTable({ header, rows, leftColumns }: Table): string {
  const toLine = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = header.map((_, column) => (column < leftColumns ? '---' : '---:'));
  return [toLine(header), toLine(rule), ...rows.map(toLine)].join('\n');
}

function pad(cell: string, width: number, left: boolean): string {
  const fill = ' '.repeat(Math.max(0, width - [...cell].length));
  return left ? cell + fill : fill + cell;
}
