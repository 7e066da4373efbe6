/** Words that need no quotes: nothing takes them apart, and no MinGW program takes them for a file pattern. */
const PLAIN_FOR_PROGRAM = /^[^\s"*?]+$/;
/** The same for cmd.exe, by what is known to be harmless: a list of what is not has been wrong too often. */
const PLAIN_FOR_BATCH = /^[A-Za-z0-9_./:@+#$\\-]*[A-Za-z0-9_./:@+#$-]$/;

/**
 * One argument of a program that reads its command line as the C runtime and CommandLineToArgvW do: inside quotes `\"` is a quote, and
 * backslashes count double in front of a quote, and only there.
 */
export function quoteForProgram(argument: string): string {
  if (PLAIN_FOR_PROGRAM.test(argument)) return argument;
  return `"${doubleBackslashes(argument).replace(/"/g, '\\"')}"`;
}

/**
 * One argument of a batch file, which cmd.exe reads before the program behind it does. A quote becomes two: cmd.exe is inside quotes before
 * and after the pair, so that nothing in the argument is ever outside, however many batch files pass it on; and the C runtime takes the pair
 * for one quote. `\"` would leave cmd.exe outside. Percent signs are not handled here, see `windows-percent.ts`.
 */
export function quoteForBatch(argument: string): string {
  if (PLAIN_FOR_BATCH.test(argument)) return argument;
  return `"${doubleBackslashes(argument).replace(/"/g, '""')}"`;
}

/** The program's own name: backslashes mean nothing there, and a quote cannot occur. */
export function quoteProgram(file: string): string {
  return /\s/.test(file) ? `"${file}"` : file;
}

/** Doubles the backslashes in front of quotes, and at the end, where the closing quote will be. */
function doubleBackslashes(text: string): string {
  return text.replace(/\\+/g, (run, at: number) => {
    const next = text[at + run.length];
    return next === undefined || next === '"' ? run + run : run;
  });
}
