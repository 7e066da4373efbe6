import { type CorpusJob, type CorpusOutcome, runCorpusJob } from './corpus-child.ts';
import { type LinearJob, type LinearOutcome, runLinearJob } from './linear-child.ts';
import { type MemoryJob, type MemoryOutcome, runMemoryJob } from './memory-child.ts';

export type Job = CorpusJob | LinearJob | MemoryJob;

/** What comes back for a job of each kind. */
export type Outcome<J extends Job> = J extends CorpusJob
  ? CorpusOutcome
  : J extends LinearJob
    ? LinearOutcome
    : MemoryOutcome;

/** Runs a job in this process. */
export function runJob(job: Job): CorpusOutcome | LinearOutcome | MemoryOutcome {
  switch (job.kind) {
    case 'corpus':
      return runCorpusJob(job);
    case 'linear':
      return runLinearJob(job);
    case 'memory':
      return runMemoryJob(job);
  }
}
