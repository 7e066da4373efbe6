import { defaultServerConditions } from 'vite';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';

// Workspaces import each other's sources, so unit tests need no build. Tests that spawn a bin do: `npm test`
// builds first.
const conditions = ['@linewire/source', ...defaultServerConditions];

const everywhere = [
  'packages/*/test/**/*.{test,prop,diff,conf,pins}.ts',
  'apps/*/test/**/*.{test,prop,diff,conf,pins}.ts',
  'benchmarks/test/**/*.{test,prop,diff,conf,pins}.ts',
];
/** The packages that hand out or hold borrowed bytes: the ones that poisoned memory can catch lying. */
const borrowers = ['packages/{framing,transport,mcp}/test/**/*.{test,prop,diff,conf,pins}.ts'];

/** Tests that choose their engine themselves, or have none to do with: once is enough. */
const onceOnly = [
  'packages/framing/test/{fuzz,json/shapes,runtimes,scalar,wasm}/**',
  'packages/framing/test/{engine-choice,environment}.test.ts',
  'packages/framing/test/simdjson/{built-entry,validator}.test.ts',
  'packages/transport/test/child/{spawn-target,windows-*}.{test,prop}.ts',
  'packages/transport/test/keeper/{keeper,restart-policy}.{test,prop}.ts',
];

interface Pass {
  readonly include: string[];
  readonly exclude?: string[];
  /** Child processes of a test inherit it. */
  readonly env: Readonly<Record<string, string>>;
}

/** One pass over some of the tests with switches of its own. */
function project(name: string, { include, exclude = [], env }: Pass): TestProjectConfiguration {
  return { extends: true, test: { name, include, exclude, env: { NODE_DEBUG: '', ...env } } };
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Vitest's default, one less than the cores, leaves half of a two-core machine idle.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    unstubEnvs: true,
    unstubGlobals: true,
    setupFiles: ['vitest.setup.ts'],
    projects: [
      project('wasm', { include: everywhere, env: { LINEWIRE_ENGINE: 'wasm', LINEWIRE_POISON: '' } }),
      project('scalar', {
        include: everywhere,
        exclude: onceOnly,
        env: { LINEWIRE_ENGINE: 'scalar', LINEWIRE_POISON: '' },
      }),
      project('poison', {
        include: borrowers,
        exclude: onceOnly,
        env: { LINEWIRE_ENGINE: 'wasm', LINEWIRE_POISON: '1' },
      }),
    ],
  },
});
