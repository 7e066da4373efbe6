/** What a child sees of this process's environment: six names, those and what programs need to find their place, or exactly these names. */
export type InheritEnv = 'minimal' | 'launch' | readonly string[];

const POSIX_MINIMAL = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];
const WINDOWS_MINIMAL = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROGRAMW6432',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
];

/** Language, temporary folder, time zone, proxies and certificate stores: what a command started by hand would have had. */
const LAUNCH_NAMES = [
  'LANG',
  'LANGUAGE',
  'TMPDIR',
  'TZ',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
];
const LAUNCH_PREFIXES = ['LC_', 'XDG_'];

/** A Python child would else encode by locale and keep its answers in a buffer. */
const PYTHON_DEFAULTS: Readonly<Record<string, string>> = { PYTHONUTF8: '1', PYTHONUNBUFFERED: '1' };

/**
 * The environment of a child: the inherited names, then the explicit ones over them (`undefined` removes a name), then Python's defaults
 * where unset. Inherited values that begin with `()` are exported shell functions and are left out.
 */
export function childEnvironment(
  inherit: InheritEnv,
  explicit: Readonly<Record<string, string | undefined>>,
  from: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const names = typeof inherit === 'string' ? inheritedNames(inherit, from) : inherit;
  const inherited = names
    .map((name) => [name, from[name]] as const)
    .filter(([, value]) => value?.startsWith('()') === false);
  const entries = [...inherited, ...Object.entries(explicit)];
  // A null prototype, so that a variable named `__proto__` is only a variable.
  const environment = Object.assign(Object.create(null), PYTHON_DEFAULTS) as Record<string, string>;
  for (const [name, value] of entries) {
    if (value === undefined) delete environment[name];
    else environment[name] = value;
  }
  return environment;
}

function inheritedNames(
  mode: 'minimal' | 'launch',
  from: Readonly<Record<string, string | undefined>>,
): string[] {
  const minimal = process.platform === 'win32' ? WINDOWS_MINIMAL : POSIX_MINIMAL;
  if (mode === 'minimal') return minimal;
  const prefixed = Object.keys(from).filter((name) =>
    LAUNCH_PREFIXES.some((prefix) => name.startsWith(prefix)),
  );
  return [...minimal, ...LAUNCH_NAMES, ...prefixed];
}
