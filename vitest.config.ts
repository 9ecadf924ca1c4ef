import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Count the work that the sources do, for which V8 has to be watching from the start. */
const BOMBS = 'test/bombs/**/*.test.ts';

/** Replace a module, or count the work that the sources do: neither may share a process with others. */
const ISOLATED = 'test/**/*.isolated.test.ts';

/** Draw random inputs: a tenth of them in `npm test`. */
const PROPERTIES = 'test/properties/**/*.test.ts';

/** Search for costs, or draw many random inputs. */
const HEAVY = ['test/fuzz/**/*.test.ts', 'test/**/*.heavy.test.ts'];

export default defineConfig({
  test: {
    // Random tests take the seed of the day, or of SEED.
    globalSetup: ['test/memory.ts', 'test/seed.ts'],
    setupFiles: ['test/seed.ts', 'test/messages.ts', 'test/clean-up.ts'],
    pool: 'forks',
    // Its own default leaves one free, which is half of a small machine.
    maxWorkers: availableParallelism(),
    // These only end what hangs, also on a busy machine: no test measures time.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          // Those of test/e2e need the bundle, kustomize and kpt: `npm run e2e`.
          exclude: ['test/e2e/**', BOMBS, ISOLATED, ...HEAVY],
          // Modules hold nothing but caches, so files may share them: this halves the time.
          isolate: false,
          env: { PROPERTIES: '0.1' },
        },
      },
      { extends: true, test: { name: 'isolated', include: [ISOLATED], isolate: true } },
      // `npm run test:heavy`
      { extends: true, test: { name: 'heavy', include: [PROPERTIES, ...HEAVY], isolate: false } },
      { extends: true, test: { name: 'bombs', include: [BOMBS], isolate: true } },
    ],
  },
});
