import { encodeJson } from '@linewire/framing';
import { McpError } from '../../errors.ts';
import { isObject } from '../../json-object.ts';
import type { ConnectionState, LegacyClient } from './connection-state.ts';

/** The one revision that knows it. */
const KNOWN_IN = '2025-11-25';

/**
 * Tells the client that the user is done with a page that it was asked to show. Clients that do not show pages, or know nothing of such a notification, get
 * none.
 *
 * @throws McpError `OPTION_INVALID` unless it is a string of at least one character
 */
export function completeElicitation({ legacyClient, notices }: ConnectionState, elicitationId: string): void {
  if (typeof elicitationId !== 'string' || elicitationId === '')
    throw new McpError('OPTION_INVALID', 'elicitationComplete needs the elicitationId of the page');
  if (legacyClient === undefined || !showsPages(legacyClient)) return;
  const id = encodeJson(elicitationId);
  notices.coalesce(
    `elicitation ${id}`,
    `{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":${id}}}`,
  );
}

function showsPages({ protocolVersion, capabilities }: LegacyClient): boolean {
  const { elicitation } = capabilities;
  return protocolVersion === KNOWN_IN && isObject(elicitation) && isObject(elicitation['url']);
}
