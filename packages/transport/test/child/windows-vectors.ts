import type { TransportCode } from '../../src/index.ts';

const raw = String.raw;

/** The files of the machine that the vectors are about. */
export const WINDOWS_FILES: readonly string[] = [
  raw`C:\Program Files\nodejs\node.exe`,
  raw`C:\Program Files\nodejs\npx`,
  raw`C:\Program Files\nodejs\npx.cmd`,
  raw`C:\Program Files\nodejs\npx.ps1`,
  raw`C:\tools\uvx.exe`,
  raw`C:\tools\both.cmd`,
  raw`C:\tools\both.exe`,
  raw`C:\tools\both.bat`,
  raw`C:\tools\old.com`,
  raw`C:\tools\old.exe`,
  raw`C:\tools\run.bat`,
  raw`C:\tools\tool.v2.exe`,
  raw`C:\tools\twice.exe.cmd`,
  raw`C:\tools\script.js`,
  raw`C:\tools\only.ps1`,
  raw`C:\R&D (x86)\100% it's ^ok!\go.cmd`,
  raw`C:\R&D (x86)\100% it's ^ok!\go.exe`,
  raw`C:\%PATH%\go.cmd`,
  raw`C:\semi;colon\semi.exe`,
  raw`C:\work\local.exe`,
  raw`C:\work\bin\local.exe`,
  raw`C:\work\bin\relative.exe`,
  raw`C:\work\node_modules\.bin\mcp-server.cmd`,
  raw`\\nas\share\server.exe`,
  raw`\\nas\share\server.cmd`,
  raw`C:\Ökonomie\日本\サーバ.exe`,
  raw`C:\Ökonomie\日本\サーバ.cmd`,
];

const PATH = raw`C:\Program Files\nodejs;C:\tools`;

/** One row: what is asked for, and the line that must come of it, or the code of the refusal. */
export interface WindowsVector {
  readonly about: string;
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly line?: string;
  readonly code?: TransportCode;
  /** Part of the message. */
  readonly says?: string;
}

const NODE = raw`"C:\Program Files\nodejs\node.exe"`;

/** `cmd.exe` with a line for it. */
const cmd = (line: string): string => raw`C:\Windows\System32\cmd.exe /d /v:off /s /c "${line}"`;

/** `npx` with its arguments. */
const npx = (args: string): string => cmd(raw`"C:\Program Files\nodejs\npx.cmd" ${args}`);

function program(about: string, args: readonly string[], words: string): WindowsVector {
  return {
    about: `program: ${about}`,
    command: 'node',
    args,
    line: words === '' ? NODE : `${NODE} ${words}`,
  };
}

function batch(about: string, args: readonly string[], words: string): WindowsVector {
  return { about: `batch file: ${about}`, command: 'npx', args, line: npx(words) };
}

function refusedBatch(about: string, args: readonly string[], says: string): WindowsVector {
  return { about: `batch file: ${about}`, command: 'npx', args, code: 'SPAWN_REFUSED', says };
}

