import { readFileSync } from 'node:fs';
import type { Check } from '../check.ts';
import { play } from '../player.ts';
import type { RequirementId } from '../requirements.ts';
import { parseTranscripts, type Transcript } from '../transcript.ts';

/** The transcripts, in the order of their files. */
export const transcripts: readonly Transcript[] = ['base', 'legacy', 'modern', 'eras'].flatMap((name) => {
  const file = new URL(`../transcripts/${name}.txt`, import.meta.url);
  return parseTranscripts(readFileSync(file, 'utf8')).map((transcript) => ({
    ...transcript,
    title: `${name}: ${transcript.title}`,
  }));
});

export const checks: readonly Check[] = transcripts.map((transcript) => ({
  title: transcript.title,
  rules: transcript.rules as RequirementId[],
  async run(patienceMs) {
    await play(transcript, 'lines that follow each other at once', patienceMs);
    await play(transcript, 'byte by byte', patienceMs);
  },
}));
