import { McpError } from '../../errors.ts';

/** Longer URIs fit no template: what a match may cost is bounded. In UTF-16 units. */
const MAX_URI_LENGTH = 65_536;

/** Text that must stand there. */
interface Literal {
  readonly kind: 'literal';
  readonly text: string;
}

/** One variable that takes at least one character. */
interface Variable {
  readonly kind: 'variable';
  readonly name: string;
  /** Characters that end the value. */
  readonly excluded: string;
}

/** `?a=1&b=2` up to a fragment or the end; every variable may be missing and they may come in any order. */
interface Query {
  readonly kind: 'query';
  readonly opener: '?' | '&';
  readonly names: Set<string>;
}

type Part = Literal | Variable | Query;

/** What a value written without `+` or `#` cannot have: there these characters are percent-encoded. */
const NOT_IN_SIMPLE = '/?#&';

/**
 * A URI template (RFC 6570) that recognises what was made from it. It knows the forms that servers use: `{a}`, `{a,b}`, `{+a}`, `{#a}`, `{.a}`,
 * `{/a,b}`, `{?a,b}` and `{&a,b}`; no `;`, no `*`, no `:3`. Values are percent-decoded; where a URI can be read in several ways, earlier variables
 * are short.
 *
 * Written here because the libraries that match (rather than expand) try all ways to split a URI, by regular expression or recursion: a hostile one
 * costs them a power of its length. Here no place of a URI is tried twice for the same variable, so time is linear in its length, times the number of
 * parts.
 */
export class UriTemplate {
  readonly text: string;
  readonly variableNames: ReadonlySet<string>;
  private readonly parts: readonly Part[];

  /** @throws McpError `OPTION_INVALID` for a form that is not known. */
  constructor(text: string) {
    this.text = text;
    this.parts = parse(text);
    this.variableNames = new Set(this.parts.flatMap(namesOf));
  }

  /** The variables of a URI that fits, or `undefined`. The object has no prototype. */
  match(uri: string): Record<string, string> | undefined {
    if (uri.length > MAX_URI_LENGTH) return undefined;
    const ends = new Array<number>(this.parts.length).fill(0);
    return new Attempt(this.parts, uri, ends).fits(0, 0) ? this.values(uri, ends) : undefined;
  }

  private values(uri: string, ends: readonly number[]): Record<string, string> | undefined {
    const values: Record<string, string> = Object.create(null) as Record<string, string>;
    let start = 0;
    for (const [index, part] of this.parts.entries()) {
      const piece = uri.slice(start, ends[index]);
      start = ends[index] as number;
      if (part.kind === 'variable') {
        const value = decoded(piece);
        if (value === undefined) return undefined;
        values[part.name] = value;
      } else if (part.kind === 'query' && !readQuery(part, piece, values)) return undefined;
    }
    return values;
  }
}

/** One URI against one template. */
class Attempt {
  private readonly parts: readonly Part[];
  private readonly uri: string;
  private readonly ends: number[];
  /** Per variable: the ends that were tried, with everything behind them in the same run of characters. */
  private readonly tried: (Uint8Array | undefined)[] = [];

  constructor(parts: readonly Part[], uri: string, ends: number[]) {
    this.parts = parts;
    this.uri = uri;
    this.ends = ends;
  }

  /** Whether the parts from `index` on take the URI from `at` to its end. As deep as the template has parts. */
  fits(index: number, at: number): boolean {
    const { parts, uri } = this;
    const part = parts[index];
    if (part === undefined) return at === uri.length;
    if (part.kind === 'variable') return this.variableFits(part, index, at);
    const end = part.kind === 'literal' ? literalEnd(part, uri, at) : queryEnd(part, uri, at);
    if (end < 0) return false;
    this.ends[index] = end;
    return this.fits(index + 1, end);
  }

  private variableFits({ excluded }: Variable, index: number, at: number): boolean {
    const { uri } = this;
    this.tried[index] ??= new Uint8Array(uri.length + 1);
    const tried = this.tried[index];
    for (let end = at + 1; end <= uri.length; end++) {
      if (excluded.includes(uri[end - 1] as string) || tried[end] === 1) return false;
      tried[end] = 1;
      this.ends[index] = end;
      if (this.fits(index + 1, end)) {
        this.ends[index] = end;
        return true;
      }
    }
    return false;
  }
}

