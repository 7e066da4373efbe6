import type { JsonSchema } from '../json-schema.ts';
import type { SchemaCheck } from '../schema-check.ts';
import type { Violation } from '../violation.ts';
import { type CompiledCheck, compileWithAjv } from './ajv-compiler.ts';

/**
 * Members of objects that a schema has judged before ajv is loaded for it. ajv saves some 20 ns for each, and costs
 * 45 to 130 ms once, during which nothing else runs: by now it would have saved that (docs/schemas.md has the
 * measurement).
 */
export const UPGRADE_AFTER_NODES = 5_000_000;
/** One value in so many is counted (a power of two). */
const SAMPLE = 64;
/** One value in so many that the compiled check has let pass is judged by both (a power of two). */
const SECOND_LOOK = 1_024;
/** A value is counted so far: a walk takes as long as a check. */
const MAX_COUNTED = 10_000;

/** What became of checks that were worth compiling, in this process. */
export interface UpgradeCounts {
  compiled: number;
  /** ajv is not installed, generating code is forbidden, or the schema is one that ajv would judge otherwise. */
  refused: number;
  /** The compiled check and the interpreter disagreed; the interpreter's word was taken. */
  dropped: number;
}

export const upgradeCounts: UpgradeCounts = { compiled: 0, refused: 0, dropped: 0 };

/**
 * A check that is compiled when it has been used for long. The interpreter stays: it says why a value does not fit,
 * and has the last word.
 */
export class UpgradingCheck {
  private readonly interpreter: SchemaCheck;
  private readonly json: JsonSchema;
  private readonly afterNodes: number;
  private compiled: CompiledCheck | undefined = undefined;
  private uses = 0;
  private nodes = 0;
  private decided = false;

  /** @param afterNodes - see {@link UPGRADE_AFTER_NODES}. */
  constructor(interpreter: SchemaCheck, json: JsonSchema, afterNodes: number = UPGRADE_AFTER_NODES) {
    this.interpreter = interpreter;
    this.json = json;
    this.afterNodes = afterNodes;
  }

  check(value: unknown): Violation | undefined {
    this.uses = (this.uses + 1) | 0;
    if (this.compiled !== undefined) return this.checkCompiled(value, this.compiled);
    if (!this.decided && (this.uses & (SAMPLE - 1)) === 0) this.count(value);
    return this.interpreter.check(value);
  }

  private checkCompiled(value: unknown, compiled: CompiledCheck): Violation | undefined {
    const fits = judged(compiled, value);
    if (fits === true && (this.uses & (SECOND_LOOK - 1)) !== 0) return undefined;
    const violation = this.interpreter.check(value);
    if (fits !== undefined && fits !== (violation === undefined)) {
      this.compiled = undefined;
      upgradeCounts.dropped++;
    }
    return violation;
  }

  private count(value: unknown): void {
    this.nodes += countNodes(value) * SAMPLE;
    if (this.nodes < this.afterNodes) return;
    this.decided = true;
    // After this turn's answers are written; it keeps no process alive.
    setImmediate(() => void this.upgrade()).unref();
  }

  private async upgrade(): Promise<void> {
    this.compiled = await compileWithAjv(this.json);
    if (this.compiled === undefined) upgradeCounts.refused++;
    else upgradeCounts.compiled++;
  }
}

/** `undefined` where the compiled code failed: it has no guard against deep values. */
function judged(compiled: CompiledCheck, value: unknown): boolean | undefined {
  try {
    return compiled(value);
  } catch {
    return undefined;
  }
}

/** Members of objects. A list of plain items is walked so fast that code would hardly be faster. */
function countNodes(value: unknown): number {
  const waiting: unknown[] = [value];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined && count < MAX_COUNTED; next = waiting.pop()) {
    const members: unknown[] = Object.values(next as object);
    if (!Array.isArray(next)) count += members.length;
    for (const member of members) if (typeof member === 'object' && member !== null) waiting.push(member);
  }
  return count;
}
