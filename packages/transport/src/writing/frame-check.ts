import { encodeJson } from '@linewire/framing';
import type { Lane, SendOptions } from '../duplex.ts';
import { TransportError } from '../errors.ts';
import { sendTimeoutMs } from '../limits.ts';

const LF = 0x0a;

/** What `send` was given, as text or as bytes that are known to be one line. */
export function oneFrame(frame: unknown): string | Uint8Array {
  if (typeof frame === 'string') {
    if (frame.includes('\n')) throw notOneFrame('character', frame.indexOf('\n'), frame.length);
    return frame;
  }
  if (frame instanceof Uint8Array) {
    const at = frame.indexOf(LF);
    if (at >= 0) throw notOneFrame('byte', at, frame.length);
    return frame;
  }
  if (typeof frame !== 'object' || frame === null || ArrayBuffer.isView(frame) || isBuffer(frame)) {
    throw new TransportError(
      'OPTION_INVALID',
      `send() takes a text, a Uint8Array or an object to encode, not ${describe(frame)}`,
    );
  }
  return encodeJson(frame);
}

/** The lane of a send, when its options make sense together. */
export function laneOf(options: SendOptions): Lane {
  const { lane = 'request', signal, timeoutMs } = options;
  assertLane(lane);
  if (
    signal !== undefined &&
    typeof (signal as Partial<AbortSignal> | null)?.addEventListener !== 'function'
  ) {
    throw new TransportError('OPTION_INVALID', `signal must be an AbortSignal, not ${describe(signal)}`);
  }
  if (timeoutMs !== undefined) sendTimeoutMs(timeoutMs);
  if (lane === 'reply' && (signal !== undefined || timeoutMs !== undefined)) {
    throw new TransportError(
      'OPTION_INVALID',
      'signal and timeoutMs belong to the request lane: a reply cannot be withdrawn',
    );
  }
  return lane;
}

export function assertLane(lane: Lane): void {
  if (lane !== 'reply' && lane !== 'request') {
    throw new TransportError('OPTION_INVALID', `lane must be 'reply' or 'request', not ${describe(lane)}`);
  }
}

function isBuffer(value: object): boolean {
  return value instanceof ArrayBuffer || value instanceof SharedArrayBuffer;
}

function describe(value: unknown): string {
  if (value === null || typeof value === 'undefined') return String(value);
  if (typeof value === 'object') return Object.prototype.toString.call(value).slice('[object '.length, -1);
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 32)) : typeof value;
}

function notOneFrame(unit: 'character' | 'byte', at: number, length: number): TransportError {
  return new TransportError(
    'SEND_NOT_ONE_FRAME',
    `a frame must not hold a newline; there is one at ${unit} ${at} of ${length}`,
    { actual: at },
  );
}
