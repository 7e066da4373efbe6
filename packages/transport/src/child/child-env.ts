import { TransportError } from '../errors.ts';
import { isWindows } from './host-platform.ts';

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

type Variables = Readonly<Record<string, string | undefined>>;

/** Where a variable of a child comes from: this process, the `env` option, or our defaults for Python. */
export type VariableOrigin = 'inherited' | 'given' | 'default';

/** The environment of a child with the origin of each name. Neither has a prototype, so that a variable named `__proto__` is only a variable. */
export interface ChildEnvironment {
  readonly variables: Record<string, string>;
  readonly origins: Record<string, VariableOrigin>;
}

/**
 * The environment of a child: the inherited names, then the explicit ones over them (`undefined` removes a name), then Python's defaults
 * where unset. Inherited values that begin with `()` are exported shell functions and are left out.
 *
 * @throws TransportError `OPTION_INVALID` for a name or value that no environment can hold. Values are not shown.
 */
export function childEnvironment(
  inherit: InheritEnv,
  explicit: Variables,
  from: Variables = process.env,
): ChildEnvironment {
  const environment = new EnvironmentBuilder();
  for (const [name, value] of Object.entries(PYTHON_DEFAULTS)) environment.set(name, value, 'default');
  const names = typeof inherit === 'string' ? inheritedNames(inherit, from) : inherit;
  for (const name of names) {
    const value = from[name];
    if (value?.startsWith('()') === false) environment.set(name, value, 'inherited');
  }
  for (const [name, value] of Object.entries(explicit)) {
    checkVariable(name, value);
    environment.set(name, value, 'given');
  }
  return environment;
}

class EnvironmentBuilder implements ChildEnvironment {
  readonly variables: Record<string, string> = Object.create(null) as Record<string, string>;
  readonly origins: Record<string, VariableOrigin> = Object.create(null) as Record<string, VariableOrigin>;

  set(name: string, value: string | undefined, origin: VariableOrigin): void {
    // Windows knows PATH and Path as one name; of two it would take the one that sorts first.
    if (isWindows()) this.#removeOtherSpellings(name);
    if (value === undefined) {
      this.#remove(name);
      return;
    }
    this.variables[name] = value;
    this.origins[name] = origin;
  }

  #remove(name: string): void {
    delete this.variables[name];
    delete this.origins[name];
  }

  #removeOtherSpellings(name: string): void {
    const upper = name.toUpperCase();
    for (const other of Object.keys(this.variables)) {
      if (other !== name && other.toUpperCase() === upper) this.#remove(other);
    }
  }
}

function checkVariable(name: string, value: unknown): void {
  const shown = JSON.stringify(name);
  if (name === '' || name.includes('=') || name.includes('\0')) {
    throw new TransportError('OPTION_INVALID', `env: ${shown} is no name of a variable`);
  }
  if (value === undefined) return;
  if (typeof value !== 'string') {
    throw new TransportError(
      'OPTION_INVALID',
      `env: the value of ${shown} is a ${typeof value}, not a string`,
    );
  }
  if (value.includes('\0')) {
    throw new TransportError('OPTION_INVALID', `env: the value of ${shown} holds a NUL byte`);
  }
}

function inheritedNames(mode: 'minimal' | 'launch', from: Variables): string[] {
  const minimal = isWindows() ? WINDOWS_MINIMAL : POSIX_MINIMAL;
  if (mode === 'minimal') return minimal;
  const prefixed = Object.keys(from).filter((name) =>
    LAUNCH_PREFIXES.some((prefix) => name.startsWith(prefix)),
  );
  return [...minimal, ...LAUNCH_NAMES, ...prefixed];
}
