// A vitest reporter that ends a run with plain counts, one line per project and one for all. When
// LINEWIRE_COUNTS names a file, the totals go there too: `passed failed skipped`.
import { writeFileSync } from 'node:fs';

// biome-ignore lint/style/noDefaultExport: vitest loads a reporter file by its default export
export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const projects = new Map();
    for (const module of modules) {
      const counts = projects.get(module.project.name) ?? emptyCounts();
      projects.set(module.project.name, counts);
      for (const test of module.children.allTests()) counts[test.result().state] += 1;
      // A file that could not be loaded, or a hook that threw, is a failure that no test carries.
      if (module.state() === 'failed' && count(module, 'failed') === 0) counts.failed += 1;
    }
    const total = emptyCounts();
    for (const [name, counts] of projects) {
      process.stdout.write(`${name.padEnd(8)} ${describe(counts)}\n`);
      for (const state of Object.keys(total)) total[state] += counts[state];
    }
    total.failed += unhandledErrors.length;
    process.stdout.write(`${describe(total)}\n`);

    const file = process.env.LINEWIRE_COUNTS;
    if (file) writeFileSync(file, `${total.passed} ${total.failed} ${total.skipped}\n`);
  }
}

function emptyCounts() {
  // `pending` is a test that never ran: the run was cut short.
  return { passed: 0, failed: 0, skipped: 0, pending: 0 };
}

function count(module, state) {
  return [...module.children.allTests(state)].length;
}

function describe({ passed, failed, skipped, pending }) {
  const rest = [skipped && `${skipped} skipped`, pending && `${pending} not run`].filter(Boolean);
  return [`${passed} passed`, `${failed} failed`, ...rest].join(', ');
}
