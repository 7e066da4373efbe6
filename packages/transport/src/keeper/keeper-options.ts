import { TransportError } from '../errors.ts';
import type { KeeperOptions, RestartMode } from './keeper-contract.ts';

const MODES: readonly RestartMode[] = ['always', 'on-failure', 'never'];

/**
 * Says at construction what would else show at the first crash.
 *
 * @throws TransportError `OPTION_INVALID`
 */
export function checkKeeperOptions(options: KeeperOptions): void {
  const { child, restart = 'on-failure', signal, onChild, onChildEnd } = options;
  if (typeof child !== 'function' && (typeof child !== 'object' || child === null)) {
    throw invalid('child must be the options of a child, or a function that starts one');
  }
  if (!MODES.includes(restart)) {
    throw invalid(`restart must be 'always', 'on-failure' or 'never', not ${JSON.stringify(restart)}`);
  }
  if (typeof onChild !== 'function') throw invalid('onChild must be a function: it gets each child');
  if (onChildEnd !== undefined && typeof onChildEnd !== 'function') {
    throw invalid('onChildEnd must be a function');
  }
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw invalid('signal must be an AbortSignal');
}

function invalid(message: string): TransportError {
  return new TransportError('OPTION_INVALID', message);
}
