import type { Variables } from './windows-env.ts';

/** Names that cmd.exe knows without a variable, sets when they are missing, or gets from Node when they are. */
const KNOWN_TO_CMD = [
  'CD',
  'CMDCMDLINE',
  'CMDEXTVERSION',
  'COMSPEC',
  'DATE',
  'ERRORLEVEL',
  'FIRMWARE_TYPE',
  'HIGHESTNUMANODENUMBER',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOGONSERVER',
  'PATH',
  'PATHEXT',
  'PROMPT',
  'RANDOM',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TIME',
  'USERDOMAIN',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
  '__APPDIR__',
  '__CD__',
];

/**
 * The first variable that cmd.exe would put its value in for, in a line given to `cmd.exe /c`; undefined if it leaves all percent signs as
 * they are. Quotes do not protect them, and nothing escapes them: `%NAME%` and `%NAME:…%` are replaced before cmd.exe looks for quotes, also
 * across arguments. Where there is no such variable, cmd.exe (given a line, not in a file) keeps the percent sign and reads on behind it, so
 * every percent sign may begin a name.
 */
export function expandedVariable(line: string, env: Variables): string | undefined {
  let start = line.indexOf('%');
  if (start < 0) return undefined;
  const names = new Set(KNOWN_TO_CMD);
  for (const [name, value] of Object.entries(env)) if (value !== undefined) names.add(name.toUpperCase());
  for (let end = line.indexOf('%', start + 1); end >= 0; end = line.indexOf('%', start + 1)) {
    const whole = line.slice(start + 1, end);
    const colon = whole.indexOf(':');
    const name = colon < 0 ? whole : whole.slice(0, colon);
    // `=C:` and its kin are hidden variables of cmd.exe itself.
    if (name.startsWith('=')) return '=';
    if (names.has(name.toUpperCase()) || names.has(whole.toUpperCase())) return name;
    start = end;
  }
  return undefined;
}
