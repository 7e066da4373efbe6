import type { FrameFault } from '@linewire/framing';
import { McpError, PeerError } from '../errors.ts';
import type { PendingRequest } from './pending-requests.ts';

// Why a request of this side was not answered as it should have been, one sentence each.

/** The answer has the wrong shape. */
export function invalidResponse(request: { readonly method: string }, why: string): McpError {
  return new McpError('INVALID_RESPONSE', `Unusable answer to ${request.method}: ${why}`);
}

export function cancelledByCaller(method: string, signal: AbortSignal): McpError {
  return new McpError('CANCELLED', `${method} was cancelled by the caller`, { cause: signal.reason });
}

export function timedOut({ id, method, timeoutMs, maxTotalMs }: PendingRequest, isTotal: boolean): McpError {
  const within = isTotal ? `${maxTotalMs} ms (maxTotalMs)` : `${timeoutMs} ms`;
  return new McpError('REQUEST_TIMEOUT', `No answer to ${method} (id ${id}) within ${within}`);
}

/** @param fault - of the frame that would have been the answer */
export function answerTooLarge({ id, method }: PendingRequest, fault: FrameFault | undefined): McpError {
  const { limit, actual } = fault ?? {};
  const message = `The answer to ${method} (id ${id}) has ${actual} bytes, the limit is ${limit} (maxFrameBytes)`;
  return new McpError('FRAME_TOO_LARGE', message, { limit, actual });
}

export function tooManyWaiting(method: string, maxWaiting: number): McpError {
  const message = `${method} was not sent: the peer reads slowly, and ${maxWaiting} requests wait already (maxWaitingRequests)`;
  return new McpError('OVERLOADED', message, { limit: maxWaiting });
}

/** The error that the peer answered with; `payload` is its `error` member. */
export function peerError(request: PendingRequest, payload: unknown): McpError | PeerError {
  const { code, message, data } = payload as { code?: unknown; message?: unknown; data?: unknown };
  if (!Number.isInteger(code) || typeof message !== 'string')
    return invalidResponse(request, 'the error has no integer code or no message');
  return new PeerError(code as number, message, data);
}
