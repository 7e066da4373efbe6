import { fstatSync } from 'node:fs';
import {
  activeEngine,
  createFrameReader,
  type EngineChoice,
  type FrameBatch,
  type FrameKind,
  type FrameReader,
  type FrameReaderOptions,
  isFramingError,
  limits,
} from '@linewire/framing';
import { printableLine } from '@linewire/mcp';
import { type Command, type CommandInput, countOption, textOption, UsageError } from './command.ts';
import { frameLine } from './frame-line.ts';
import { LineSink, SinkError } from './line-sink.ts';

const MAX_CHUNK_BYTES = limits.maxFrameBytes.max;

/** Lines are written in pieces of about this many characters. */
const WRITE_CHARACTERS = 64 * 1024;

const { maxFrameBytes, maxDepth } = limits;

/** `linewire frames`: reads stdin, writes one JSON line about each frame. */
export const framesCommand: Command = {
  usage: 'frames',
  summary: 'Read a stream on stdin and write one JSON line about each frame',
  options: [
    ['--engine <name>', 'auto, scalar or wasm (default: auto)'],
    ['--chunk <bytes>', 'Feed the reader in pieces of this size'],
    ['--values', 'Add the whole frame as "value", decoded and encoded again; numbers keep every digit'],
    ['--envelope', 'Skip full validation: only the envelope is checked'],
    ['--max-frame-bytes <bytes>', `Longest frame (default: ${maxFrameBytes.default})`],
    ['--max-depth <levels>', `Deepest container (default: ${maxDepth.default})`],
    ['--utf8 <how>', 'strict: ill-formed text is a fault; replace: it becomes U+FFFD (default: strict)'],
    [
      '--duplicates <how>',
      'fault: an envelope member given twice is one; last: the last counts (default: fault)',
    ],
  ],
  async run(input: CommandInput): Promise<number> {
    const chunkBytes = countOption(input, 'chunk', '--chunk', 1, MAX_CHUNK_BYTES);
    const printer = new FramePrinter(new LineSink(process.stdout), input.options['values'] === true);
    const reader = openReader(input, (batch) => printer.add(batch));
    try {
      for await (const bytes of openInput()) {
        for (const piece of pieces(bytes, chunkBytes)) {
          reader.push(piece);
          if (!(await printer.flush(WRITE_CHARACTERS))) return 0;
        }
      }
      reader.end();
      await printer.flush(1);
    } catch (error) {
      const what = error instanceof SinkError ? 'the output failed' : 'the input could not be read';
      process.stderr.write(`linewire frames: ${what}: ${printableLine((error as Error).message)}\n`);
      return 1;
    }
    process.stderr.write(summary(reader, printer, engineName(input)));
    return 0;
  },
};

function openInput(): AsyncIterable<Uint8Array> {
  // Node makes an empty stream of a directory.
  if (fstatSync(0).isDirectory()) throw new Error('stdin is a directory');
  return process.stdin;
}

function openReader(input: CommandInput, onFrames: (batch: FrameBatch) => void): FrameReader {
  const options: FrameReaderOptions = {
    onFrames,
    onError: (error) => {
      throw error;
    },
    validate: input.options['envelope'] === true ? 'envelope' : 'full',
    engine: (textOption(input, 'engine') ?? 'auto') as EngineChoice,
    utf8: (textOption(input, 'utf8') ?? 'strict') as 'strict' | 'replace',
    duplicates: (textOption(input, 'duplicates') ?? 'fault') as 'fault' | 'last',
    // Whoever looks at a wire wants to see what stands on it, not the doubles next to it.
    numbers: 'raw',
    ...numberOption(input, 'maxFrameBytes', '--max-frame-bytes', maxFrameBytes),
    ...numberOption(input, 'maxDepth', '--max-depth', maxDepth),
  };
  try {
    return createFrameReader(options);
  } catch (error) {
    throw isFramingError(error) ? new UsageError(error.message) : error;
  }
}

function numberOption(
  input: CommandInput,
  name: string,
  flag: string,
  range: { min: number; max: number },
): Record<string, number> {
  const value = countOption(input, name, flag, range.min, range.max);
  return value === undefined ? {} : { [name]: value };
}

function* pieces(bytes: Uint8Array, pieceBytes: number | undefined): Generator<Uint8Array> {
  const step = pieceBytes ?? bytes.length;
  for (let start = 0; start < bytes.length; start += step) yield bytes.subarray(start, start + step);
}

/** Collects lines and writes them with back-pressure, so that memory stays bounded however slow the sink is. */
class FramePrinter {
  readonly kinds: Map<FrameKind, number> = new Map();
  readonly #sink: LineSink;
  readonly #values: boolean;
  #lines = '';
  #n = 0;

  constructor(sink: LineSink, values: boolean) {
    this.#sink = sink;
    this.#values = values;
  }

  add(batch: FrameBatch): void {
    for (let index = 0; index < batch.count; index++) {
      const kind = batch.kind(index);
      this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
      const line = frameLine(batch, index, this.#n++, { values: this.#values });
      // The visible escapes for a terminal are JSON escapes too.
      this.#lines += `${process.stdout.isTTY ? printableLine(line) : line}\n`;
    }
  }

  /** Writes what is collected once it is at least `characters` long. False: nobody reads any more. */
  async flush(characters: number): Promise<boolean> {
    if (this.#lines.length < characters) return true;
    const lines = this.#lines;
    this.#lines = '';
    return this.#sink.write(lines);
  }
}

/** The engine that the reader uses; only for an option that the reader has accepted. */
function engineName(input: CommandInput): string {
  const asked = textOption(input, 'engine') ?? 'auto';
  return asked === 'auto' ? activeEngine().name : asked;
}

function summary(reader: FrameReader, printer: FramePrinter, engine: string): string {
  const { bytes, frames, blankFrames } = reader.stats();
  const kinds = [...printer.kinds].map(([kind, count]) => `${kind} ${count}`).join(', ');
  const detail = kinds === '' ? '' : ` (${kinds})`;
  return `${frames} frames${detail}, ${blankFrames} blank lines, ${bytes} bytes, ${engine} engine\n`;
}
