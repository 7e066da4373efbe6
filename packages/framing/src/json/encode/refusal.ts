import { FramingError, isFramingError } from '../../errors.ts';
import { type PathStep, pathText } from '../lazy/path.ts';

/** Why a value is refused, on its way up to where the whole path is known. */
export class Refusal extends Error {
  /** What is wrong with the value: continues a sentence that begins with its path. */
  readonly reason: string;
  /** The steps that lead to the value, the last one first. */
  readonly backwards: PathStep[];

  constructor(reason: string, backwards: PathStep[] = [], cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
    this.backwards = backwards;
  }
}

/** What a caller gets for anything that was thrown while a value was encoded. */
export function encodeError(thrown: unknown): FramingError {
  if (thrown instanceof Refusal) {
    const details = thrown.cause === undefined ? {} : { cause: thrown.cause };
    return new FramingError(
      'ENCODE_REFUSED',
      `the value at ${pathText(thrown.backwards)} ${thrown.reason}`,
      details,
    );
  }
  if (isFramingError(thrown)) return thrown;
  const why = thrown instanceof Error ? thrown.message.replaceAll(/\s+/g, ' ') : String(thrown);
  return new FramingError('ENCODE_REFUSED', `the value cannot be written as JSON: ${why}`, { cause: thrown });
}

/** The error for a whole value that `JSON.stringify` gives undefined for. */
export function noJson(value: unknown): FramingError {
  const what = typeof value === 'object' ? 'value with this toJSON' : typeof value;
  return new FramingError('ENCODE_REFUSED', `a ${what} has no JSON form`);
}
