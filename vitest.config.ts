import { defineConfig } from 'vitest/config';

const conditions = ['@linewire/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['{packages,apps}/*/test/**/*.{test,prop,diff,conf,pins}.ts', 'benchmarks/test/**/*.test.ts'],
  },
});
