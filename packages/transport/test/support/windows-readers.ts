/**
 * How programs on Windows read their command line, written from the published rules and by nothing that writes one: the reference that the
 * quoting is held against. `""` inside quotes is where the two differ.
 */

/** CommandLineToArgvW: `""` inside quotes is a quote and ends the quoting; three quotes in a row are a quote. */
export function commandLineToArgv(line: string): string[] {
  const [program, rest] = readProgram(line);
  return [program, ...readWords(rest, oldQuotes)];
}

/** The C runtime since 2008 (Node, Python, MSVC): `""` inside quotes is a quote, and the quoting goes on. */
export function cRuntimeArgv(line: string): string[] {
  const [program, rest] = readProgram(line);
  return [program, ...readWords(rest, newQuotes)];
}

/** The program's name knows no escapes: it ends at the second quote, or at white space. */
function readProgram(line: string): [string, string] {
  const found = /^"([^"]*)"?/.exec(line) ?? /^([^ \t]*)/.exec(line);
  return [found?.[1] ?? '', line.slice(found?.[0].length ?? 0)];
}

/** What a run of quotes means: how many of them are text, and whether the text behind is quoted. */
type QuoteRule = (run: number, quoted: boolean) => { literal: number; quoted: boolean };

const oldQuotes: QuoteRule = (run, quoted) => {
  let literal = 0;
  let count = quoted ? 1 : 0;
  for (let quote = 0; quote < run; quote++) {
    count++;
    if (count === 3) {
      literal++;
      count = 0;
    }
  }
  return { literal, quoted: count === 1 };
};

const newQuotes: QuoteRule = (run, quoted) => {
  let literal = 0;
  let inside = quoted;
  for (let left = run; left > 0; ) {
    if (inside && left >= 2) {
      literal++;
      left -= 2;
    } else {
      inside = !inside;
      left--;
    }
  }
  return { literal, quoted: inside };
};

function readWords(text: string, rule: QuoteRule): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quoted = false;
  let at = 0;
  while (at < text.length) {
    const char = text[at] as string;
    if (!quoted && (char === ' ' || char === '\t')) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at++;
      continue;
    }
    word ??= '';
    const slashes = runLength(text, at, '\\');
    at += slashes;
    const quotes = runLength(text, at, '"');
    if (quotes === 0) {
      word += '\\'.repeat(slashes);
      if (slashes === 0) {
        word += char;
        at++;
      }
      continue;
    }
    // Backslashes count only here; an odd one takes the first quote.
    const escaped = slashes % 2;
    const { literal, quoted: after } = rule(quotes - escaped, quoted);
    word += '\\'.repeat((slashes - escaped) / 2) + '"'.repeat(escaped + literal);
    quoted = after;
    at += quotes;
  }
  if (word !== undefined) words.push(word);
  return words;
}

function runLength(text: string, from: number, char: string): number {
  let at = from;
  while (text[at] === char) at++;
  return at - from;
}
