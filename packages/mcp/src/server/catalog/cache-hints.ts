import { McpError } from '../../errors.ts';
import type { CacheHint } from '../api/cache-hint.ts';

/** Stale at once, for this client only. */
export const noCaching: CacheHint = { ttlMs: 0, cacheScope: 'private' };

/** @throws McpError `OPTION_INVALID` if the hint is there and is not one. */
export function checkCacheHint(hint: CacheHint | undefined, what: string): void {
  if (hint === undefined) return;
  const { ttlMs, cacheScope } = hint;
  if (!Number.isSafeInteger(ttlMs) || ttlMs < 0)
    throw new McpError('OPTION_INVALID', `${what}: cache.ttlMs must be a whole number from 0 on`);
  if (cacheScope !== 'public' && cacheScope !== 'private')
    throw new McpError('OPTION_INVALID', `${what}: cache.cacheScope must be "public" or "private"`);
}
