// Builds the package in the current folder: one bundled file per entry (start-up), types by tsc.
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { build } from 'esbuild';

rmSync('dist', { recursive: true, force: true });
const entryPoints = ['src/index.ts', 'src/main.ts'].filter((file) => existsSync(file));
await build({
  entryPoints,
  outdir: 'dist',
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  sourcemap: true,
  logLevel: 'warning',
});
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-b', '--force', 'tsconfig.json'], { stdio: 'inherit' });
