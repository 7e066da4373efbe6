import { fixturePath } from '@linewire/testkit';
import { afterEach } from 'vitest';
import { type ChildDuplex, type ChildOptions, spawnChild } from '../../src/index.ts';
import { killGroup } from './process-state.ts';

/** Both ways to read a child's stdout; `LINEWIRE_READING` chooses. */
export const READINGS = ['onread', 'data'] as const;

/** What a child told, as plain values. */
export interface Heard {
  readonly ids: string[];
  readonly kinds: string[];
  readonly codes: (string | undefined)[];
  readonly calls: string[];
  stderr: string;
}

const children: ChildDuplex[] = [];

/** Nothing that a test started outlives it. */
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.pid !== undefined) killGroup(child.pid);
    await child.close();
  }
});

export function spawn(options: ChildOptions): ChildDuplex {
  const child = spawnChild(options);
  children.push(child);
  return child;
}

export function spawnNode(code: string, options: Partial<ChildOptions> = {}): ChildDuplex {
  return spawn({ command: process.execPath, args: ['-e', code], ...options });
}

/** A shell line, so that groups, descriptors and traps are real. */
export function spawnShell(line: string, options: Partial<ChildOptions> = {}): ChildDuplex {
  return spawn({ command: 'sh', args: ['-c', line], ...options });
}

export function spawnFixture(
  name: string,
  args: string[] = [],
  options: Partial<ChildOptions> = {},
): ChildDuplex {
  return spawn({ command: process.execPath, args: [fixturePath(name), ...args], ...options });
}

export function listen(child: ChildDuplex): Heard {
  const heard: Heard = { ids: [], kinds: [], codes: [], calls: [], stderr: '' };
  child.start({
    onFrames(batch) {
      for (let index = 0; index < batch.count; index++) {
        heard.kinds.push(batch.kind(index));
        heard.codes.push(batch.code(index));
        if (batch.kind(index) === 'result') heard.ids.push(batch.idText(index) ?? '');
      }
    },
    onEnd: () => heard.calls.push('end'),
    onDrain: () => heard.calls.push('drain'),
    onClose: () => heard.calls.push('close'),
    onStderr(bytes) {
      heard.stderr += Buffer.from(bytes).toString();
    },
  });
  return heard;
}

export const ping = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
/** What a shell line prints as an answer. */
export const answer = (id: number | string): string => `{"jsonrpc":"2.0","id":${id},"result":{}}`;
