import { encodeJson } from '@linewire/framing';
import { McpError } from '../../errors.ts';
import { isObject } from '../../json-object.ts';
import { URL_ELICITATION_REVISION } from '../../wire/versions.ts';
import type { Call } from './call.ts';

/**
 * Tells the client of a call that the user is done with a page. False: it does not show pages, its revision knows no such notification, it is gone, or
 * it reads too slowly.
 *
 * @throws McpError `OPTION_INVALID` unless the id is a string of at least one character
 */
export function completeElicitation(call: Call, elicitationId: string): boolean {
  if (typeof elicitationId !== 'string' || elicitationId === '')
    throw new McpError('OPTION_INVALID', 'elicitationComplete needs the elicitationId of the page');
  const { elicitation } = call.clientCapabilities;
  if (call.protocolVersion !== URL_ELICITATION_REVISION) return false;
  if (!isObject(elicitation) || !isObject(elicitation['url'])) return false;
  const params = `{"elicitationId":${encodeJson(elicitationId)}}`;
  return call.connection.tellClient(
    `{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":${params}}`,
  );
}
