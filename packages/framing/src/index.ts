export type { Validation } from './engine/engine.ts';
export { type ActiveEngine, activeEngine, type EngineChoice } from './engine-choice.ts';
export {
  type FramingCode,
  FramingError,
  type FramingErrorDetails,
  isFramingError,
  MISUSE_CODES,
  type MisuseCode,
} from './errors.ts';
export { decodeJson, encodeJson } from './json/codec.ts';
export { encodeText } from './json/encode/encode-text.ts';
export { JsonEncoder, type LearnedShapes } from './json/encode/json-encoder.ts';
export type { EncodeOptions } from './json/encode/options.ts';
export type { SplicedJson } from './json/encode/spliced-json.ts';
export { type JsonConstant, jsonConstant } from './json/encode/words.ts';
export type { LazyKind, LazyMember, LazyValue } from './json/lazy/lazy-value.ts';
export type { PathStep } from './json/lazy/path.ts';
export { JsonNumber } from './json/numbers/json-number.ts';
export type { DecodeOptions, NumberMode } from './json/numbers/number-mode.ts';
export type { DecodingStats } from './json/shapes/decoding-stats.ts';
export { type Limit, type LimitName, limits, limitWithin } from './limits.ts';
export type { FrameBatch } from './reader/batch.ts';
export { jsonBytes } from './reader/json-bytes.ts';
export { type KeptFrame, keepFrame, keptFrameOverheadBytes } from './reader/kept-frame.ts';
export { lazyJson } from './reader/lazy-json.ts';
export type { FrameReaderOptions } from './reader/options.ts';
export { createFrameReader, type FrameReader } from './reader/reader.ts';
export type { FrameReaderStats } from './reader/stats.ts';
export { type CodeEntry, DATA_CODES, type FrameCode, type FrameKind } from './table/codes.ts';
export type { FrameFault } from './table/fault.ts';
export {
  type IdKey,
  type IdSource,
  idKey,
  idKeyOfSource,
  idKeyOfText,
  idOfSource,
  idOfText,
  type RpcId,
} from './text/id.ts';
