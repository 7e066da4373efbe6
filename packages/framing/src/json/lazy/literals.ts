import { LOWER_F, LOWER_T } from '../../bytes.ts';
import type { LazySource } from './lazy-source.ts';
import { syntaxFault } from './syntax-fault.ts';

/** What a literal says: `true`, `false` or `null`, by its first byte. Throws unless the range is that word. */
export function literalValue(
  source: LazySource,
  bytes: Uint8Array,
  start: number,
  end: number,
): boolean | null {
  const first = bytes[start];
  const word = first === LOWER_T ? 'true' : first === LOWER_F ? 'false' : 'null';
  for (let i = 0; i < word.length; i++) {
    if (start + i >= end || bytes[start + i] !== word.charCodeAt(i)) throw syntaxFault(source, start + i);
  }
  if (start + word.length !== end) throw syntaxFault(source, start + word.length);
  return word === 'null' ? null : word === 'true';
}
