import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What the envelope of a whole, well-formed value is, judged from the value alone. */
export type RpcClass =
  | 'request'
  | 'notification'
  | 'response'
  | 'error-response'
  | 'invalid-request'
  | 'invalid-response'
  | 'batch'
  | 'empty-batch'
  | 'not-a-message';

/** A frame of nothing but space, tab and CR: no event. */
export interface BlankFrame {
  readonly kind: 'blank';
}

/** A frame that cannot be delivered: exactly one fault, then the stream goes on. */
export interface FaultyFrame {
  readonly kind: 'error' | 'truncated-at-eof';
  /** For people; not a code of any package. */
  readonly reason: string;
}

/** A frame that is a JSON value; `value-at-eof` has no newline behind it. */
export interface ValueFrame {
  readonly kind: 'value' | 'value-at-eof';
  /** Exactly what `JSON.parse` gives, -0 and own `__proto__` included; `undefined` where only `depth` is known. */
  readonly value: unknown;
  readonly rpc: RpcClass;
  /** Container depth of a value that is too deep to write down. */
  readonly depth: number | undefined;
  /** What a limit at its default makes of this frame, where that differs. */
  readonly atDefaults: string | undefined;
  readonly note: string | undefined;
}

export type HandedFrame = BlankFrame | FaultyFrame | ValueFrame;

/** One input file with its known answer. */
export interface HandedCase {
  readonly file: string;
  readonly what: string;
  /** The whole file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A UTF-8 byte order mark opens the stream and is skipped. */
  readonly skipBom: boolean;
  /** How else to feed it, beside whole, byte by byte and at every two-way split. */
  readonly chunks: string | undefined;
  readonly note: string | undefined;
  /** Blank frames included, in stream order. */
  readonly frames: readonly HandedFrame[];
}

interface RawFrame {
  kind: HandedFrame['kind'];
  js?: string;
  rpc?: RpcClass;
  reason?: string;
  depth?: number;
  atDefaults?: string;
  note?: string;
}

interface RawCase {
  file: string;
  what: string;
  bytes: number;
  skipBom: boolean;
  chunks?: string;
  note?: string;
  frames: RawFrame[];
}

// One level below the package root both from src/ and from the bundled dist/index.js.
const casesUrl = new URL('../cases/', import.meta.url);

/** All handed cases, read anew on every call, sorted as listed in `cases/expected.json`. */
export function handedCases(): HandedCase[] {
  const listed = JSON.parse(readFileSync(new URL('expected.json', casesUrl), 'utf8')) as RawCase[];
  return listed.map(loadCase);
}

/** Absolute path of a file of `cases/`, or of a process fixture by its short name (`p16`) or whole name. */
export function fixturePath(name: string): string {
  const processes = readdirSync(new URL('proc/', casesUrl));
  const found = processes.find((file) => file === name || file.startsWith(`${name}-`));
  if (found !== undefined) return fileURLToPath(new URL(`proc/${found}`, casesUrl));
  if (readdirSync(casesUrl).includes(name)) return fileURLToPath(new URL(name, casesUrl));
  throw new Error(`no handed case or process fixture is called ${name}`);
}

function loadCase(raw: RawCase): HandedCase {
  // A copy with its own buffer: small files would come out of Node's shared pool, and tests transfer and poison buffers.
  const bytes = new Uint8Array(readFileSync(new URL(raw.file, casesUrl)));
  if (bytes.length !== raw.bytes)
    throw new Error(`${raw.file} has ${bytes.length} bytes, not ${raw.bytes}: was it reformatted?`);
  return {
    file: raw.file,
    what: raw.what,
    bytes,
    skipBom: raw.skipBom,
    chunks: raw.chunks,
    note: raw.note,
    frames: raw.frames.map((frame) => loadFrame(frame, raw.file)),
  };
}

function loadFrame(raw: RawFrame, file: string): HandedFrame {
  switch (raw.kind) {
    case 'blank':
      return { kind: 'blank' };
    case 'error':
    case 'truncated-at-eof':
      return { kind: raw.kind, reason: raw.reason ?? '' };
    default:
      if (raw.rpc === undefined) throw new Error(`${file}: a value without an envelope class`);
      return {
        kind: raw.kind,
        value: raw.js === undefined ? undefined : evaluate(raw.js),
        rpc: raw.rpc,
        depth: raw.depth,
        atDefaults: raw.atDefaults,
        note: raw.note,
      };
  }
}

/** JSON could not hold -0, Infinity and an own `__proto__`, so the values are written as JavaScript. */
function evaluate(expression: string): unknown {
  return new Function(`"use strict"; return (${expression});`)();
}
