import { McpError } from '../../errors.ts';
import { messageOf } from '../run/message-of.ts';

/** Of an ask whose call is answered or cancelled already. */
export function tooLate(): McpError {
  return new McpError('CANCELLED', 'requestInput: the request is answered or cancelled already');
}

/** Of a key that the same run has used: an answer is found by its key alone. */
export function keyUsedTwice(key: string): McpError {
  return new McpError(
    'OPTION_INVALID',
    `requestInput ${JSON.stringify(key)}: this run has asked with that key already; each question needs its own`,
  );
}

/** Of a client that did not say that it can do it. */
export function capabilityMissing(key: string, needed: object): McpError {
  return new McpError(
    'CAPABILITY_MISSING',
    `requestInput ${JSON.stringify(key)}: the client lacks the capability ${JSON.stringify(needed)}`,
  );
}

/** Of params that JSON cannot hold. */
export function notJson(key: string, error: unknown): McpError {
  return new McpError('OPTION_INVALID', `requestInput ${JSON.stringify(key)}: ${messageOf(error)}`, {
    cause: error,
  });
}
