/** Why a value does not fit. `path` is `''` for the root, else `a`, `a.b`, `a[0].b`. */
export interface Violation {
  readonly path: string;
  /** The rest of the sentence: `is required`, `must be a number`. */
  readonly text: string;
}

/** A violation of the value itself. */
export function wrong(text: string): Violation {
  return { path: '', text };
}

/** The violation of a member, seen from what holds it. `step` is a name or `[3]`. */
export function within(step: string, violation: Violation): Violation {
  const joint = violation.path === '' || violation.path.startsWith('[') ? '' : '.';
  return { path: step + joint + violation.path, text: violation.text };
}

/**
 * The violation of a value whose check ran out of stack.
 *
 * @throws `error` if it is another one.
 */
export function tooDeep(error: unknown): Violation {
  if (error instanceof RangeError) return wrong('is nested too deep to be checked');
  throw error;
}
