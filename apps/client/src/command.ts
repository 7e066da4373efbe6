/** One command of `linewire`. `main.ts` lists them; each lives in files of its own. */
export interface Command {
  /** Name and positional arguments: `run <messages>`. */
  readonly usage: string;
  readonly summary: string;
  /** Flags with their help text: `--expect <file>`. A value is asked for with `<>`. */
  readonly options: readonly (readonly [flags: string, help: string])[];
  /** Ends with the exit code. It writes to the streams of the process; `main.ts` alone ends the process. */
  run(input: CommandInput): Promise<number>;
}

/** The parsed command line. */
export interface CommandInput {
  readonly positional: readonly string[];
  /** By camel-case name. A value that looks like a number comes as one. */
  readonly options: Readonly<Record<string, unknown>>;
  /** What stands behind `--`, untouched. */
  readonly rest: readonly string[];
}

/** A command line that cannot be carried out: message on stderr, exit code 2. */
export class UsageError extends Error {}

/** A text option; a file named `12` arrives as a number. */
export function textOption(input: CommandInput, name: string): string | undefined {
  const value = input.options[name];
  if (value === undefined) return undefined;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new UsageError(`--${name} needs one value`);
}

/** A whole number from `min` on; the flag is named in the error. */
export function countOption(
  input: CommandInput,
  name: string,
  flag: string,
  min: number,
  max: number,
): number | undefined {
  const value = input.options[name];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new UsageError(`${flag} must be a whole number from ${min} to ${max}`);
}
