import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest, by what they take on two cores; they start first, so that none of them is alone at the end. */
const LONGEST = [
  ...['playground', 'playground-losses', 'argocd', 'writers', 'kustomize', 'playground-command', 'docs', 'irregular'],
  ...['language', 'action', 'helm-reads', 'argocd-install', 'kpt', 'hostile', 'authors', 'tree'],
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.indexOf(basename(moduleId, '.test.ts'));
      return at < 0 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/e2e/*.test.ts'],
    // These timeouts only end hanging tests, also on a busy machine.
    testTimeout: 600_000,
    globalSetup: ['test/memory.ts', 'test/e2e/code-cache.ts'],
    setupFiles: ['test/e2e/no-colors.ts', 'test/clean-up.ts'],
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    // Each test file has its own folders, and mostly waits for a child process.
    pool: 'forks',
    isolate: false,
    // A third one runs while two wait for a child process.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
  },
});
