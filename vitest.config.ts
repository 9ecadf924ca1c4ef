import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They need the bundle, kustomize and kpt: `npm run e2e`.
    exclude: ['test/e2e/**'],
    // Modules hold nothing but what is worked out once, so files may share them: this halves the time.
    pool: 'forks',
    isolate: false,
    testTimeout: 60_000,
  },
});
