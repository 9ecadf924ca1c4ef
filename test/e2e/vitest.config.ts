import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/e2e/*.test.ts'],
    // These timeouts only end hanging tests, also on a busy machine.
    testTimeout: 600_000,
    setupFiles: ['test/e2e/no-colors.ts'],
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    // Each test file has its own folders, and mostly waits for a child process.
    pool: 'forks',
    isolate: false,
    maxWorkers: availableParallelism(),
  },
});
