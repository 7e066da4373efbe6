import { type ChildCloseJob, type ChildCloseOutcome, runChildCloseJob } from './child-close-child.ts';
import { type ChildReadJob, type ChildReadOutcome, runChildReadJob } from './child-read-child.ts';
import { type CodecJob, runCodecJob } from './codec-child.ts';
import { type CorpusJob, type CorpusOutcome, runCorpusJob } from './corpus-child.ts';
import { type FirstUseJob, type FirstUseOutcome, runFirstUseJob } from './first-use-child.ts';
import { type GarbageJob, type GarbageOutcome, runGarbageJob } from './garbage-child.ts';
import { type LinearJob, type LinearOutcome, runLinearJob } from './linear-child.ts';
import { type MemoryJob, type MemoryOutcome, runMemoryJob } from './memory-child.ts';
import { type ModuleJob, type ModuleOutcome, runModuleJob } from './module-child.ts';
import { runValidationJob, type ValidationJob, type ValidationOutcome } from './validation-child.ts';

export type Job =
  | ChildCloseJob
  | ChildReadJob
  | CodecJob
  | CorpusJob
  | FirstUseJob
  | GarbageJob
  | LinearJob
  | MemoryJob
  | ModuleJob
  | ValidationJob;

/** What comes back for a job of each kind. */
interface Outcomes {
  'child-close': ChildCloseOutcome;
  'child-read': ChildReadOutcome;
  codec: CorpusOutcome;
  corpus: CorpusOutcome;
  'first-use': FirstUseOutcome;
  garbage: GarbageOutcome;
  linear: LinearOutcome;
  memory: MemoryOutcome;
  module: ModuleOutcome;
  validation: ValidationOutcome;
}

export type Outcome<J extends Job> = Outcomes[J['kind']];

const runners: {
  readonly [Kind in Job['kind']]: (
    job: Extract<Job, { kind: Kind }>,
  ) => Outcomes[Kind] | Promise<Outcomes[Kind]>;
} = {
  'child-close': runChildCloseJob,
  'child-read': runChildReadJob,
  codec: runCodecJob,
  corpus: runCorpusJob,
  'first-use': runFirstUseJob,
  garbage: runGarbageJob,
  linear: runLinearJob,
  memory: runMemoryJob,
  module: runModuleJob,
  validation: runValidationJob,
};

/** Runs a job in this process. */
export async function runJob<J extends Job>(job: J): Promise<Outcome<J>> {
  // The kind ties job and outcome together, which the compiler does not follow through a lookup.
  const run = runners[job.kind] as unknown as (job: J) => Outcome<J> | Promise<Outcome<J>>;
  return run(job);
}