function literalEnd({ text }: Literal, uri: string, at: number): number {
  return uri.startsWith(text, at) ? at + text.length : -1;
}

/** A query that is missing altogether ends where it starts. */
function queryEnd({ opener }: Query, uri: string, at: number): number {
  if (uri[at] !== opener) return at;
  const fragment = uri.indexOf('#', at);
  return fragment < 0 ? uri.length : fragment;
}

/** False if a name is unknown or comes twice, or a value is badly encoded. */
function readQuery({ names }: Query, piece: string, values: Record<string, string>): boolean {
  if (piece === '') return true;
  for (const pair of piece.slice(1).split('&')) {
    const equals = pair.indexOf('=');
    if (equals < 0) return false;
    const name = pair.slice(0, equals);
    const value = decoded(pair.slice(equals + 1));
    if (!names.has(name) || name in values || value === undefined) return false;
    values[name] = value;
  }
  return true;
}

function decoded(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function parse(text: string): Part[] {
  const refuse = (why: string): never => {
    throw new McpError('OPTION_INVALID', `URI template ${text}: ${why}`);
  };
  if (typeof text !== 'string' || text === '') return refuse('must be a string with something in it');
  const parts: Part[] = [];
  const seen = new Set<string>();
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('{', at);
    const literal = text.slice(at, open < 0 ? text.length : open);
    if (literal.includes('}')) refuse('} without {');
    if (literal !== '') parts.push({ kind: 'literal', text: literal });
    if (open < 0) break;
    const close = text.indexOf('}', open);
    if (close < 0) refuse('{ without }');
    const { operator, names } = expressionOf(text.slice(open + 1, close), refuse);
    for (const name of names) {
      if (seen.has(name)) refuse(`variable ${name} is there twice`);
      seen.add(name);
    }
    at = close + 1;
    if ((operator === '?' || operator === '&') && !/^(?:$|#|\{[#&])/.test(text.slice(at)))
      refuse(`only a fragment or {&name} may follow {${operator}…}`);
    const previous = parts.at(-1);
    // The rest of a query that began with `{?…}`.
    if (operator === '&' && previous?.kind === 'query') for (const name of names) previous.names.add(name);
    else parts.push(...partsOf(operator, names));
  }
  return parts;
}

function expressionOf(inner: string, refuse: (why: string) => never): { operator: string; names: string[] } {
  const operator = /^[A-Za-z0-9_%]/.test(inner) ? '' : inner.slice(0, 1);
  if (!'+#./?&'.includes(operator)) refuse(`operator ${operator} is not supported`);
  const names = inner.slice(operator.length).split(',');
  for (const name of names) {
    if (/[*:]/.test(name))
      refuse(`modifiers are not supported; for a path with slashes write {+${name.replace(/[*:].*/, '')}}`);
    if (!/^[A-Za-z0-9_%.]+$/.test(name))
      refuse(`${name === '' ? 'an empty name' : name} is no variable name`);
  }
  return { operator, names };
}

function partsOf(operator: string, names: readonly string[]): Part[] {
  if (operator === '?' || operator === '&')
    return [{ kind: 'query', opener: operator, names: new Set(names) }];
  const takesAll = operator === '+' || operator === '#';
  // Between values stands what the operator puts in front of them, else a comma.
  const joint = operator === '.' || operator === '/' ? operator : ',';
  const parts: Part[] = [];
  for (const [index, name] of names.entries()) {
    const before = index > 0 ? joint : operator === '+' ? '' : operator;
    if (before !== '') parts.push({ kind: 'literal', text: before });
    parts.push({ kind: 'variable', name, excluded: takesAll ? '' : NOT_IN_SIMPLE });
  }
  return parts;
}

function namesOf(part: Part): readonly string[] {
  return part.kind === 'variable' ? [part.name] : part.kind === 'query' ? [...part.names] : [];
}
