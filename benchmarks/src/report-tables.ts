import { childCloseTable, childReadTable } from './child-tables.ts';
import { codecTables } from './codec-tables.ts';
import { garbageTable, linearTable, loadTable, memoryTable } from './engine-tables.ts';
import { callsTable } from './mcp/tables.ts';
import { microTables, rateTable } from './micro-tables.ts';
import { netTable, passThroughTable, processTables, serverTable } from './process-tables.ts';
import { relayTable } from './relay-tables.ts';
import type { RunResult } from './results.ts';
import { roundTripTable } from './round-trip-case.ts';
import { slowReaderTable } from './slow-reader-tables.ts';
import type { Table } from './table.ts';
import { crossoverTable, validationTable } from './validation-tables.ts';
import { verdictTable } from './verdict-table.ts';

/** Every table of a run, those without rows left out. Wins and losses alike. */
export function reportTables(result: RunResult): Table[] {
  return [
    verdictTable(result),
    ...microTables(result),
    ...codecTables(result),
    validationTable(result),
    callsTable(result),
    ...processTables(result),
    netTable(result),
    passThroughTable(result),
    childReadTable(result),
    childCloseTable(result),
    roundTripTable(result),
    slowReaderTable(result),
    relayTable(result),
    garbageTable(result),
    loadTable(result),
    linearTable(result),
    memoryTable(result),
  ].filter(hasRows);
}

/** What fits a reader's first look: every promise, and one table each for messages, servers and plain bytes. */
export function readmeTables(result: RunResult): Table[] {
  return [
    verdictTable(result),
    rateTable(result),
    crossoverTable(result),
    serverTable(result),
    passThroughTable(result),
  ].filter(hasRows);
}

function hasRows({ rows }: Table): boolean {
  return rows.length > 0;
}
