import { encodeJson, type FrameBatch, type FrameFault, isFramingError } from '@linewire/framing';

/** What stands in the line of a frame beside what is always there. */
export interface LineOptions {
  /** Add the decoded and re-encoded frame as `value`: of a reader with `numbers: 'raw'`, with its numbers as they were written. */
  readonly values: boolean;
}

/**
 * One JSON line about a frame, without a newline:
 * `{"n":0,"start":0,"end":41,"kind":"request","id":1,"method":"ping"}`.
 *
 * @param n - number of the frame in the stream, blank lines not counted
 */
export function frameLine(batch: FrameBatch, index: number, n: number, options: LineOptions): string {
  const wantsValue = options.values && batch.kind(index) !== 'fault';
  const value = wantsValue ? encodedValue(batch, index) : undefined;
  if (typeof value === 'object')
    return `${head(batch, index, n, 'fault')}${badness(value)}${tail(batch, index)}}`;

  const kind = batch.kind(index);
  const idText = batch.idText(index);
  const method = batch.method(index);
  const fault = batch.fault(index);
  let line = head(batch, index, n, kind);
  // The id is put in as it was written: parsing it would change 1.0 and 2^53 + 1.
  if (idText !== undefined) line += `,"id":${idText}`;
  if (method !== undefined) line += `,"method":${encodeJson(method)}`;
  if (fault !== undefined) line += kind === 'fault' ? badness(fault) : `,"code":"${fault.code}"`;
  line += tail(batch, index);
  if (value !== undefined) line += `,"value":${value}`;
  return `${line}}`;
}

function head(batch: FrameBatch, index: number, n: number, kind: string): string {
  return `{"n":${n},"start":${batch.start(index)},"end":${batch.end(index)},"kind":"${kind}"`;
}

function badness(fault: Pick<FrameFault, 'code' | 'offset' | 'preview'>): string {
  return `,"code":"${fault.code}","offset":${fault.offset},"preview":${encodeJson(fault.preview)}`;
}

function tail(batch: FrameBatch, index: number): string {
  return batch.unterminated(index) ? ',"unterminated":true' : '';
}

/** The frame as JSON text, or what is wrong with it: a laxer scan leaves some of it to the decoder. */
function encodedValue(batch: FrameBatch, index: number): string | FrameFault {
  try {
    return encodeJson(batch.value(index), { numbers: 'raw' });
  } catch (error) {
    if (!isFramingError(error) || error.fault === undefined) throw error;
    return error.fault;
  }
}
