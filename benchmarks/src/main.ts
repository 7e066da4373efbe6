// bench [--quick] [--force] [--only PART]   measure, write one result file, print the tables
// report [--check]                          render the newest full result into README.md
// soak [--kills N] [--lanes N] [--seed N]   kill N children, write a soak file, fail if anything is wrong or left
// job JSON                                  one measurement in this process (the harness calls it)
import { type Job, runJob } from './child/jobs.ts';
import { parseBenchOptions, parseSoakOptions } from './options.ts';
import { BusyMachineError } from './quiet.ts';
import { updateReadme } from './readme-block.ts';
import { renderText } from './render.ts';
import { writeResult } from './results.ts';
import { runBenchmarks } from './run.ts';
import { isClean, runSoak, writeSoakResult } from './soak/soak.ts';

const [command, ...args] = process.argv.slice(2);
switch (command) {
  case 'bench':
    process.exitCode = await bench(args);
    break;
  case 'report':
    process.exitCode = updateReadme(args.includes('--check'));
    break;
  case 'soak':
    process.exitCode = await soak(args);
    break;
  case 'job':
    process.exitCode = await job(args[0] ?? '');
    break;
  default:
    process.stderr.write(
      'usage: main.js bench [--quick] [--force] [--only PART] | report [--check] | soak [--kills N] [--lanes N] [--seed N] | job JSON\n',
    );
    process.exitCode = 2;
}

/** An error goes out as its stack alone: uncaught, it would come with a whole bundle as its source line. */
async function job(text: string): Promise<number> {
  try {
    process.stdout.write(`${JSON.stringify(await runJob(JSON.parse(text) as Job))}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return 1;
  }
}

async function bench(benchArgs: string[]): Promise<number> {
  try {
    const from = performance.now();
    const result = await runBenchmarks(parseBenchOptions(benchArgs));
    const minutes = ((performance.now() - from) / 60_000).toFixed(1);
    const path = writeResult(result);
    process.stdout.write(`\n${renderText(result)}\nwritten to ${path} after ${minutes} minutes\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof BusyMachineError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

async function soak(soakArgs: string[]): Promise<number> {
  const result = await runSoak(parseSoakOptions(soakArgs));
  const path = writeSoakResult(result);
  process.stdout.write(`${JSON.stringify(result, undefined, 1)}\nwritten to ${path}\n`);
  return isClean(result) ? 0 : 1;
}
