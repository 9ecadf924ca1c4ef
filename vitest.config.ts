import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They need the bundle, kustomize and kpt: `npm run e2e`.
    exclude: ['test/e2e/**'],
    testTimeout: 60_000,
  },
});
