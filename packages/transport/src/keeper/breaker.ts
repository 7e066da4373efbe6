import type { CloseReason } from '../duplex.ts';
import { TransportError } from '../errors.ts';
import type { OpenBreaker } from './keeper-contract.ts';

/** Characters of stderr that a message shows; the whole tail is in `lastReason`. */
const SHOWN_CHARS = 200;

/** What is known when the breaker opens, in words too. */
export function openBreaker(
  failures: number,
  limits: { readonly breakerFailures: number; readonly breakerWindowMs: number },
  lastReason: CloseReason,
): OpenBreaker {
  const { breakerFailures, breakerWindowMs } = limits;
  const message =
    `the child failed ${failures} times within ${breakerWindowMs} ms (breakerFailures: ${breakerFailures}) ` +
    `and is not started again before reset(): ${describeEnd(lastReason)}`;
  const cause = lastReason.error === undefined ? {} : { cause: lastReason.error };
  const error = new TransportError('BREAKER_OPEN', message, {
    limit: breakerFailures,
    actual: failures,
    ...cause,
  });
  return { error, failures, lastReason };
}

function describeEnd({ kind, exitCode, signal, stderrTail, error }: CloseReason): string {
  const how =
    signal != null
      ? `ended by ${signal}`
      : typeof exitCode === 'number'
        ? `exit code ${exitCode}`
        : (error?.message ?? `ended (${kind})`);
  const shown = (stderrTail ?? '').trimEnd().slice(-SHOWN_CHARS);
  // Quoted, so that no escape sequence of the child reaches a terminal through the message.
  return shown === '' ? how : `${how}, its stderr ends with ${JSON.stringify(shown)}`;
}
