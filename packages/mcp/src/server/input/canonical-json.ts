/** Depth from which on, at each doubling, it is looked whether a value contains itself. */
const SUSPICIOUS_DEPTH = 4096;

/** Text that is collected before it is handed on, in UTF-16 units. */
const PIECE_UNITS = 16_384;

/** An array or object that is being written: its members' values in order, and of an object their keys. */
interface Open {
  readonly keys: readonly string[] | undefined;
  readonly values: readonly unknown[] | Readonly<Record<string, unknown>>;
  readonly count: number;
  at: number;
}

/**
 * Writes a decoded JSON value in the one spelling that RFC 8785 gives it: keys in the order of their UTF-16 units, numbers as ECMAScript
 * writes them, no spaces. Two values have the same text exactly if they are equal. Beyond the RFC, which refuses them: lone surrogates
 * are escapes, and the infinities (`1e400` decodes to one) are bare words, so that no input of a peer can make it throw.
 *
 * Not recursive, so depth costs memory and no stack. `toJSON` is never called.
 *
 * @param write - gets the text in pieces. None ends inside a string, so each may be encoded by itself.
 * @throws RangeError for a value that contains itself.
 */
export function writeCanonicalJson(value: unknown, write: (piece: string) => void): void {
  const stack: Open[] = [];
  let text = '';
  let next: unknown = value;
  for (;;) {
    const opened = open(next);
    if (opened === undefined) text += scalar(next);
    else {
      if (isNestedInItself(next, stack)) throw new RangeError('a value that is nested without end');
      stack.push(opened);
      text += opened.keys === undefined ? '[' : '{';
    }
    // Closes what is complete; then the top of the stack has a member left.
    let top = stack.at(-1);
    while (top !== undefined && top.at === top.count) {
      text += top.keys === undefined ? ']' : '}';
      stack.pop();
      top = stack.at(-1);
    }
    if (top === undefined) break;
    if (top.at > 0) text += ',';
    if (top.keys === undefined) {
      next = (top.values as readonly unknown[])[top.at];
    } else {
      const key = top.keys[top.at] as string;
      text += `${JSON.stringify(key)}:`;
      next = (top.values as Readonly<Record<string, unknown>>)[key];
    }
    top.at++;
    if (text.length >= PIECE_UNITS) {
      write(text);
      text = '';
    }
  }
  write(text);
}

/** Looks so seldom that all looks together are linear in the depth. */
function isNestedInItself(value: unknown, stack: readonly Open[]): boolean {
  const depth = stack.length;
  if (depth < SUSPICIOUS_DEPTH || (depth & (depth - 1)) !== 0) return false;
  return stack.some(({ values }) => values === value);
}

function open(value: unknown): Open | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return { keys: undefined, values: value, count: value.length, at: 0 };
  // The default order of sort() is that of UTF-16 units, as the RFC wants it.
  const keys = Object.keys(value).sort();
  return { keys, values: value as Readonly<Record<string, unknown>>, count: keys.length, at: 0 };
}

function scalar(value: unknown): string {
  // As the RFC wants it: strings as JSON.stringify writes them, numbers as String does, -0 as 0.
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
