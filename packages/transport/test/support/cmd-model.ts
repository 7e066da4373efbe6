/**
 * A small model of cmd.exe, from its published parsing phases: percent signs first, then quotes, carets and the characters that part or
 * redirect commands. Blocks, labels and delayed expansion (off here) are not in it.
 */

/** One command of a line, as it is run. */
interface Command {
  readonly text: string;
  readonly redirects: boolean;
}

/** What `cmd.exe … /s /c "…"` runs: the line without its outermost quotes, read as if it were typed. */
export function commandsOf(commandLine: string, env: Record<string, string>): Command[] {
  const found = /^\S+((?: \/(?!c )\S+)*) \/c "(.*)"$/s.exec(commandLine);
  if (found === null) throw new Error(`no line for cmd.exe: ${commandLine}`);
  if (!found[1]?.includes(' /s')) throw new Error('without /s the quotes come off by guesswork');
  return readLine(expandTyped(found[2] ?? '', env));
}

/** A batch file that hands its arguments on: `"program" "script" %*`. */
export function shimCommands(batchCommand: string, program: string): Command[] {
  return readLine(`${program} ${argumentsOf(batchCommand)}`);
}

/** A batch file that handles one argument: `program "%~1"`, or another number. */
export function singleArgumentCommands(batchCommand: string, index: number, program: string): Command[] {
  const words = batchWords(argumentsOf(batchCommand));
  return readLine(`${program} "${(words[index] ?? '').replace(/^"(.*)"$/s, '$1')}"`);
}

/** Percent signs of a line that is typed or given to `/c`: an unknown name leaves its first sign where it is, and reading goes on behind it. */
export function expandTyped(line: string, env: Record<string, string>): string {
  let out = '';
  let at = 0;
  while (at < line.length) {
    const match = line[at] === '%' ? /^%([^%:]*)(?::[^%]*)?%/.exec(line.slice(at)) : null;
    const value = match === null ? undefined : expansion(match, env);
    out += value ?? line[at];
    at += value === undefined ? 1 : (match?.[0].length ?? 1);
  }
  return out;
}

function expansion([whole, name = '']: RegExpExecArray, env: Record<string, string>): string | undefined {
  const key = Object.keys(env).find((known) => known.toUpperCase() === name.toUpperCase());
  if (key !== undefined) return env[key];
  // The name may hold a colon itself.
  const long = whole.slice(1, -1).toUpperCase();
  const longKey = Object.keys(env).find((known) => known.toUpperCase() === long);
  return longKey === undefined ? undefined : env[longKey];
}

/** Quotes, carets, and what ends a command. */
function readLine(line: string): Command[] {
  const commands: { text: string; redirects: boolean }[] = [{ text: '', redirects: false }];
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const command = commands.at(-1) as { text: string; redirects: boolean };
    const char = line[at] as string;
    if (char === '\n' || char === '\r' || char === '\0') return commands;
    if (char === '"') quoted = !quoted;
    else if (!quoted && char === '^') {
      command.text += line[++at] ?? '';
      continue;
    } else if (!quoted && '&|()'.includes(char)) {
      commands.push({ text: '', redirects: false });
      continue;
    } else if (!quoted && '<>'.includes(char)) command.redirects = true;
    command.text += char;
  }
  return commands;
}

/** What stands behind the quoted name of the batch file. */
function argumentsOf(batchCommand: string): string {
  return /^"[^"]*"(.*)$/s.exec(batchCommand)?.[1] ?? '';
}

/** `%1`, `%2` …: parted by more than spaces, but not inside quotes. */
function batchWords(text: string): string[] {
  return text.match(/(?:"[^"]*"?|[^\s,;="])+/g) ?? [];
}
