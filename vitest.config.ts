import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Random tests take the seed of the day, or of SEED.
    globalSetup: ['test/seed.ts'],
    setupFiles: ['test/seed.ts'],
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
