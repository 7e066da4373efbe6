import type { FrameBatch, IdKey } from '@linewire/framing';
import { sameAnswer } from './run-compare.ts';
import type { FileFrame } from './run-lines.ts';

/** Differences of one kind that are kept for the report; all are counted. */
const KEPT = 5;
/** Characters of a line that are kept. */
const KEPT_CHARS = 300;

/** One answer whose value is not the expected one. */
export interface WrongAnswer {
  readonly idText: string;
  readonly expected: string;
  readonly actual: string;
}

interface Slot {
  /** Expected texts of this id that have not come; text '' = any answer will do. */
  readonly texts: string[];
  readonly idText: string;
}

/** Keeps the account: each expected answer exactly once, and nothing else. */
export class Tally {
  right = 0;
  wrong = 0;
  /** Lines that are no expected answer: a second answer, an unknown id, noise. */
  extra = 0;
  notifications = 0;
  /** Requests of the server; a played file cannot answer them. */
  serverRequests = 0;
  readonly wrongAnswers: WrongAnswer[] = [];
  readonly extraLines: string[] = [];
  private readonly slots: Map<IdKey | undefined, Slot> = new Map();
  private open = 0;

  /** @param expected - answers to be compared, or requests each of which must get any answer. */
  constructor(expected: readonly FileFrame[]) {
    for (const { key, idText, text } of expected) {
      const slot = this.slots.get(key);
      if (slot === undefined) this.slots.set(key, { texts: [text], idText: idText ?? 'no id' });
      else slot.texts.push(text);
      this.open++;
    }
  }

  get missing(): number {
    return this.open;
  }

  get allRight(): boolean {
    return this.open === 0 && this.wrong === 0 && this.extra === 0;
  }

  /** Ids that got no answer, the first few. */
  missingIds(): string[] {
    const ids: string[] = [];
    for (const { texts, idText } of this.slots.values()) {
      if (ids.length === KEPT) break;
      if (texts.length > 0) ids.push(clip(idText));
    }
    return ids;
  }

  /** Counts one frame of the server. True if it was an expected answer, right or wrong. */
  frame(batch: FrameBatch, index: number): boolean {
    switch (batch.kind(index)) {
      case 'result':
      case 'error':
        return this.answer(batch, index);
      case 'notification':
        this.notifications++;
        return false;
      case 'request':
        this.serverRequests++;
        return false;
      default:
        this.unexpected(batch.fault(index)?.preview ?? batch.text(index));
        return false;
    }
  }

  private answer(batch: FrameBatch, index: number): boolean {
    const slot = this.slots.get(batch.idKey(index));
    const text = batch.text(index);
    if (slot === undefined || slot.texts.length === 0) {
      this.unexpected(text);
      return false;
    }
    this.open--;
    // One id may be expected twice (a refused duplicate and the first answer), in any order.
    const match = slot.texts.findIndex((expected) => expected === '' || sameAnswer(expected, text));
    const [expected] = slot.texts.splice(Math.max(match, 0), 1);
    if (match >= 0) this.right++;
    else {
      this.wrong++;
      if (this.wrongAnswers.length < KEPT) {
        this.wrongAnswers.push({
          idText: clip(slot.idText),
          expected: clip(expected ?? ''),
          actual: clip(text),
        });
      }
    }
    return true;
  }

  private unexpected(line: string): void {
    this.extra++;
    if (this.extraLines.length < KEPT) this.extraLines.push(clip(line));
  }
}

function clip(text: string): string {
  return text.length > KEPT_CHARS ? `${text.slice(0, KEPT_CHARS)}… (${text.length} characters)` : text;
}
