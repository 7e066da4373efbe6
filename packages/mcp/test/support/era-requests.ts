import { INITIALIZE, M } from './example-server.ts';
import type { Wire } from './wire.ts';

export type Era = 'legacy' | 'modern';
export const eras: readonly Era[] = ['legacy', 'modern'];

/** A request line in the manner of its era. `params` has no `_meta`. */
export function line(era: Era, id: number | string, method: string, params: object = {}): string {
  const text = JSON.stringify(params).slice(1, -1);
  const meta = era === 'modern' ? `"_meta":{${M}}` : '';
  const members = [text, meta].filter((part) => part !== '').join(',');
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"${method}","params":{${members}}}`;
}

/** Makes requests of that era welcome. */
export function enter(era: Era, wire: Wire): void {
  if (era === 'modern') return;
  wire.feed(INITIALIZE);
  wire.take();
}

/** Lets what was put off to the end of the turn happen. */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
