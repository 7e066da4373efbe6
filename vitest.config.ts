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

/** One pass over `include` with its own switches; child processes of a test inherit them. */
function project(name: string, include: string[], env: Record<string, string>): TestProjectConfiguration {
  return { extends: true, test: { name, include, env: { NODE_DEBUG: '', ...env } } };
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
    projects: [
      project('scalar', everywhere, { LINEWIRE_ENGINE: 'scalar', LINEWIRE_POISON: '' }),
      project('poison', borrowers, { LINEWIRE_ENGINE: 'scalar', LINEWIRE_POISON: '1' }),
    ],
  },
});
