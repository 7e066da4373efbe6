import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expandedVariable } from '../../src/child/windows-percent.ts';
import { isTransportError, type WindowsSpawnPlan, windowsSpawnPlan } from '../../src/index.ts';
import { commandsOf, expandTyped, shimCommands, singleArgumentCommands } from '../support/cmd-model.ts';
import { commandLineToArgv, cRuntimeArgv } from '../support/windows-readers.ts';

const RUNS = { interruptAfterTimeLimit: 2000, numRuns: 20_000 };

/** Text of what has a meaning to somebody, and of anything. */
function texts(pieces: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join('')),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '')) },
  );
}

const MEANINGFUL = [
  '"',
  '""',
  '\\',
  '\\\\',
  ' ',
  '\t',
  'a',
  'é',
  "'",
  '&',
  '|',
  '<',
  '>',
  '^',
  '(',
  ')',
  ',',
  ';',
  '=',
  '!',
  '*',
  '@',
  '/c',
];
const lists = (pieces: readonly string[]): fc.Arbitrary<string[]> =>
  fc.array(texts(pieces), { maxLength: 5 });

function plan(command: string, args: string[], env: Record<string, string> = {}): WindowsSpawnPlan {
  return windowsSpawnPlan({
    command,
    args,
    cwd: 'C:\\work',
    env: { PATH: 'C:\\Program Files\\nodejs', ...env },
    fileExists: (path) => /\\(node\.exe|npx\.cmd)$/.test(path),
  });
}

/** The plan, or undefined where the arguments are refused. Anything else that goes wrong comes out. */
function planUnlessRefused(args: string[], env: Record<string, string> = {}): WindowsSpawnPlan | undefined {
  try {
    return plan('npx', args, env);
  } catch (error) {
    if (isTransportError(error) && error.code === 'SPAWN_REFUSED') return undefined;
    throw error;
  }
}

describe('a program', () => {
  test('reads back every list of arguments, by both ways of reading that there are', () => {
    fc.assert(
      fc.property(lists([...MEANINGFUL, '%', '\n']), (args) => {
        const { commandLine } = plan('node', args);
        const expected = ['C:\\Program Files\\nodejs\\node.exe', ...args];
        expect(commandLineToArgv(commandLine)).toEqual(expected);
        expect(cRuntimeArgv(commandLine)).toEqual(expected);
      }),
      RUNS,
    );
  });
});

describe('a batch file', () => {
  test('is the only command of its line, redirects nothing, and its program reads back every argument', () => {
    let refusals = 0;
    let runs = 0;
    fc.assert(
      fc.property(lists(MEANINGFUL), (args) => {
        runs++;
        const found = planUnlessRefused(args);
        if (found === undefined) {
          refusals++;
          return;
        }
        let [command, ...more] = commandsOf(found.commandLine, {});
        // One batch file, or one that calls another, that calls another.
        for (let level = 0; level < 3; level++) {
          expect([more, command?.redirects]).toEqual([[], false]);
          expect(cRuntimeArgv(command?.text ?? '').slice(1)).toEqual(args);
          [command, ...more] = shimCommands(command?.text ?? '', '"C:\\next.cmd"');
        }
      }),
      RUNS,
    );
    expect(refusals).toBeLessThan(runs / 2);
  });

  test('gets each argument whole as "%~1" too', () => {
    fc.assert(
      fc.property(lists(MEANINGFUL), (args) => {
        const found = planUnlessRefused(args);
        if (found === undefined) return;
        const [command] = commandsOf(found.commandLine, {});
        for (const [index, argument] of args.entries()) {
          const [inner, ...more] = singleArgumentCommands(command?.text ?? '', index, 'node.exe');
          expect([more, inner?.redirects]).toEqual([[], false]);
          expect(cRuntimeArgv(inner?.text ?? '')).toEqual(['node.exe', argument]);
        }
      }),
      RUNS,
    );
  });

  test('is refused when a percent sign would be replaced by any variable there is, and else no percent sign is touched', () => {
    const percents = ['%', '%', '%', ':', '~', '=', 'A', 'a', 'B', 'PATH', 'cd', '0,1', '"', '&', ' ', '\\'];
    const names = fc.constantFrom('A', 'b', 'AB', 'A:', ' ', '" "', 'x y', '\\');
    const environments = fc.dictionary(names, fc.constant('" & calc.exe & "'), { maxKeys: 3 });
    const seen = { refused: 0, passed: 0 };
    fc.assert(
      fc.property(lists(percents), environments, (args, env) => {
        const found = planUnlessRefused(args, env);
        if (found === undefined) {
          seen.refused++;
          return;
        }
        if (args.join('').includes('%')) seen.passed++;
        const [command, ...more] = commandsOf(found.commandLine, { ...env, PATH: 'x', CD: 'x' });
        expect(more).toEqual([]);
        expect(cRuntimeArgv(command?.text ?? '').slice(1)).toEqual(args);
      }),
      RUNS,
    );
    expect(Math.min(seen.refused, seen.passed)).toBeGreaterThan(50);
  });

  test('is not refused for percent signs that the model of cmd.exe leaves alone', () => {
    fc.assert(
      fc.property(texts(['%', '20', '40', 'A', ':', '/', 'x', '"']), (text) => {
        const env = { A: 'value' };
        if (expandTyped(text, env) === text) expect(expandedVariable(text, env)).toBeUndefined();
      }),
      RUNS,
    );
  });
});

test('a line of backslashes takes time in proportion to its length', () => {
  const { commandLine } = plan('node', [`${'\\'.repeat(10_000)} ${'\\'.repeat(10_000)}x`]);
  expect(commandLine.length).toBeLessThan(32_767);
});
