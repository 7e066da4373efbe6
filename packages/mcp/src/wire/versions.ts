/** The four revisions that open with `initialize`, newest first. */
export const legacyVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** What a server offers when the asked legacy revision is unknown, and what our client asks for. */
export const newestLegacyVersion = '2025-11-25';

/** The one revision that has `elicitationId`, `notifications/elicitation/complete` and the error -32042. */
export const URL_ELICITATION_REVISION = '2025-11-25';

/** The revisions without a handshake: every request carries its version in `params._meta`. */
export const modernVersions: readonly string[] = ['2026-07-28'];

/** Reserved `_meta` keys of the modern revisions. The first one on a request is its claim to be modern. */
export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** Name and version of a program, as both sides introduce themselves. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}
