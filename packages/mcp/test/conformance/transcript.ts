import { metaKeys } from '../../src/index.ts';

/** One line of a transcript; `transcripts/notation.md` says how they are written. */
type Step =
  | { readonly kind: 'client' | 'server' | 'bytes' | 'event' | 'counted'; readonly text: string }
  | { readonly kind: 'silence' };

/** What was said in one connection. */
export interface Transcript {
  readonly title: string;
  /** Ids of requirements, not checked yet. */
  readonly rules: readonly string[];
  readonly setting: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
}

const MARKS = { '→': 'client', '←': 'server', '⇐': 'bytes', '*': 'event', '=': 'counted' } as const;

/** The transcripts of a file. */
export function parseTranscripts(text: string): Transcript[] {
  const transcripts: Transcript[] = [];
  let steps: Step[] = [];
  for (const line of text.split('\n').map((line) => line.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const mark = MARKS[line[0] as keyof typeof MARKS];
    if (mark !== undefined) steps.push({ kind: mark, text: expanded(line.slice(1).trim()) });
    else if (line === '(none)') steps.push({ kind: 'silence' });
    else if (line.startsWith('@')) {
      const last = transcripts.pop();
      if (last === undefined) throw new Error(`A setting without transcript: ${line}`);
      transcripts.push({ ...last, setting: JSON.parse(line.slice(1)) });
    } else {
      const [, title, rules] = /^(.+?)\s*\[(.+)\]$/.exec(line) ?? [];
      if (title === undefined || rules === undefined) throw new Error(`No line of a transcript: ${line}`);
      steps = [];
      transcripts.push({ title, rules: rules.split(' '), setting: {}, steps });
    }
  }
  return transcripts;
}

const quoted = (key: string): string => JSON.stringify(key);

function expanded(line: string): string {
  return line.replace(/«([a-zA-Z]+) ?([^»]*)»/g, (_, name: string, argument: string) => {
    switch (name) {
      case 'M':
        return `${quoted(metaKeys.protocolVersion)}:"2026-07-28",${quoted(metaKeys.clientCapabilities)}:${argument || '{}'},${quoted(metaKeys.clientInfo)}:{"name":"c","version":"1"}`;
      case 'S':
        return `"_meta":{${quoted(metaKeys.serverInfo)}:{"name":"example","version":"1.2.3"}}`;
      case 'sub':
        return `"_meta":{"io.modelcontextprotocol/subscriptionId":${argument}}`;
      case 'version':
        return quoted(metaKeys.protocolVersion);
      case 'capabilities':
        return quoted(metaKeys.clientCapabilities);
      case 'info':
        return quoted(metaKeys.clientInfo);
      case 'level':
        return quoted(metaKeys.logLevel);
      default:
        throw new Error(`Unknown macro «${name}»`);
    }
  });
}

/** The bytes of a client's line, its newline among them. */
export function lineBytes(line: string): Uint8Array {
  const isOpen = line.endsWith('‹open›');
  const parts = line.replace(/‹open›$/, '').split(/‹([^›]*)›/);
  const bytes = parts.map((part, index) => (index % 2 === 0 ? Buffer.from(part) : special(part)));
  return Buffer.concat(isOpen ? bytes : [...bytes, Buffer.from('\n')]);
}

/** `FF 0D`, or `2000×x`. */
function special(text: string): Buffer {
  const [, count, repeated] = /^(\d+)×(.+)$/.exec(text) ?? [];
  if (repeated !== undefined) return Buffer.from(repeated.repeat(Number(count)));
  return Buffer.from(text.replaceAll(' ', ''), 'hex');
}
