// Builds the workspace in the current folder into dist/: every entry point bundled into one file
// (40 small ESM files cost 15-20 % of Node's start-up), types by tsc.
//
// Entry points are the `@linewire/source` targets in the manifest's exports, plus src/main.ts where a bin
// file imports ../dist/main.js.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const entryPoints = Object.values(manifest.exports ?? {})
  .map((target) => target['@linewire/source'])
  .filter((source) => source !== undefined);
if (existsSync('src/main.ts')) entryPoints.push('src/main.ts');
if (entryPoints.length === 0) throw new Error(`${manifest.name}: no entry point to build`);

// The folder goes as a whole: a declaration whose source was deleted must not survive, and the
// incremental state inside it must never outlive the files that it describes.
rmSync('dist', { recursive: true, force: true });

// A binary that is CommonJS itself (bin/package.json says so) gets a CommonJS bundle: it starts 4 ms sooner. `import()` becomes `require`
// there, as late as before: a script that is run with a code cache (bin/start-cached.js) cannot import.
const isCommonJs = existsSync('bin/package.json');
const commonJs = {
  outExtension: { '.js': '.cjs' },
  define: { 'import.meta.url': '"bundle"' },
  supported: { 'dynamic-import': false },
  charset: 'ascii',
};

await build({
  entryPoints,
  outdir: 'dist',
  outbase: 'src',
  bundle: true,
  // What the manifest lists as a dependency is imported; a binary lists its sibling packages as development
  // dependencies only, so they are bundled into it: one file instead of four saves 4 ms of its start-up.
  // An entry beside `.` imports its own package by name: they share its classes, and `.` stays one file.
  external: ['node:*', manifest.name, ...Object.keys(manifest.dependencies ?? {})],
  conditions: ['@linewire/source'],
  format: isCommonJs ? 'cjs' : 'esm',
  ...(isCommonJs ? commonJs : {}),
  platform: 'neutral',
  target: 'es2022',
  // Constants of other modules become literals in the loops that use them (8 % of the frame index). Names stay
  // in packages, for stack traces; in a binary they cost a millisecond of its start-up.
  minifySyntax: true,
  minifyWhitespace: true,
  minifyIdentifiers: entryPoints.includes('src/main.ts'),
  sourcemap: true,
  logLevel: 'warning',
});

// `-p`, not `-b`: it writes this package's declarations only and reads those of the referenced packages,
// which turbo has built before (dependsOn ^build). `-b` would rebuild siblings that another turbo task is
// writing at the same moment. A sibling that is missing from `references` fails here (TS6307) instead of
// being compiled into this dist.
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.json'], { stdio: 'inherit' });
process.exitCode = status ?? 1;
