/**
 * Kinds, codes and id forms as numbers in the frame table and as names in the public API.
 * Of several faults the one with the smallest offset is reported, at equal offsets the smaller number; `FRAME_TOO_LARGE` and
 * `FRAME_TRUNCATED` beat all. Of several `ENVELOPE_*` the first that `envelopeCode` asks for is reported.
 */

/** What a frame is. `invalid` is good JSON that is no JSON-RPC message; `fault` is a frame that cannot be read at all. */
export type FrameKind =
  | 'request'
  | 'notification'
  | 'result'
  | 'error'
  | 'batch'
  | 'invalid'
  | 'fault'
  | 'value';

/** Names by number, as stored in a row. */
export const KIND_NAMES: readonly FrameKind[] = [
  'request',
  'notification',
  'result',
  'error',
  'batch',
  'invalid',
  'fault',
  'value',
];

/** Why a frame is a `fault`, or (`ENVELOPE_*` but `ENVELOPE_DUPLICATE`) why it is `invalid`. */
export type FrameCode =
  | 'FRAME_TRUNCATED'
  | 'FRAME_TOO_LARGE'
  | 'FRAME_UTF8'
  | 'FRAME_BOM'
  | 'FRAME_LSP_HEADER'
  | 'JSON_SYNTAX'
  | 'JSON_DEPTH'
  | 'JSON_TRAILING'
  | 'ENVELOPE_DUPLICATE'
  | 'ENVELOPE_VERSION'
  | 'ENVELOPE_ID'
  | 'ENVELOPE_METHOD'
  | 'ENVELOPE_PARAMS'
  | 'ENVELOPE_OUTCOME'
  | 'ENVELOPE_SHAPE';

/** One line of the code table: the name, whether the frame is a `fault` or `invalid`, and what it means. The docs are made from this. */
export interface CodeEntry {
  readonly code: FrameCode;
  readonly makes: 'fault' | 'invalid';
  readonly meaning: string;
}

/** Every data code; the index plus one is the number in a row. */
export const DATA_CODES: readonly CodeEntry[] = [
  { code: 'FRAME_TRUNCATED', makes: 'fault', meaning: 'the stream ended inside a frame' },
  { code: 'FRAME_TOO_LARGE', makes: 'fault', meaning: 'the frame is longer than maxFrameBytes' },
  { code: 'FRAME_UTF8', makes: 'fault', meaning: 'the frame holds bytes that are not UTF-8' },
  {
    code: 'FRAME_BOM',
    makes: 'fault',
    meaning: 'a byte order mark stands before a frame that is not the first',
  },
  {
    code: 'FRAME_LSP_HEADER',
    makes: 'fault',
    meaning: 'the peer frames with Content-Length headers instead of newlines',
  },
  { code: 'JSON_SYNTAX', makes: 'fault', meaning: 'the frame is not JSON' },
  { code: 'JSON_DEPTH', makes: 'fault', meaning: 'a container is nested deeper than maxDepth' },
  {
    code: 'JSON_TRAILING',
    makes: 'fault',
    meaning: 'something follows the whole root object, array or string',
  },
  { code: 'ENVELOPE_DUPLICATE', makes: 'fault', meaning: 'an envelope member stands twice' },
  { code: 'ENVELOPE_VERSION', makes: 'invalid', meaning: 'jsonrpc is not the string "2.0"' },
  {
    code: 'ENVELOPE_ID',
    makes: 'invalid',
    meaning: 'id is missing, or is no string or integer within maxIdBytes',
  },
  { code: 'ENVELOPE_METHOD', makes: 'invalid', meaning: 'method is not a string' },
  { code: 'ENVELOPE_PARAMS', makes: 'invalid', meaning: 'params is not an object' },
  {
    code: 'ENVELOPE_OUTCOME',
    makes: 'invalid',
    meaning: 'not exactly one of method, result (an object) and error (an object)',
  },
  {
    code: 'ENVELOPE_SHAPE',
    makes: 'invalid',
    meaning: 'the frame is JSON but neither an object nor an array',
  },
];