export const WINDOWS_VECTORS: readonly WindowsVector[] = [
  // What a program is given. Its quoting is that of CommandLineToArgvW.
  program('no arguments', [], ''),
  program('plain words stay bare', ['server.js', '--port=80', '/x', 'a,b;c'], 'server.js --port=80 /x a,b;c'),
  program('an empty argument', ['', 'x', ''], '"" x ""'),
  program('spaces and tabs', ['a b', ' ', '\t'], '"a b" " " "\t"'),
  program('a line break and other white space', ['a\nb', 'a\u00a0b'], '"a\nb" "a\u00a0b"'),
  program('a quote', ['"', 'a"b', '"a b"'], raw`"\"" "a\"b" "\"a b\""`),
  program('JSON', ['{"a":"b c"}'], raw`"{\"a\":\"b c\"}"`),
  program('backslashes that mean nothing', [raw`C:\a\b`, raw`C:\a b\c`], raw`C:\a\b "C:\a b\c"`),
  program(
    'backslashes at the end, bare and in quotes',
    ['C:\\', 'C:\\a b\\', 'a b\\\\'],
    raw`C:\ "C:\a b\\" "a b\\\\"`,
  ),
  program('backslashes in front of a quote', ['\\"', '\\\\"', 'a\\"b'], raw`"\\\"" "\\\\\"" "a\\\"b"`),
  program(
    'what cmd.exe would read, it never sees',
    ['&', '|', '^', '%PATH%', '!x!', '<', '>', '(', ')'],
    '& | ^ %PATH% !x! < > ( )',
  ),
  program('file patterns are quoted, for MinGW programs', ['*', 'a?', '*.js'], '"*" "a?" "*.js"'),
  program('other scripts and signs outside the BMP', ['日本', 'ü ö', '😀'], '日本 "ü ö" 😀'),
  program('a single quote is a character', ["it's", "'a b'"], `it's "'a b'"`),
  {
    about: 'program: a NUL character',
    command: 'node',
    args: ['a', 'b\0c'],
    code: 'SPAWN_REFUSED',
    says: 'args[1] holds a NUL',
  },
  {
    about: 'program: a line that is too long for Windows',
    command: 'uvx',
    args: ['x'.repeat(32_766 - raw`C:\tools\uvx.exe `.length + 1)],
    code: 'SPAWN_FAILED',
    says: '32767 characters, Windows takes 32766',
  },
  {
    about: 'program: the longest line',
    command: 'uvx',
    args: ['x'.repeat(32_766 - raw`C:\tools\uvx.exe `.length)],
    line: raw`C:\tools\uvx.exe ${'x'.repeat(32_766 - raw`C:\tools\uvx.exe `.length)}`,
  },

  // What a batch file is given, through cmd.exe.
  batch(
    'plain words stay bare',
    ['-y', '@scope/server@1.0.0', 'a/b', 'x:1'],
    '-y @scope/server@1.0.0 a/b x:1',
  ),
  batch('an empty argument', ['', 'x'], '"" x'),
  batch('spaces and tabs', ['a b', '\t'], '"a b" "\t"'),
  batch(
    'what parts and redirects commands',
    ['a&b', 'a|b', '<in', '>out', '2>&1'],
    '"a&b" "a|b" "<in" ">out" "2>&1"',
  ),
  batch('what parts arguments of a batch file', ['a,b', 'a;b', 'a=b'], '"a,b" "a;b" "a=b"'),
  batch('carets are not doubled, quotes hold them', ['^', 'a^b', '^^'], '"^" "a^b" "^^"'),
  batch('exclamation marks, since delayed expansion is off', ['!x!', 'hi!'], '"!x!" "hi!"'),
  batch('round brackets', ['(a)', ')'], '"(a)" ")"'),
  batch('file patterns', ['*', 'a?'], '"*" "a?"'),
  batch('a quote becomes two', ['"', 'a"b', '"a b"'], '"""" "a""b" """a b"""'),
  batch('a quote and what would be outside quotes behind it', ['"&calc', 'a"|b"<c'], '"""&calc" "a""|b""<c"'),
  batch('JSON', ['{"a":"b & c"}'], '"{""a"":""b & c""}"'),
  batch('backslashes that mean nothing', [raw`C:\a\b`, raw`C:\a b`], raw`C:\a\b "C:\a b"`),
  batch('backslashes at the end', ['C:\\', 'C:\\a b\\'], raw`"C:\\" "C:\a b\\"`),
  batch('backslashes in front of a quote', ['\\"', '\\\\"x'], raw`"\\""" "\\\\""x"`),
  batch('other scripts and signs outside the BMP', ['日本', 'ü', '😀'], '"日本" "ü" "😀"'),
  batch('quotes of other scripts are characters', ['“a”', '＂&calc'], '"“a”" "＂&calc"'),
  batch('one percent sign', ['100%'], '"100%"'),
  batch('percent signs of a URL', ['postgres://u:p%40s@h/a%2Fb'], '"postgres://u:p%40s@h/a%2Fb"'),
  batch('percent signs around a name that no variable has', ['%NOBODY%', '%%'], '"%NOBODY%" "%%"'),
  refusedBatch('a variable of the child', ['%Secret_Key%'], '"Secret_Key"'),
  refusedBatch('a part of a variable', ['%PATH:~0,1%'], '"PATH"'),
  refusedBatch('a replacement in a variable', ['%PATH:a=b%'], '"PATH"'),
  refusedBatch('the variable that has a quote in it', ['%CMDCMDLINE:~-1%&calc'], '"CMDCMDLINE"'),
  refusedBatch('a variable that cmd.exe makes up', ['%cd%', '%random%'], '"cd"'),
  refusedBatch('a hidden variable', ['%=C:%'], '"="'),
  refusedBatch('a name behind a lone percent sign', ['100%%PATH%'], '"PATH"'),
  {
    about: 'batch file: a name that begins in one argument and ends in the next',
    command: 'npx',
    args: ['a%', '%b'],
    env: { '" "': 'odd, but allowed' },
    code: 'SPAWN_REFUSED',
    says: 'percent signs',
  },
  refusedBatch('a caret does not hide a name', ['%PATH^%', '%PATH%'], '"PATH"'),
  refusedBatch('LF', ['a\nb'], 'args[0] holds a line break'),
  refusedBatch('CR', ['x', 'a\rb'], 'args[1] holds a line break'),
  refusedBatch(
    'the end-of-file sign',
    ['a\u001ab'],
    'args[0] holds a line break or another control character',
  ),
  refusedBatch('NUL', ['\0'], 'args[0] holds a NUL'),
  {
    about: 'batch file: a line that is too long for cmd.exe, though not for Windows',
    command: 'npx',
    args: ['x'.repeat(8200)],
    code: 'SPAWN_FAILED',
    says: 'cmd.exe takes 8191',
  },
  {
    about:
      'batch file: a shim of node_modules is quoted once, not twice: nothing of it is ever outside quotes',
    command: raw`node_modules\.bin\mcp-server`,
    args: ['a&b', '^', '{"x":1}'],
    line: cmd(raw`"C:\work\node_modules\.bin\mcp-server.cmd" "a&b" "^" "{""x"":1}"`),
  },
  { about: 'batch file: .bat', command: 'run', args: ['x y'], line: cmd(raw`"C:\tools\run.bat" "x y"`) },
  {
    about: 'batch file: a path with all that cmd.exe reads',
    command: raw`C:\R&D (x86)\100% it's ^ok!\go.cmd`,
    args: ['x'],
    line: cmd(raw`"C:\R&D (x86)\100% it's ^ok!\go.cmd" x`),
  },
  {
    about: 'batch file: a folder with the name of a variable',
    command: raw`C:\%PATH%\go.cmd`,
    code: 'SPAWN_REFUSED',
    says: '"PATH"',
  },
  {
    about: 'batch file: Windows is somewhere else',
    command: 'npx',
    env: { SYSTEMROOT: raw`D:\WinNT` },
    line: raw`D:\WinNT\System32\cmd.exe /d /v:off /s /c ""C:\Program Files\nodejs\npx.cmd""`,
  },
  {
    about: 'batch file: another COMSPEC is not asked, its quoting is unknown',
    command: 'npx',
    env: { COMSPEC: raw`C:\tools\tcc.exe` },
    line: cmd(raw`"C:\Program Files\nodejs\npx.cmd"`),
  },
  {
    about: 'batch file: on a share',
    command: raw`\\nas\share\server.cmd`,
    args: ['x'],
    line: cmd(raw`"\\nas\share\server.cmd" x`),
  },
  {
    about: 'batch file: in a folder on a share, which cmd.exe would leave',
    command: 'npx',
    cwd: raw`\\nas\share`,
    code: 'SPAWN_REFUSED',
    says: 'map the share to a drive',
  },
  {
    about: 'batch file: other scripts in its path',
    command: raw`C:\Ökonomie\日本\サーバ.cmd`,
    line: cmd(raw`"C:\Ökonomie\日本\サーバ.cmd"`),
  },

  // Which file a command is.
  {
    about: 'search: a name with its ending',
    command: 'npx.cmd',
    line: cmd(raw`"C:\Program Files\nodejs\npx.cmd"`),
  },
  {
    about: 'search: endings know no case',
    command: 'NODE.EXE',
    line: raw`"C:\Program Files\nodejs\NODE.EXE"`,
  },
  { about: 'search: without PATHEXT .com .exe .bat .cmd', command: 'both', line: raw`C:\tools\both.exe` },
  { about: 'search: .com before .exe', command: 'old', line: raw`C:\tools\old.com` },
  {
    about: 'search: the order of PATHEXT',
    command: 'both',
    env: { PATHEXT: '.CMD;.BAT;.EXE' },
    line: cmd(raw`"C:\tools\both.cmd"`),
  },
  {
    about: 'search: endings of PATHEXT that only Explorer can start are passed over',
    command: 'both',
    env: { PATHEXT: '.PY;.JS; .bat ;.bat;.EXE' },
    line: cmd(raw`"C:\tools\both.bat"`),
  },
  {
    about: 'search: an empty PATHEXT is none',
    command: 'both',
    env: { PATHEXT: '' },
    line: raw`C:\tools\both.exe`,
  },
  { about: 'search: a dot in the name is no ending', command: 'tool.v2', line: raw`C:\tools\tool.v2.exe` },
  {
    about: 'search: an ending behind an ending',
    command: 'twice.exe',
    line: cmd(raw`"C:\tools\twice.exe.cmd"`),
  },
  {
    about: 'search: never in the working directory',
    command: 'local',
    code: 'SPAWN_NOT_FOUND',
    says: raw`PATH searched: C:\Program Files`,
  },
  {
    about: 'search: nor by a relative or empty folder in PATH',
    command: 'local',
    env: { PATH: raw`.;;bin;C:work;\work` },
    code: 'SPAWN_NOT_FOUND',
  },
  {
    about: 'search: a path is taken from the working directory',
    command: raw`.\local`,
    line: raw`C:\work\local.exe`,
  },
  {
    about: 'search: a path with forward slashes',
    command: './bin/relative',
    line: raw`C:\work\bin\relative.exe`,
  },
  {
    about: 'search: a path from the root of the drive',
    command: raw`\tools\uvx`,
    line: raw`C:\tools\uvx.exe`,
  },
  { about: 'search: a path upwards', command: raw`..\tools\uvx.exe`, line: raw`C:\tools\uvx.exe` },
  {
    about: 'search: a path is not looked for in PATH',
    command: raw`.\uvx`,
    code: 'SPAWN_NOT_FOUND',
    says: 'the file looked for',
  },
  {
    about: 'search: a folder with a space needs no quotes in PATH',
    command: 'node',
    env: { PATH: raw`"C:\Program Files\nodejs"` },
    line: NODE,
  },
  {
    about: 'search: quotes hold a semicolon in PATH',
    command: 'semi',
    env: { PATH: raw`C:\x;"C:\semi;colon"` },
    line: raw`C:\semi;colon\semi.exe`,
  },
  {
    about: 'search: the first folder wins',
    command: 'server',
    env: { PATH: raw`\\nas\share;C:\tools` },
    line: raw`\\nas\share\server.exe`,
  },
  {
    about: 'search: Path is PATH',
    command: 'uvx',
    env: { PATH: '', Path: raw`C:\tools` },
    code: 'SPAWN_NOT_FOUND',
  },
  {
    about: 'search: no PATH at all',
    command: 'uvx',
    env: { PATH: '' },
    code: 'SPAWN_NOT_FOUND',
    says: 'PATH searched',
  },
  {
    about: 'search: no such command',
    command: 'nothing',
    code: 'SPAWN_NOT_FOUND',
    says: '.com .exe .bat .cmd',
  },
  {
    about: 'search: a script that needs a program',
    command: 'script.js',
    code: 'SPAWN_FAILED',
    says: 'make the program that runs it the command',
  },
  {
    about: 'search: a PowerShell script',
    command: 'only.ps1',
    code: 'SPAWN_FAILED',
    says: 'starts only .com .exe .bat .cmd',
  },
  {
    about: 'search: a program in a path with spaces and signs',
    command: raw`C:\R&D (x86)\100% it's ^ok!\go`,
    args: ['%PATH%'],
    line: raw`"C:\R&D (x86)\100% it's ^ok!\go.exe" %PATH%`,
  },
  {
    about: 'search: a program on a share',
    command: raw`\\nas\share\server`,
    cwd: raw`\\nas\share`,
    line: raw`\\nas\share\server.exe`,
  },
  {
    about: 'search: a program of another script',
    command: raw`C:\Ökonomie\日本\サーバ`,
    line: raw`C:\Ökonomie\日本\サーバ.exe`,
  },
  {
    about: 'names: a dot at the end, which Windows drops',
    command: raw`C:\tools\run.bat.`,
    code: 'SPAWN_REFUSED',
    says: 'ignores a dot or space',
  },
  {
    about: 'names: a space at the end',
    command: 'run.bat ',
    code: 'SPAWN_REFUSED',
    says: 'ignores a dot or space',
  },
  {
    about: 'names: a stream of a file',
    command: raw`C:\tools\uvx.exe:run.bat`,
    code: 'SPAWN_REFUSED',
    says: 'stream',
  },
  { about: 'names: a drive without a folder', command: 'C:uvx.exe', code: 'SPAWN_REFUSED', says: 'drive' },
  { about: 'names: a quote', command: 'a" & x & "', code: 'SPAWN_REFUSED', says: 'no file name' },
  { about: 'names: a line break', command: 'a\nb', code: 'SPAWN_REFUSED', says: 'no file name' },
  { about: 'names: a wildcard', command: 'ux?.exe', code: 'SPAWN_REFUSED', says: 'no file name' },
  { about: 'cwd: must be absolute', command: 'node', cwd: 'work', code: 'OPTION_INVALID', says: 'absolute' },
  {
    about: 'cwd: a root without a drive is not',
    command: 'node',
    cwd: raw`\work`,
    code: 'OPTION_INVALID',
    says: 'absolute',
  },
];

/** Everything that a vector leaves out. */
export const WINDOWS_DEFAULTS: { readonly cwd: string; readonly env: Readonly<Record<string, string>> } = {
  cwd: raw`C:\work`,
  env: { PATH, SystemRoot: raw`C:\Windows`, SECRET_KEY: 'never shown' },
};
