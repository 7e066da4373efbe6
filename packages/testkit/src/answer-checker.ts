import { isDeepStrictEqual } from 'node:util';
import type { ExpectedAnswers } from './expected-answers.ts';
import { LineSplitter } from './line-splitter.ts';
import type { RpcAnswer } from './rpc-lines.ts';

/**
 * How an answer is compared with the expected one, once the ids match.
 * - `value`: the whole answers are deeply equal; member order is free, and so is what the answer to `initialize` says is
 *   offered: a server of one tool is compared by the same calls as one that has everything.
 * - `outcome`: for servers that word things their own way. A success must be a success with the same text; a failure
 *   may be an error or a result with `isError`, in any words.
 */
export type CheckMode = 'value' | 'outcome';

export interface Mismatch {
  readonly what: 'wrong' | 'duplicate' | 'unexpected-id' | 'not-an-answer' | 'not-json' | 'no-final-newline';
  /** The line as it came, at most 300 characters. */
  readonly got: string;
  /** The expected answer as JSON, where there is one. */
  readonly expected?: string;
}

export interface CheckReport {
  readonly expectedCount: number;
  /** Lines that came, right or wrong. */
  readonly lineCount: number;
  readonly byteCount: number;
  /** Expected answers that came once or more often, with the right value the first time. */
  readonly rightCount: number;
  readonly missingCount: number;
  /** Lines that are wrong in any way, and a last line without newline. */
  readonly wrongCount: number;
  /** The first ids that got no answer, at most 10. */
  readonly missingIds: readonly (string | number)[];
  /** The first wrong lines, at most 10. */
  readonly mismatches: readonly Mismatch[];
  /** Every expected answer came exactly once with the right value, and nothing else came. */
  readonly ok: boolean;
}

const shownCount = 10;
const shownChars = 300;

/**
 * Checks a stream of answer lines against the expected answers. Memory: one bit per expected answer beside the current
 * line, so a million answers cost 125 KB.
 */
export class AnswerChecker {
  readonly #expected: ExpectedAnswers;
  readonly #mode: CheckMode;
  readonly #seen: Uint8Array;
  readonly #splitter: LineSplitter = new LineSplitter((line) => this.#check(line));
  readonly #mismatches: Mismatch[] = [];
  #lineCount = 0;
  #byteCount = 0;
  #seenCount = 0;
  #rightCount = 0;
  #wrongCount = 0;

  constructor(expected: ExpectedAnswers, mode: CheckMode = 'value') {
    this.#expected = expected;
    this.#mode = mode;
    this.#seen = new Uint8Array((expected.count + 7) >>> 3);
  }

  /** Bytes as they come, cut anywhere. */
  push(chunk: Uint8Array): void {
    this.#byteCount += chunk.length;
    this.#splitter.push(chunk);
  }

  /** Every expected id has been answered, rightly or not: the moment an interactive run may stop waiting. */
  get allSeen(): boolean {
    return this.#seenCount === this.#expected.count;
  }

  /** Ends the stream and sums up. */
  end(): CheckReport {
    const rest = this.#splitter.end();
    if (rest !== '') this.#report('no-final-newline', rest);
    const missingCount = this.#expected.count - this.#seenCount;
    return {
      expectedCount: this.#expected.count,
      lineCount: this.#lineCount,
      byteCount: this.#byteCount,
      rightCount: this.#rightCount,
      missingCount,
      wrongCount: this.#wrongCount,
      missingIds: this.#missingIds(),
      mismatches: this.#mismatches,
      ok: missingCount === 0 && this.#wrongCount === 0,
    };
  }

  #check(line: string): void {
    this.#lineCount++;
    const answer = parseAnswer(line);
    if (typeof answer === 'string') {
      this.#report(answer, line);
      return;
    }
    const index = this.#expected.indexOf(answer.id);
    if (index < 0) {
      this.#report('unexpected-id', line);
      return;
    }
    const expected = this.#expected.answerAt(index);
    if (!this.#markSeen(index)) this.#report('duplicate', line, expected);
    else if (this.#matches(line, answer, expected)) this.#rightCount++;
    else this.#report('wrong', line, expected);
  }

  #matches(line: string, answer: RpcAnswer, expected: RpcAnswer): boolean {
    if (this.#mode === 'outcome') return sameOutcome(answer, expected);
    // The same text has the same value; only another spelling of it needs the walk, which costs ten times as much.
    return (
      line === JSON.stringify(expected) || isDeepStrictEqual(withoutOffers(answer), withoutOffers(expected))
    );
  }

  /** False if the answer at this place came before. */
  #markSeen(index: number): boolean {
    const bits = this.#seen[index >>> 3] as number;
    const bit = 1 << (index & 7);
    if ((bits & bit) !== 0) return false;
    this.#seen[index >>> 3] = bits | bit;
    this.#seenCount++;
    return true;
  }

  #report(what: Mismatch['what'], line: string, expected?: RpcAnswer): void {
    this.#wrongCount++;
    if (this.#mismatches.length >= shownCount) return;
    const got = line.length > shownChars ? `${line.slice(0, shownChars)}…` : line;
    this.#mismatches.push(
      expected === undefined ? { what, got } : { what, got, expected: JSON.stringify(expected) },
    );
  }

  #missingIds(): (string | number)[] {
    const ids: (string | number)[] = [];
    for (let index = 0; index < this.#expected.count && ids.length < shownCount; index++) {
      if (((this.#seen[index >>> 3] as number) & (1 << (index & 7))) === 0)
        ids.push(this.#expected.answerAt(index).id);
    }
    return ids;
  }
}

function parseAnswer(line: string): RpcAnswer | 'not-json' | 'not-an-answer' {
  try {
    const value: unknown = JSON.parse(line);
    const isAnswer = typeof value === 'object' && value !== null && ('result' in value || 'error' in value);
    return isAnswer ? (value as RpcAnswer) : 'not-an-answer';
  } catch {
    return 'not-json';
  }
}

/** The answer itself, or that to an `initialize` with its capabilities, whatever they are, taken away. */
function withoutOffers(answer: RpcAnswer): unknown {
  const { result } = answer;
  const isHandshake = typeof result?.['protocolVersion'] === 'string';
  const offers = result?.['capabilities'];
  if (!isHandshake || typeof offers !== 'object' || offers === null || Array.isArray(offers)) return answer;
  return { ...answer, result: { ...result, capabilities: {} } };
}

/** Compares what a caller would make of the two answers. */
function sameOutcome(got: RpcAnswer, expected: RpcAnswer): boolean {
  if (got.jsonrpc !== '2.0' || ('result' in got && 'error' in got)) return false;
  if (isFailure(expected)) return isFailure(got);
  if (isFailure(got) || typeof got.result !== 'object' || got.result === null) return false;
  const text = contentText(expected);
  return text === undefined || text === contentText(got);
}

function isFailure(answer: RpcAnswer): boolean {
  return answer.error !== undefined || answer.result?.['isError'] === true;
}

/** The text items of a tool result, joined; undefined for results that are not tool results (handshake, lists). */
function contentText(answer: RpcAnswer): string | undefined {
  const content = answer.result?.['content'];
  if (!Array.isArray(content)) return undefined;
  return content
    .map((item: { type?: unknown; text?: unknown }) =>
      item.type === 'text' ? item.text : `[${String(item.type)}]`,
    )
    .join('');
}
