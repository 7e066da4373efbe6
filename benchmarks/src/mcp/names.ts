/** Group of the cases that measure the server library through its public API. */
export const mcpGroup = 'mcp';

/** Names that thresholds and tables look for. */
export const mcpCases = {
  calls: 'calls of one tool, schema checked',
} as const;

export const mcpSides = {
  emptyNode: 'node -e 0',
  sync: 'linewire, handler returns',
  async: 'linewire, async handler',
  bareLoop: 'bare loop',
  empty: 'true',
  native: 'C++ on simdjson',
  nativeTuned: 'C++ on simdjson, tuned by hand',
  sdkV1: 'SDK v1',
  sdkV2: 'SDK v2',
} as const;
