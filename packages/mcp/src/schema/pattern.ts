/** `pattern` as a RegExp with the `u` flag: unanchored, in code points. @throws SyntaxError */
export function compilePattern(source: string): RegExp {
  return new RegExp(source, 'u');
}

/**
 * Whether a pattern repeats something without bound that repeats without bound itself, as `(a+)*`. Such a one may
 * take time exponential in the text; many do not. Only asked of schemas that a peer has sent.
 */
export function hasNestedRepeat(source: string): boolean {
  /** For each open group: whether it holds an unbounded repeat. */
  const groups: boolean[] = [false];
  for (let at = 0; at < source.length; at++) {
    switch (source[at]) {
      case '\\':
        at++;
        break;
      case '[':
        at = endOfClass(source, at);
        break;
      case '(':
        groups.push(false);
        break;
      case ')': {
        const repeats = groups.pop() === true;
        const repeated = isUnbounded(source, at + 1);
        if (repeats && repeated) return true;
        if ((repeats || repeated) && groups.length > 0) groups[groups.length - 1] = true;
        break;
      }
      default:
        if (isUnbounded(source, at)) groups[groups.length - 1] = true;
    }
  }
  return false;
}

function isUnbounded(source: string, at: number): boolean {
  return /^(?:[*+]|\{\d*,\})/.test(source.slice(at, at + 24));
}

function endOfClass(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === ']') return at;
  }
  return source.length;
}
