// A vitest reporter that ends a run with the titles that say SKIPPED and why, and with plain counts, one line per
// project and one for all. When LINEWIRE_COUNTS names a file, the totals go there too: `passed failed skipped`.
import { writeFileSync } from 'node:fs';

// biome-ignore lint/style/noDefaultExport: vitest loads a reporter file by its default export
export default class CountReporter {
  #projects = new Map();
  #skipped = new Set();

  // Kept up to date file by file: a run that hangs and is killed still has its counts.
  onTestModuleEnd(module) {
    const counts = this.#projects.get(module.project.name) ?? emptyCounts();
    this.#projects.set(module.project.name, counts);
    let failed = 0;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      counts[state] += 1;
      if (state === 'failed') failed += 1;
      // Not those that a filter on the command line leaves out.
      if (state === 'skipped' && test.fullName.includes('SKIPPED')) this.#skipped.add(test.fullName);
    }
    // A file that could not be loaded, or a hook that threw, is a failure that no test carries.
    if (module.state() === 'failed' && failed === 0) counts.failed += 1;
    writeCounts(sum(this.#projects.values()));
  }

  onTestRunEnd(_modules, unhandledErrors) {
    for (const title of this.#skipped) process.stdout.write(`${title}\n`);
    for (const [name, counts] of this.#projects) {
      process.stdout.write(`${name.padEnd(8)} ${describe(counts)}\n`);
    }
    const total = sum(this.#projects.values());
    total.failed += unhandledErrors.length;
    process.stdout.write(`${describe(total)}\n`);
    writeCounts(total);
  }
}

function emptyCounts() {
  // `pending` is a test that never ran: the run was cut short.
  return { passed: 0, failed: 0, skipped: 0, pending: 0 };
}

function sum(all) {
  const total = emptyCounts();
  for (const counts of all) for (const state of Object.keys(total)) total[state] += counts[state];
  return total;
}

function writeCounts({ passed, failed, skipped }) {
  const file = process.env.LINEWIRE_COUNTS;
  if (file) writeFileSync(file, `${passed} ${failed} ${skipped}\n`);
}

function describe({ passed, failed, skipped, pending }) {
  const rest = [skipped && `${skipped} skipped`, pending && `${pending} not run`].filter(Boolean);
  return [`${passed} passed`, `${failed} failed`, ...rest].join(', ');
}
