import { INITIALIZE, M } from './example-server.ts';
import type { Wire } from './wire.ts';

export type Era = 'legacy' | 'modern';
export const eras: readonly Era[] = ['legacy', 'modern'];

/** A request line in the manner of its era. `meta` is what stands in `_meta` beside the envelope. */
export function line(
  era: Era,
  id: number | string,
  method: string,
  params: object = {},
  meta: object = {},
): string {
  const envelope = era === 'modern' ? (JSON.parse(`{${M}}`) as object) : {};
  const whole = { ...params, _meta: { ...envelope, ...meta } };
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: whole });
}

/** Makes requests of that era welcome. */
export function enter(era: Era, wire: Wire): void {
  if (era === 'modern') return;
  wire.feed(INITIALIZE);
  wire.take();
}

/**
 * Feeds lines one by one. Of lines that come together a session may leave some for the next turn, when the machine is slow; then their answers
 * are not there at once.
 */
export function feedEach(wire: Wire, ...lines: string[]): void {
  for (const one of lines) wire.feed(one);
}

/** Lets what was put off to the end of the turn happen. */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
