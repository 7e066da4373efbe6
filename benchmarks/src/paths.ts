import { fileURLToPath } from 'node:url';

/** The same from src/ and from the bundled dist/main.js. */
const rootUrl = new URL('../../', import.meta.url);
const fromRoot = (path: string): string => fileURLToPath(new URL(path, rootUrl));

export const repositoryRoot: string = fromRoot('.');
export const resultsFolder: string = fromRoot('benchmarks/results/');
export const readmePath: string = fromRoot('README.md');
export const reportPath: string = fromRoot('benchmarks/REPORT.md');
export const runtimesManifest: string = fromRoot('runtimes/package.json');
export const benchMain: string = fromRoot('benchmarks/dist/main.js');
export const serverBin: string = fromRoot('apps/server/bin/linewire-server.js');
export const bareLoopPath: string = fromRoot('packages/testkit/peers/bare-loop.mjs');
export const bigInputPath: string = fromRoot('packages/testkit/cases/gen-big.mjs');
export const linewireAddPath: string = fromRoot('benchmarks/peers/linewire-add.mjs');
/** Servers in C++: one as the documentation of its JSON library shows, one tuned by hand. */
export const nativeSources: { readonly plain: string; readonly tuned: string } = {
  plain: fromRoot('benchmarks/native/add-server.cpp'),
  tuned: fromRoot('benchmarks/native/tuned-add-server.cpp'),
};
/** Git ignores it. */
export const nativeBuildFolder: string = fromRoot('benchmarks/native/build/');
export const thousandMessages: string = fromRoot('messages/1000-messages.jsonl');
export const externalMemoryPath: string = fromRoot('benchmarks/peers/external-memory.cjs');
export const peerPath = (name: string): string => fromRoot(`benchmarks/peers/${name}.mjs`);
