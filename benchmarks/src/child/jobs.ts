import { type CorpusJob, type CorpusOutcome, runCorpusJob } from './corpus-child.ts';
import { type FirstUseJob, type FirstUseOutcome, runFirstUseJob } from './first-use-child.ts';
import { type GarbageJob, type GarbageOutcome, runGarbageJob } from './garbage-child.ts';
import { type LinearJob, type LinearOutcome, runLinearJob } from './linear-child.ts';
import { type MemoryJob, type MemoryOutcome, runMemoryJob } from './memory-child.ts';
import { type ModuleJob, type ModuleOutcome, runModuleJob } from './module-child.ts';

export type Job = CorpusJob | FirstUseJob | GarbageJob | LinearJob | MemoryJob | ModuleJob;

/** What comes back for a job of each kind. */
interface Outcomes {
  corpus: CorpusOutcome;
  'first-use': FirstUseOutcome;
  garbage: GarbageOutcome;
  linear: LinearOutcome;
  memory: MemoryOutcome;
  module: ModuleOutcome;
}

export type Outcome<J extends Job> = Outcomes[J['kind']];

/** Runs a job in this process. */
export async function runJob(job: Job): Promise<Outcomes[Job['kind']]> {
  switch (job.kind) {
    case 'corpus':
      return runCorpusJob(job);
    case 'first-use':
      return runFirstUseJob(job);
    case 'garbage':
      return runGarbageJob(job);
    case 'linear':
      return runLinearJob(job);
    case 'memory':
      return runMemoryJob(job);
    case 'module':
      return runModuleJob();
  }
}
