import { type FrameBatch, type FrameCode, isFramingError } from '@linewire/framing';

/** What a session tells about input that it could not use. Text of the peer in it is raw: see `printable`. */
export interface SessionReport {
  readonly code: FrameCode | 'UNMATCHED_ANSWER' | 'BATCH_REFUSED' | 'DUPLICATE_ID' | 'UNEXPECTED_REQUEST';
  /** One sentence. */
  readonly message: string;
  /** Where the frame starts, in bytes of the stream. */
  readonly offset: number;
}

/** The report on a frame of kind `fault` or `invalid`. */
export function frameReport(batch: FrameBatch, index: number): SessionReport {
  const fault = batch.fault(index);
  return {
    code: batch.code(index) ?? 'JSON_SYNTAX',
    message: fault?.message ?? `unusable ${batch.kind(index)}`,
    offset: batch.start(index),
  };
}

/** The report on a frame whose payload turned out not to be JSON when it was decoded. */
export function payloadReport(batch: FrameBatch, index: number, error: unknown): SessionReport {
  return {
    code: isFramingError(error) ? (error.code as FrameCode) : 'JSON_SYNTAX',
    message: error instanceof Error ? error.message : String(error),
    offset: batch.start(index),
  };
}
