import { constants, fstatSync, readdirSync } from 'node:fs';
import { type Descriptor, describeDescriptor, isSameStream, openFlags } from '../descriptor.ts';
import { TransportError } from '../errors.ts';
import { runtimeName } from '../reading/capabilities.ts';
import { WireOutput } from './wire-output.ts';

/** The variable by which a launcher tells which descriptors are the wire. */
const VARIABLE = 'LINEWIRE_FDS';
/** Descriptors 0 to 2 belong to everybody; the wire gets others. */
const FIRST_FD = 3;
/** Node keeps those that it got itself from its children up to here; above, it stops at the first gap. */
const LAST_FD = 15;
/** Read, write or both, among the flags of an open descriptor. */
const ACCESS_MODE = 0b11;

/**
 * A shell line that starts a server with its wire on descriptors 3 and 4: descriptor 0 is `/dev/null` and descriptor 1 leads to stderr, so
 * native code and children that write to stdout or read stdin cannot touch the wire, whatever it is. Costs nothing: `sh` becomes the server.
 *
 * Node alone can be started so. A process cannot do this to itself, since sockets (what a Node parent gives its child) cannot be opened a second time.
 *
 * @param commandLine the server with its arguments, quoted for the shell: `node server.js`
 *
 * @example
 * ```ts
 * launcherForm('node server.js');
 * // sh -c 'LINEWIRE_FDS=3,4 exec "$@" 3<&0 0</dev/null 4>&1 1>&2' sh node server.js
 * ```
 */
export function launcherForm(commandLine: string): string {
  return `sh -c '${VARIABLE}=3,4 exec "$@" 3<&0 0</dev/null 4>&1 1>&2' sh ${commandLine}`;
}

/** The wire as a launcher gave it. */
export interface LaunchedWire {
  readonly input: Descriptor;
  readonly output: Descriptor;
  readonly wireOutput: WireOutput;
  /** The input was opened; its descriptor is closed with its source, and the number may mean something else by then. */
  inputIsSpent: boolean;
}

let launched: LaunchedWire | undefined;

/**
 * The descriptors of `LINEWIRE_FDS=IN,OUT`, if it is set. It is taken out of the environment, so that no child looks for a wire of its own
 * at numbers that mean nothing there, and remembered.
 *
 * @throws TransportError `LAUNCHER_INVALID` when it does not name one open descriptor to read from and another one to write to.
 */
export function launchedWire(): LaunchedWire | undefined {
  const text = process.env[VARIABLE];
  if (text === undefined) return launched;
  const [input, output] = parse(text);
  Reflect.deleteProperty(process.env, VARIABLE);
  launched = { input, output, wireOutput: new WireOutput(output.fd, false), inputIsSpent: false };
  return launched;
}

function parse(text: string): [Descriptor, Descriptor] {
  // Deno numbers descriptors by itself, and Bun makes no socket of one that it did not open.
  if (runtimeName() !== 'node') throw refusal(text, `only Node can do that, this is ${runtimeName()}`);
  const match = /^(\d{1,9}),(\d{1,9})$/.exec(text);
  if (match === null) throw refusal(text, 'it must be two numbers, such as 3,4');
  const [readFd, writeFd] = [Number(match[1]), Number(match[2])];
  if (Math.min(readFd, writeFd) < FIRST_FD || Math.max(readFd, writeFd) > LAST_FD)
    throw refusal(text, `both numbers must be ${FIRST_FD} to ${LAST_FD}`);
  if (readFd === writeFd) throw refusal(text, 'the two numbers must differ, also for a socket');
  const input = opened(text, readFd);
  const output = opened(text, writeFd);
  if (((openFlags(readFd) ?? 0) & ACCESS_MODE) === constants.O_WRONLY)
    throw refusal(text, `descriptor ${readFd} can only be written; the first one is read`);
  if (((openFlags(writeFd) ?? constants.O_RDWR) & ACCESS_MODE) === constants.O_RDONLY)
    throw refusal(text, `descriptor ${writeFd} can only be read; the second one is written`);
  return [input, output];
}

function opened(text: string, fd: number): Descriptor {
  const descriptor = describeDescriptor(fd);
  if (descriptor.kind === 'closed' || isInternal(descriptor)) {
    throw refusal(
      text,
      `descriptor ${fd} was not given to this process; start it so: ${launcherForm('COMMAND')}`,
    );
  }
  return descriptor;
}

/**
 * What the runtime opened for itself stands where the launcher's would if there were none: epoll and its kin, which have no file type, and
 * pipes that have both ends in this process.
 */
function isInternal(descriptor: Descriptor): boolean {
  if ((fstatSync(descriptor.fd).mode & constants.S_IFMT) === 0) return true;
  if (descriptor.kind !== 'pipe') return false;
  const direction = (openFlags(descriptor.fd) ?? 0) & ACCESS_MODE;
  return openDescriptors().some(
    (fd) =>
      isSameStream(descriptor, describeDescriptor(fd)) && ((openFlags(fd) ?? 0) & ACCESS_MODE) !== direction,
  );
}

function openDescriptors(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch {
    return [];
  }
}

function refusal(text: string, reason: string): TransportError {
  return new TransportError(
    'LAUNCHER_INVALID',
    `${VARIABLE}=${JSON.stringify(text.slice(0, 32))}: ${reason}`,
  );
}
