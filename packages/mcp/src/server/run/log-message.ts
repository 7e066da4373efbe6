import { encodeJson } from '@linewire/framing';
import { McpError } from '../../errors.ts';
import { type LogLevel, logLevels, logRank } from '../../wire/log-levels.ts';
import type { ConnectionState } from './connection-state.ts';
import { messageOf } from './message-of.ts';

/**
 * A `notifications/message`. What JSON cannot hold is replaced by the reason: a log line must not be what fails a call.
 *
 * @param data - any JSON value; undefined becomes null
 */
export function logFrame(level: LogLevel, data: unknown, logger: string | undefined): string {
  const named = logger === undefined ? '' : `,"logger":${encodeJson(String(logger))}`;
  return `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"${level}"${named},"data":${dataText(data)}}}`;
}

/**
 * The rank of the level of a message that is to be logged.
 *
 * @throws McpError `OPTION_INVALID` if it is no level
 */
export function checkedRank(level: LogLevel): number {
  const rank = logRank(level);
  if (rank < 0)
    throw new McpError('OPTION_INVALID', `The level of a log message must be one of ${logLevels.join(', ')}`);
  return rank;
}

function dataText(data: unknown): string {
  if (data === undefined) return 'null';
  try {
    return encodeJson(data);
  } catch (error) {
    return encodeJson(`(no JSON: ${messageOf(error)})`);
  }
}

/** A message of the server itself, which belongs to no request: only legacy clients get such. Throws as `checkedRank`. */
export function logToClient(
  connection: ConnectionState,
  level: LogLevel,
  data: unknown,
  logger: string | undefined,
): void {
  const rank = checkedRank(level);
  if (connection.legacyClient !== undefined && rank >= connection.logLevel)
    connection.notices.message(logFrame(level, data, logger));
}
