import {
  createFrameReader,
  type FrameBatch,
  type FrameCode,
  type FrameKind,
  type FrameReader,
  type FrameReaderOptions,
  type IdKey,
  isFramingError,
} from '../../src/index.ts';

/** Reader options without the callbacks. */
export type Settings = Omit<FrameReaderOptions, 'onFrames' | 'onError'>;

/** Everything a batch says about one frame, as plain values that outlive it. */
export interface FrameEvent {
  readonly start: number;
  readonly end: number;
  readonly kind: FrameKind;
  readonly code: FrameCode | undefined;
  readonly offset: number | undefined;
  readonly preview: string | undefined;
  readonly limit: number | undefined;
  readonly actual: number | undefined;
  readonly idText: string | undefined;
  readonly idKey: IdKey | undefined;
  readonly method: string | undefined;
  readonly payloadText: string | undefined;
  readonly unterminated: boolean;
  readonly ascii: boolean;
  /** Members present: `m`ethod, `p`arams, `r`esult, `e`rror. */
  readonly members: string;
  readonly text: string;
}

/** One number: pieces of that size. A list: cut at these positions. */
export type Split = 'whole' | number | readonly number[];

/** `push` copies chunks in, `commit` lands them by `reserve` and `commit`. */
export type Feed = 'push' | 'commit';

const encoder = new TextEncoder();

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Bytes of texts and byte lists, joined. */
export function joined(...parts: readonly (string | Uint8Array | readonly number[])[]): Uint8Array {
  const pieces = parts.map((part) => (typeof part === 'string' ? bytesOf(part) : Uint8Array.from(part)));
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** The frames of a stream that ends after `input`. */
export function events(
  input: Uint8Array | string,
  settings: Settings = {},
  split: Split = 'whole',
  feed: Feed = 'push',
): FrameEvent[] {
  const found: FrameEvent[] = [];
  read(input, settings, (batch, index) => found.push(eventOf(batch, index)), split, feed);
  return found;
}

/** Feeds a whole stream and shows every frame to `visit` while its batch lives. Returns the reader, ended. */
export function read(
  input: Uint8Array | string,
  settings: Settings,
  visit: (batch: FrameBatch, index: number) => void,
  split: Split = 'whole',
  feed: Feed = 'push',
): FrameReader {
  const reader = createFrameReader({
    ...settings,
    onFrames(batch) {
      for (let index = 0; index < batch.count; index++) visit(batch, index);
    },
    onError(error) {
      throw error;
    },
  });
  for (const piece of pieces(typeof input === 'string' ? bytesOf(input) : input, split)) {
    if (feed === 'push') reader.push(piece);
    else land(reader, piece);
  }
  // The end of a stream is a read of no bytes, and the room for it may have been made already.
  if (feed === 'commit') land(reader, new Uint8Array(0));
  reader.end();
  return reader;
}

/** Lands a piece through the reserved views, as a read call of the system would. */
export function land(reader: FrameReader, piece: Uint8Array): void {
  let at = 0;
  do {
    const view = reader.reserve();
    if (view.length === 0) throw new Error('no room in the window');
    const part = piece.subarray(at, at + view.length);
    view.set(part);
    reader.commit(part.length);
    at += part.length;
  } while (at < piece.length);
}

/** Everything about one frame of a batch. */
export function eventOf(batch: FrameBatch, index: number): FrameEvent {
  const fault = batch.fault(index);
  if (fault?.code !== batch.code(index)) throw new Error(`fault() and code() differ at frame ${index}`);
  if (batch.end(index) - batch.start(index) !== batch.byteLength(index))
    throw new Error(`byteLength is not end - start at frame ${index}`);
  return {
    start: batch.start(index),
    end: batch.end(index),
    kind: batch.kind(index),
    code: batch.code(index),
    offset: fault?.offset,
    preview: fault?.preview,
    limit: fault?.limit,
    actual: fault?.actual,
    idText: batch.idText(index),
    idKey: batch.idKey(index),
    method: batch.method(index),
    payloadText: batch.payloadText(index),
    unterminated: batch.unterminated(index),
    ascii: batch.ascii(index),
    members: members(batch, index),
    text: batch.text(index),
  };
}

function members(batch: FrameBatch, index: number): string {
  let text = '';
  if (batch.hasMethod(index)) text += 'm';
  if (batch.hasParams(index)) text += 'p';
  if (batch.hasResult(index)) text += 'r';
  if (batch.hasError(index)) text += 'e';
  return text;
}

/** The decoded frames; a frame that does not decode gives the code of its error as a symbol-like text. */
export function values(
  input: Uint8Array | string,
  settings: Settings = {},
  split: Split = 'whole',
): unknown[] {
  const found: unknown[] = [];
  read(
    input,
    settings,
    (batch, index) => {
      try {
        found.push(batch.value(index));
      } catch (error) {
        if (!isFramingError(error)) throw error;
        found.push(`threw ${error.code}`);
      }
    },
    split,
  );
  return found;
}

function* pieces(bytes: Uint8Array, split: Split): Generator<Uint8Array> {
  if (split === 'whole') {
    yield bytes;
    return;
  }
  if (typeof split === 'number') {
    for (let at = 0; at < bytes.length; at += split) yield bytes.slice(at, at + split);
    return;
  }
  let from = 0;
  for (const at of split) {
    yield bytes.slice(from, at);
    from = at;
  }
  yield bytes.slice(from);
}

/** One line per frame: kind or code, and id; enough for most examples. */
export function brief(input: Uint8Array | string, settings: Settings = {}, split: Split = 'whole'): string[] {
  return events(input, settings, split).map((event) => {
    const what = event.code === undefined ? event.kind : `${event.kind} ${event.code}`;
    const at = event.kind === 'fault' ? ` @${event.offset}` : '';
    const id = event.idText === undefined ? '' : ` id ${event.idText}`;
    return what + at + id + (event.unterminated ? ' unterminated' : '');
  });
}
