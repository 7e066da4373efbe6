// Whether committed generated files are what their generators write. A workspace that has such files has a
// script named `generate` that writes them all, deterministically; `npm run generate` runs every one of them
// after a build.
//
// Compared are the files before and after, not the work tree and HEAD: a developer's other changes are none of
// this gate's business.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../processes.mjs';

export async function generatedFilesGate() {
  const before = await fingerprints();
  const { code, output } = await run('npm', ['run', 'generate', '--silent'], { capture: true });
  if (code !== 0) return { ok: false, output };
  const after = await fingerprints();
  const changed = [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => `${path} was not what its generator writes; it has been rewritten, commit it`);
  return { ok: changed.length === 0, output: changed.join('\n') };
}

/** Path → hash of every file that git tracks or would track. */
async function fingerprints() {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const { code, output } = await run('git', list, { capture: true });
  if (code !== 0) throw new Error(output);
  const paths = output.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
  return new Map(paths.map((path) => [path, hash(readFileSync(join(root, path)))]));
}

function hash(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
