// Whether the next release can be planned: every pending changeset names published packages and says
// something, and the fixed group holds exactly the published packages, all at one version.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root, run } from '../processes.mjs';

export async function changesetsGate(packages) {
  const problems = [...groupProblems(packages), ...siblingProblems(packages)];
  const folder = mkdtempSync(join(tmpdir(), 'linewire-changesets-'));
  try {
    const plan = join(folder, 'plan.json');
    // Takes the path of its output relative to the root, whatever it looks like.
    const status = ['status', '--output', relative(root, plan)];
    const { code, output } = await run('changeset', status, { capture: true });
    if (code !== 0) problems.push(output);
    else problems.push(...planProblems(JSON.parse(readFileSync(plan, 'utf8')), packages));
  } finally {
    rmSync(folder, { recursive: true });
  }
  return { ok: problems.length === 0, output: problems.join('\n') };
}

function groupProblems(packages) {
  const { fixed } = JSON.parse(readFileSync(join(root, '.changeset', 'config.json'), 'utf8'));
  const group = [...fixed.flat()].sort().join(' ');
  const published = packages
    .map(({ manifest }) => manifest.name)
    .sort()
    .join(' ');
  return group === published ? [] : [`fixed group: ${group}\npublished:   ${published}`];
}

/** Siblings are pinned exactly: two releases of one group are never mixed in one install. */
function siblingProblems(packages) {
  const versions = new Map(packages.map(({ manifest }) => [manifest.name, manifest.version]));
  const problems = new Set(versions.values()).size === 1 ? [] : ['published packages differ in version'];
  for (const { manifest } of packages) {
    for (const [name, range] of Object.entries({ ...manifest.devDependencies, ...manifest.dependencies })) {
      const version = versions.get(name);
      if (version !== undefined && range !== version) {
        problems.push(`${manifest.name} depends on ${name} ${range} instead of exactly ${version}`);
      }
    }
  }
  return problems;
}

function planProblems({ changesets }, packages) {
  const published = new Set(packages.map(({ manifest }) => manifest.name));
  return changesets.flatMap(({ id, summary, releases }) => [
    ...(summary.trim() === '' ? [`${id}.md says nothing`] : []),
    ...releases
      .filter(({ name }) => !published.has(name))
      .map(({ name }) => `${id}.md releases ${name}, which is private`),
  ]);
}
