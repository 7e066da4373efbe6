import { spawnChild } from '@linewire/transport';
import { endlessFrame, type SoakKind } from './soak-kinds.ts';

/** One child, from its spawn to its end. */
export interface SoakRound {
  readonly pid: number;
  readonly frames: number;
  /** A frame that the kill has cut; at most one, and nothing else, may be bad. */
  readonly truncated: number;
  /** What must not be. */
  readonly wrong: readonly string[];
  readonly bytesIn: number;
}

/** Longest time for one child, ms. */
const roundLimitMs = 60_000;

/**
 * Starts a child, lets it work, ends it after `killAfterBytes` of its output at the earliest, and looks at all that came.
 *
 * @throws Error when the end of the child does not come
 */
export async function runSoakRound(kind: SoakKind, killAfterBytes: number): Promise<SoakRound> {
  const child = spawnChild(kind.options);
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${kind.name} could not be started`);
  const wrong: string[] = [];
  let frames = 0;
  let truncated = 0;
  let ended = false;
  const end = (): void => {
    if (ended) return;
    ended = true;
    if (kind.end === 'close') void child.close();
    else process.kill(pid, 'SIGKILL');
  };
  child.start({
    onFrames(batch) {
      for (let index = 0; index < batch.count; index++) {
        if (batch.code(index) === 'FRAME_TRUNCATED') truncated++;
        else if (batch.kind(index) !== 'result') wrong.push(`a frame of kind ${batch.kind(index)}`);
        else if (!isExpected(kind, batch.text(index), frames++)) wrong.push(`an unexpected frame ${frames}`);
      }
      if (child.stats.bytesIn >= killAfterBytes) end();
    },
  });
  for (let id = 0; id < kind.echoes; id++) child.send(echoFrame(id));
  const echoed = kind.echoes * (echoFrame(0).length + 1);
  if (kind.echoes > 0 && killAfterBytes >= echoed) setImmediate(end);
  const reason = await withinLimit(child.closed, kind);
  const signal = reason.signal;
  if (signal !== 'SIGKILL') wrong.push(`ended by ${reason.kind}, code ${reason.exitCode}, signal ${signal}`);
  if (truncated > 1) wrong.push(`${truncated} cut frames`);
  return { pid, frames, truncated, wrong, bytesIn: child.stats.bytesIn };
}

function echoFrame(id: number): string {
  return `{"jsonrpc":"2.0","id":${String(id).padStart(6, '1')},"result":{"text":"${'é'.repeat(100)}"}}`;
}

/** Every frame is known: none was lost, doubled, changed or torn. */
function isExpected(kind: SoakKind, text: string, position: number): boolean {
  return text === (kind.echoes > 0 ? echoFrame(position) : endlessFrame);
}

async function withinLimit<T>(ending: Promise<T>, { name }: SoakKind): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`a child (${name}) has not ended`)), roundLimitMs);
  });
  try {
    return await Promise.race([ending, late]);
  } finally {
    clearTimeout(timer);
  }
}
