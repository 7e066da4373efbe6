import { closeSync, mkdirSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type CallStream,
  callStreamAnswers,
  callStreamChunks,
  type ExpectedAnswers,
} from './expected-answers.ts';
import { smokeAnswers, smokeLines } from './smoke-test.ts';

/** `messages/` at the repository root; git ignores it. The same from src/ and from dist/. */
export const messagesFolder: string = fileURLToPath(new URL('../../../messages/', import.meta.url));

/**
 * Writes the small message files, each beside its answers, and gives back the six paths:
 * `1000-messages.jsonl` (handshake and 1,000 mixed calls: 1,001 answers), `1000-modern.jsonl` (the same calls, each
 * enveloped, no handshake: 1,000 answers) and `test.jsonl` (a smoke test to pipe in by hand).
 * The bytes never differ from one run to the next.
 */
export function writeMessageFiles(folder: string = messagesFolder): string[] {
  mkdirSync(folder, { recursive: true });
  const legacy: CallStream = { era: 'legacy', mix: 'mixed', callCount: 1000 };
  const modern: CallStream = { era: 'modern', mix: 'mixed', callCount: 1000 };
  return [
    ...writePair(folder, '1000-messages', callStreamChunks(legacy), callStreamAnswers(legacy)),
    ...writePair(folder, '1000-modern', callStreamChunks(modern), callStreamAnswers(modern)),
    ...writePair(folder, 'test', [Buffer.from(smokeLines().join(''))], smokeAnswers()),
  ];
}

/**
 * Writes a call stream of any length, anew on every call (a million lines take a few seconds). The answers are not
 * written: {@link callStreamAnswers} computes them.
 */
export function writeCallFile(
  stream: CallStream,
  folder: string = messagesFolder,
): { path: string; byteCount: number } {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `calls-${stream.era}-${stream.mix}-${stream.callCount}.jsonl`);
  return { path, byteCount: writePieces(path, callStreamChunks(stream)) };
}

function writePair(
  folder: string,
  name: string,
  chunks: Iterable<Uint8Array>,
  answers: ExpectedAnswers,
): string[] {
  const messagesPath = join(folder, `${name}.jsonl`);
  const answersPath = join(folder, `${name}.answers.jsonl`);
  writePieces(messagesPath, chunks);
  const lines = Array.from({ length: answers.count }, (_, index) => JSON.stringify(answers.answerAt(index)));
  writeFileSync(answersPath, `${lines.join('\n')}\n`);
  return [messagesPath, answersPath];
}

/** Under its final name the file is always whole: someone else may be reading it. */
function writePieces(path: string, chunks: Iterable<Uint8Array>): number {
  const unfinished = `${path}.${process.pid}`;
  const descriptor = openSync(unfinished, 'w');
  let byteCount = 0;
  try {
    for (const chunk of chunks) {
      for (let at = 0; at < chunk.length; ) at += writeSync(descriptor, chunk, at);
      byteCount += chunk.length;
    }
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinished, path);
  return byteCount;
}
