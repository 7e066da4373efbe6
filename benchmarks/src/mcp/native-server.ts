import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { nativeBuildFolder, nativeSources } from '../paths.ts';

const execute = promisify(execFile);
const compileLimitMs = 300_000;
const flags = ['-O3', '-std=c++17'];

/** A binary, or why there is none. */
export type NativeServer = { readonly path: string } | { readonly reason: string };

/**
 * Compiles a C++ server with the simdjson that the npm package `simdjson` brings as source; once for each state of the sources, the flags
 * and the compiler.
 *
 * @param source its main file
 * @param compiler what to call; `CXX` when it is set
 * @throws Error when there is a compiler and it refuses the sources
 */
export async function buildNativeServer(
  source: string,
  compiler: string = process.env['CXX'] || 'g++',
): Promise<NativeServer> {
  const sources = simdjsonSources();
  if (sources === undefined) return { reason: 'the npm package simdjson is not installed' };
  const version = await versionOf(compiler);
  if (version === undefined) return { reason: `there is no C++ compiler ${compiler}` };
  const path = join(
    nativeBuildFolder,
    `add-server-${stateOf([source, ...filesOf(sources)], compiler, version)}`,
  );
  if (existsSync(path)) return { path };
  mkdirSync(nativeBuildFolder, { recursive: true });
  // Under its final name the binary is always whole.
  const unfinished = `${path}.${process.pid}`;
  const args = [...flags, `-I${sources}`, source, join(sources, 'simdjson.cpp'), '-o', unfinished];
  await execute(compiler, args, { timeout: compileLimitMs });
  renameSync(unfinished, path);
  return { path };
}

/** The folder of `simdjson.h` and `simdjson.cpp`. */
function simdjsonSources(): string | undefined {
  try {
    const manifest = createRequire(nativeSources.plain).resolve('simdjson/package.json');
    const folder = join(dirname(manifest), 'simdjson', 'src');
    return existsSync(join(folder, 'simdjson.cpp')) ? folder : undefined;
  } catch {
    return undefined;
  }
}

async function versionOf(compiler: string): Promise<string | undefined> {
  try {
    return (await execute(compiler, ['--version'])).stdout;
  } catch {
    return undefined;
  }
}

function filesOf(sources: string): string[] {
  return [join(sources, 'simdjson.cpp'), join(sources, 'simdjson.h')];
}

function stateOf(files: readonly string[], ...others: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash
    .update([...flags, ...others].join('\n'))
    .digest('hex')
    .slice(0, 16);
}
