import { fstatSync, readFileSync, type Stats } from 'node:fs';
import { errnoOf } from './errors.ts';

/** What a descriptor is, as far as reading and writing differ. `device` = character device that is no terminal, such as `/dev/null`. */
export type DescriptorKind = 'pipe' | 'socket' | 'file' | 'device' | 'tty' | 'closed';

/** A descriptor, looked at once. */
export interface Descriptor {
  readonly fd: number;
  readonly kind: DescriptorKind;
  /** Device and inode tell whether two descriptors are the same pipe, socket or file. */
  readonly device: number;
  readonly inode: number;
}

/** Looks at a descriptor. Node opens descriptors 0 to 2 as `/dev/null` when they are closed at start, so `closed` is rare. */
export function describeDescriptor(fd: number): Descriptor {
  let stats: Stats;
  try {
    stats = fstatSync(fd);
  } catch (error) {
    if (errnoOf(error) === 'EBADF') return { fd, kind: 'closed', device: 0, inode: 0 };
    throw error;
  }
  return { fd, kind: kindOf(fd, stats), device: stats.dev, inode: stats.ino };
}

function kindOf(fd: number, stats: Stats): DescriptorKind {
  if (stats.isFIFO()) return 'pipe';
  if (stats.isSocket()) return 'socket';
  if (!stats.isCharacterDevice()) return 'file';
  // Loaded only for character devices: a server behind pipes never needs it.
  return process.getBuiltinModule('node:tty').isatty(fd) ? 'tty' : 'device';
}

/** True when bytes written to both end up in the same stream: `2>&1`, `> file 2>&1`. Devices and terminals do not count. */
export function isSameStream(a: Descriptor, b: Descriptor): boolean {
  const carries = a.kind === 'pipe' || a.kind === 'socket' || a.kind === 'file';
  return carries && a.kind === b.kind && a.device === b.device && a.inode === b.inode;
}

/** The flags a descriptor was opened with (`O_WRONLY`, `O_APPEND` …); undefined where the system does not tell. */
export function openFlags(fd: number): number | undefined {
  try {
    const octal = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
    return octal === undefined ? undefined : Number.parseInt(octal, 8);
  } catch {
    return undefined;
  }
}
