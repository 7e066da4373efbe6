// What npm would publish, and whether it is there: publint, attw and knip each have a way of passing on a
// package that was never built.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../processes.mjs';

/** Every workspace that is not private, as `{ folder, manifest }` with the folder relative to the root. */
export function publishedPackages() {
  return ['packages', 'apps']
    .flatMap((room) => readdirSync(join(root, room)).map((name) => `${room}/${name}`))
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => ({ folder, manifest: readManifest(folder) }))
    .filter(({ manifest }) => !manifest.private);
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}

/** Fails for each file that a manifest or a bin file names and that does not exist. */
export function builtFilesGate(packages) {
  const missing = packages.flatMap(({ folder, manifest }) =>
    namedFiles(folder, manifest)
      .map((file) => join(folder, file))
      .filter((file) => !existsSync(join(root, file))),
  );
  return { ok: missing.length === 0, output: missing.map((file) => `${file} does not exist`).join('\n') };
}

function namedFiles(folder, { exports, bin = {} }) {
  const bins = Object.values(bin);
  return [...leaves(exports), ...bins, ...bins.flatMap((file) => importsOf(join(folder, file)))];
}

function leaves(target) {
  return typeof target === 'string' ? [target] : Object.values(target).flatMap(leaves);
}

/** Bin files are three lines that import one built file by a path relative to bin/. */
function importsOf(file) {
  const source = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
  return [...source.matchAll(/import\('\.\.\/(.+?)'\)/g)].map(([, path]) => path);
}
