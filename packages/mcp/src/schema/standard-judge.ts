import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Judged } from './schema-source.ts';
import { type Violation, wrong } from './violation.ts';

/** Issues of one value that are told; the rest is counted. */
const MAX_ISSUES = 5;

/** Whether something implements Standard Schema. */
export function isStandard(schema: unknown): schema is StandardSchemaV1 {
  const holds = (typeof schema === 'object' && schema !== null) || typeof schema === 'function';
  const standard = holds ? (schema as Partial<StandardSchemaV1>)['~standard'] : undefined;
  return typeof standard?.validate === 'function';
}

/** How a schema of the Standard Schema family judges. A promise only where its `validate` gave one. */
export function judgeOf(schema: StandardSchemaV1): (value: unknown) => Judged | PromiseLike<Judged> {
  const standard = schema['~standard'];
  return (value) => {
    const result = standard.validate(value);
    return isPromise(result) ? result.then(judged) : judged(result);
  };
}

function judged(result: StandardSchemaV1.Result<unknown>): Judged {
  return result.issues === undefined ? result : { violation: violationOf(result.issues) };
}

function isPromise<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof (value as { then?: unknown } | null)?.then === 'function';
}

/** The first issue; the others follow in its text, so that a model can mend all at once. */
function violationOf(issues: readonly StandardSchemaV1.Issue[]): Violation {
  const [first, ...others] = issues.slice(0, MAX_ISSUES).map(({ path = [], message }) => {
    return { path: pathText(path), text: String(message) };
  });
  if (first === undefined) return wrong('does not fit');
  const more = others.map(({ path, text }) => `; ${path === '' ? text : `${path}: ${text}`}`);
  if (issues.length > MAX_ISSUES) more.push(`; and ${issues.length - MAX_ISSUES} more`);
  return { path: first.path, text: first.text + more.join('') };
}

function pathText(path: readonly (PropertyKey | StandardSchemaV1.PathSegment)[]): string {
  let text = '';
  for (const segment of path) {
    const key = typeof segment === 'object' ? segment.key : segment;
    if (typeof key === 'number') text += `[${key}]`;
    else text += text === '' ? String(key) : `.${String(key)}`;
  }
  return text;
}
