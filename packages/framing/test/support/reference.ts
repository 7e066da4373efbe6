import { type Member, type Parsed, parseFrame, ReferenceFault } from './reference-parser.ts';

/** Reader options with every default filled in; the reference knows no defaults. */
export interface ReferenceSettings {
  readonly envelope: 'jsonrpc' | 'none';
  readonly validate: 'full' | 'envelope' | 'none';
  readonly utf8: 'strict' | 'replace';
  readonly duplicates: 'fault' | 'last';
  readonly maxFrameBytes: number;
  readonly maxDepth: number;
  readonly maxIdBytes: number;
}

/** One frame as the policy wants it. Members that are `undefined` where the reference does not decide are not compared. */
export interface ReferenceFrame {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  readonly code: string | undefined;
  /** Also right, where the policy leaves the choice open: see `atEnd`. */
  readonly orCode: string | undefined;
  readonly offset: number | undefined;
  readonly unterminated: boolean;
  readonly id: string | undefined;
  readonly method: string | undefined;
  /** `JSON.parse` of the frame's text, when it accepts it and the frame is no fault. */
  readonly value: unknown;
  readonly parses: boolean;
  /** Id and method cannot be told: the frame is over the limit and not good beside that. */
  readonly unknownMembers: boolean;
}

const envelopeNames = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];
const maxReportedMethodBytes = 1024;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const replacing = new TextDecoder('utf-8', { ignoreBOM: true });

/** The frames of a stream, blank ones left out. */
export function referenceFrames(bytes: Uint8Array, settings: ReferenceSettings): ReferenceFrame[] {
  const frames: ReferenceFrame[] = [];
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (at < bytes.length) {
    const newline = bytes.indexOf(0x0a, at);
    const lineEnd = newline < 0 ? bytes.length : newline;
    const end = lineEnd > at && bytes[lineEnd - 1] === 0x0d ? lineEnd - 1 : lineEnd;
    const frame = bytes.subarray(at, end);
    if (!frame.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d))
      frames.push(judge(frame, at, newline < 0, settings));
    at = lineEnd + 1;
  }
  return frames;
}

function judge(
  frame: Uint8Array,
  start: number,
  unterminated: boolean,
  settings: ReferenceSettings,
): ReferenceFrame {
  const base = {
    start,
    end: start + frame.length,
    unterminated,
    orCode: undefined,
    id: undefined,
    method: undefined,
    value: undefined,
    parses: false,
    unknownMembers: false,
  };
  const parsed = settings.validate === 'none' ? undefined : tryParse(frame, settings);
  if (frame.length > settings.maxFrameBytes) {
    const code = 'FRAME_TOO_LARGE';
    const known =
      parsed === undefined || parsed instanceof ReferenceFault ? undefined : membersOf(parsed, settings);
    const method =
      known !== undefined && known.methodBytes <= maxReportedMethodBytes ? known.method : undefined;
    const offset = start + settings.maxFrameBytes;
    return {
      ...base,
      kind: 'fault',
      code,
      offset,
      id: known?.id,
      method,
      unknownMembers: known === undefined,
    };
  }
  const decoded = decode(frame, settings);
  if (parsed === undefined) return { ...base, ...decoded, kind: 'value', code: undefined, offset: undefined };
  if (unterminated && !isWholeObject(parsed, decoded)) {
    const orCode = mayLookWhole(frame, parsed, settings) ? parsed.code : undefined;
    const offset = orCode === undefined ? base.end : undefined;
    return { ...base, kind: 'fault', code: 'FRAME_TRUNCATED', orCode, offset };
  }
  if (parsed instanceof ReferenceFault)
    return { ...base, kind: 'fault', code: parsed.code, offset: start + parsed.offset };
  if (settings.envelope === 'none')
    return { ...base, ...decoded, kind: 'value', code: undefined, offset: undefined };
  const { id, method, facts } = membersOf(parsed, settings);
  return { ...base, ...decoded, ...classify(parsed, facts), offset: undefined, id, method };
}

const mayKeepCode = ['JSON_DEPTH', 'ENVELOPE_DUPLICATE'];

function tryParse(frame: Uint8Array, settings: ReferenceSettings): Parsed | ReferenceFault {
  const guardsDuplicates = settings.envelope === 'jsonrpc' && settings.duplicates === 'fault';
  try {
    return parseFrame(frame, {
      maxDepth: settings.maxDepth,
      strictUtf8: settings.utf8 === 'strict',
      skimsNested: settings.validate === 'envelope',
      onceOnly: guardsDuplicates ? envelopeNames : [],
    });
  } catch (error) {
    if (error instanceof ReferenceFault) return error;
    throw error;
  }
}

interface Decoded {
  readonly value: unknown;
  readonly parses: boolean;
}

function decode(frame: Uint8Array, settings: ReferenceSettings): Decoded {
  try {
    const decoder = settings.utf8 === 'strict' && settings.validate !== 'none' ? strict : replacing;
    return { value: JSON.parse(decoder.decode(frame)), parses: true };
  } catch {
    return { value: undefined, parses: false };
  }
}

