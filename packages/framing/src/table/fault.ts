import type { FrameCode } from './codes.ts';

/** What is wrong with a frame of kind `fault` or `invalid`. A plain value: it may be kept. */
export interface FrameFault {
  readonly code: FrameCode;
  /** Byte offset in the stream of the first byte that cannot belong (a fault), or of the frame (an invalid message). */
  readonly offset: number;
  /** At most 32 bytes from the frame's start, escaped to printable ASCII. */
  readonly preview: string;
  /** The limit that was passed, in its unit. */
  readonly limit?: number;
  /** What was there instead: the frame's length in bytes for `FRAME_TOO_LARGE`, the bytes left at the end for `FRAME_TRUNCATED`. */
  readonly actual?: number;
  /** One sentence for people: cause, place, limit and the option that changes it. */
  readonly message: string;
}

/** The facts a fault is made from. */
export interface FaultFacts {
  readonly code: FrameCode;
  readonly offset: number;
  readonly preview: string;
  readonly frameBytes: number;
  readonly maxFrameBytes: number;
  readonly maxDepth: number;
}

export function frameFault(facts: FaultFacts): FrameFault {
  const { code, offset, preview } = facts;
  const message = `${reason(facts)} at byte ${offset}: ${preview}`;
  if (code === 'FRAME_TOO_LARGE') {
    return { code, offset, preview, limit: facts.maxFrameBytes, actual: facts.frameBytes, message };
  }
  if (code === 'FRAME_TRUNCATED') return { code, offset, preview, actual: facts.frameBytes, message };
  if (code === 'JSON_DEPTH') return { code, offset, preview, limit: facts.maxDepth, message };
  return { code, offset, preview, message };
}

function reason(facts: FaultFacts): string {
  switch (facts.code) {
    case 'FRAME_TRUNCATED':
      return `the stream ended inside a frame of ${facts.frameBytes} bytes`;
    case 'FRAME_TOO_LARGE':
      return `a frame of ${facts.frameBytes} bytes is over maxFrameBytes ${facts.maxFrameBytes}`;
    case 'FRAME_UTF8':
      return "bytes that are not UTF-8 (utf8: 'replace' would accept them)";
    case 'FRAME_BOM':
      return 'a byte order mark before a frame that is not the first';
    case 'FRAME_LSP_HEADER':
      return 'a Content-Length header: this stream is framed by newlines only';
    case 'JSON_SYNTAX':
      return 'not JSON';
    case 'JSON_DEPTH':
      return `nested deeper than maxDepth ${facts.maxDepth}`;
    case 'JSON_TRAILING':
      return 'something follows the whole value';
    case 'ENVELOPE_DUPLICATE':
      return "an envelope member stands twice (duplicates: 'last' would take the last)";
    case 'ENVELOPE_VERSION':
      return 'jsonrpc is not the string "2.0"';
    case 'ENVELOPE_ID':
      return 'the id is missing, or is no string or integer within maxIdBytes';
    case 'ENVELOPE_METHOD':
      return 'method is not a string';
    case 'ENVELOPE_PARAMS':
      return 'params is not an object';
    case 'ENVELOPE_OUTCOME':
      return 'not exactly one of method, result (an object) and error (an object)';
    case 'ENVELOPE_SHAPE':
      return 'JSON, but neither an object nor an array';
  }
}
