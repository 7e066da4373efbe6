import { FramingError } from '@linewire/framing';

/** What is used of the package `simdjson`: it takes strings only. */
export interface SimdjsonAddon {
  isValid(text: string): boolean;
}

/** Node's `require`, as far as it is used. */
export interface Requiring {
  (id: string): unknown;
  resolve(id: string): string;
}

/**
 * The addon behind the package. It is loaded by the path of its file: where the file is missing, the package itself falls back to
 * `JSON.parse` without a word, and adds a member to the global `JSON` while it does.
 *
 * @throws FramingError `SIMDJSON_UNAVAILABLE`
 */
export function loadAddon(require: Requiring): SimdjsonAddon {
  // The folder alone would do, but a package cannot be resolved without a file of it.
  resolved(require, 'simdjson/package.json', 'it is not installed: npm install simdjson@0.9.2');
  const path = resolved(
    require,
    'simdjson/build/Release/simdjson.node',
    'it is installed, but its addon was not built. Building takes a C++17 compiler, make and Python, and an npm that asks before it ' +
      'runs install scripts has to be told to ("allowScripts" in package.json): npm rebuild simdjson',
  );
  const addon = loaded(require, path);
  if (isAddon(addon)) return addon;
  throw unavailable(`${path} has no function isValid: npm install simdjson@0.9.2`);
}

function resolved(require: Requiring, id: string, remedy: string): string {
  try {
    return require.resolve(id);
  } catch (cause) {
    throw unavailable(remedy, cause);
  }
}

function loaded(require: Requiring, path: string): unknown {
  try {
    return require(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replaceAll(/\s+/g, ' ') : String(cause);
    throw unavailable(
      `its addon does not load in this runtime (${reason}); it has to be built for it: npm rebuild simdjson`,
      cause,
    );
  }
}

function isAddon(value: unknown): value is SimdjsonAddon {
  return (
    typeof value === 'object' && value !== null && 'isValid' in value && typeof value.isValid === 'function'
  );
}

/** Says that the package cannot be used, and what would help. */
export function unavailable(remedy: string, cause?: unknown): FramingError {
  const details = cause === undefined ? {} : { cause };
  return new FramingError(
    'SIMDJSON_UNAVAILABLE',
    `the optional package simdjson cannot be used: ${remedy}`,
    details,
  );
}