/** Only an object closes itself, so only an object can be told from a cut one. */
function isWholeObject(parsed: Parsed | ReferenceFault, decoded: Decoded): boolean {
  if (!(parsed instanceof ReferenceFault)) return parsed.root === 'object';
  if (!mayKeepCode.includes(parsed.code)) return false;
  return (
    decoded.parses &&
    typeof decoded.value === 'object' &&
    decoded.value !== null &&
    !Array.isArray(decoded.value)
  );
}

/** Syntax deeper than maxDepth, or nested under `validate: 'envelope'`, need not be looked at, so it may pass as whole. */
function mayLookWhole(
  frame: Uint8Array,
  parsed: Parsed | ReferenceFault,
  settings: ReferenceSettings,
): parsed is ReferenceFault {
  if (!(parsed instanceof ReferenceFault)) return false;
  if (settings.utf8 === 'strict' && !isWellFormed(frame)) return false;
  if (parsed.code !== 'ENVELOPE_DUPLICATE') return parsed.code === 'JSON_DEPTH';
  const beside = tryParse(frame, { ...settings, duplicates: 'last' });
  return !(beside instanceof ReferenceFault) || beside.code === 'JSON_DEPTH';
}

function isWellFormed(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

type IdClass = 'absent' | 'null' | 'usable' | 'unusable';

interface Facts {
  readonly last: ReadonlyMap<string, Member>;
  readonly id: IdClass;
}

function membersOf(
  parsed: Parsed,
  settings: ReferenceSettings,
): {
  id: string | undefined;
  method: string | undefined;
  methodBytes: number;
  facts: Facts;
} {
  if (settings.envelope === 'none')
    return { id: undefined, method: undefined, methodBytes: 0, facts: { last: new Map(), id: 'absent' } };
  const last = new Map<string, Member>();
  for (const member of parsed.members) last.set(member.name, member);
  const idMember = last.get('id');
  const id = idClass(idMember, settings);
  const methodMember = last.get('method');
  return {
    id: id === 'usable' && idMember !== undefined ? replacing.decode(idMember.text) : undefined,
    method:
      methodMember?.type === 'string'
        ? (JSON.parse(replacing.decode(methodMember.text)) as string)
        : undefined,
    methodBytes: (methodMember?.text.length ?? 2) - 2,
    facts: { last, id },
  };
}

function idClass(member: Member | undefined, settings: ReferenceSettings): IdClass {
  if (member === undefined) return 'absent';
  if (member.type === 'null') return 'null';
  if (member.type === 'string') {
    if (member.text.length - 2 > settings.maxIdBytes) return 'unusable';
    return isWellFormed(member.text) ? 'usable' : 'unusable';
  }
  if (member.type !== 'number') return 'unusable';
  const digits = integerDigits(replacing.decode(member.text));
  return digits !== undefined && digits <= settings.maxIdBytes ? 'usable' : 'unusable';
}

/** Digits of a number that is an integer by value; undefined for a fraction. */
function integerDigits(text: string): number | undefined {
  const [mantissa = '', exponentText = '0'] = text.replace('-', '').toLowerCase().split('e');
  const exponentNegative = /e-/i.test(text);
  const exponent = Number(exponentText.replace(/^[+-]/, '')) * (exponentNegative ? -1 : 1);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const significant = BigInt(whole + fraction);
  if (significant === 0n) return 1;
  const power = exponent - fraction.length;
  const trailingZeros = String(significant).length - String(significant).replace(/0*$/, '').length;
  if (power < -trailingZeros) return undefined;
  return String(significant).length + power;
}

function classify(parsed: Parsed, facts: Facts): { kind: string; code: string | undefined } {
  if (parsed.root === 'array') return { kind: 'batch', code: undefined };
  const code = breach(parsed, facts);
  if (code !== undefined) return { kind: 'invalid', code };
  if (facts.last.has('method')) return { kind: facts.id === 'absent' ? 'notification' : 'request', code };
  return { kind: facts.last.has('result') ? 'result' : 'error', code };
}

function breach(parsed: Parsed, { last, id }: Facts): string | undefined {
  if (parsed.root !== 'object') return 'ENVELOPE_SHAPE';
  const version = last.get('jsonrpc');
  if (version?.type !== 'string' || JSON.parse(replacing.decode(version.text)) !== '2.0')
    return 'ENVELOPE_VERSION';
  const method = last.get('method');
  const result = last.get('result');
  const error = last.get('error');
  if (id === 'unusable') return 'ENVELOPE_ID';
  // An answer needs the id it answers; only an error may say that it could not read one.
  if (id === 'null' && !(error !== undefined && result === undefined && method === undefined))
    return 'ENVELOPE_ID';
  if (id === 'absent' && method === undefined && result !== undefined) return 'ENVELOPE_ID';
  if (method !== undefined && method.type !== 'string') return 'ENVELOPE_METHOD';
  const given = [method, result, error].filter((member) => member !== undefined);
  if (given.length !== 1) return 'ENVELOPE_OUTCOME';
  if (result !== undefined && result.type !== 'object') return 'ENVELOPE_OUTCOME';
  if (error !== undefined && error.type !== 'object') return 'ENVELOPE_OUTCOME';
  const params = last.get('params');
  if (params !== undefined && params.type !== 'null' && params.type !== 'object') return 'ENVELOPE_PARAMS';
  return undefined;
}
