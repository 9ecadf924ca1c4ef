import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They need the bundle, kustomize and kpt: `npm run e2e`.
    exclude: ['test/e2e/**'],
    // Modules hold nothing but what is worked out once, so files may share them: this halves the time.
    pool: 'forks',
    isolate: false,
    // These only end what hangs, also on a busy machine: no test measures time.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
