import { FramingError } from '../../errors.ts';
import type { LazySource } from './lazy-source.ts';

/** What a lazy value met that is not JSON, at position `at` of its source. Only frames that were not validated in full can hold it. */
export function syntaxFault(source: LazySource, at: number, cause?: unknown): FramingError {
  const offset = source.origin + at;
  return new FramingError('JSON_SYNTAX', `not JSON at byte ${offset}`, { offset, cause });
}
