// The steps of CI, by group. Each step states what it reads: only the sources, or also what the build and .ci/run make.

const E2E = 'npx vitest run --config test/e2e/vitest.config.ts';

/** Tests of the command that differ for the executable: it has another engine, and is in images and recipes. */
const ON_EXECUTABLE = ['bundle', 'write.test', 'image', 'kustomize.test', 'kpt.test', 'docs'];

/** The tables of the end-to-end tests are tested as a whole; other runs take a part of the long ones (`partOf`). */
const WHOLE = { TABLES: 'all' };

/** One worker compiles the sources once; the other steps use the other processors. */
const ONE_WORKER = { VITEST_MAX_WORKERS: '1' };

/** A check passes or fails. */
const check = (command) => ({ command, kind: 'check' });

/** A suite of vitest: each of its tests counts. */
const suite = (command, environment = {}) => ({ command, kind: 'suite', environment });

/** A tool whose last line is `N passed, N failed`. */
const tool = (command) => ({ command, kind: 'tool' });

/** A tool that compares generated samples, which are counted beside the tests. */
const sampler = (command) => ({ command, kind: 'sampler' });

/** A step with programs that may be missing: skipped visibly, and a failure where CI=true. */
const needing = (programs, step) => ({ ...step, programs });

/** These run with the executable of this machine in RENDER_RGD. */
const withExecutable = (step) => ({ ...step, onExecutable: true });

/**
 * These start at once, in a copy of the sources that has the dependencies and nothing else. A step that reads what
 * another one makes fails there, however fast the build is.
 */
const fromSources = (...steps) => steps.map((step) => ({ ...step, reads: 'sources' }));

/** This makes its own copy of the sources, and installs the dependencies there, as the README says. */
const inArchive = (step) => ({ ...step, reads: 'archive' });

/** These wait for the build, for the executable, and for the tools that .ci/run installs meanwhile. */
const fromBuild = (...steps) => steps.map((step) => ({ ...step, reads: 'build' }));

/** What the steps of `reads: 'build'` wait for, in this order. */
export const BUILD = [check('npm run --silent build'), check('npm run --silent native')];

// Generated samples have a fixed seed and are few; the nightly workflow uses ten times as many. Long steps come first.
export const GROUPS = {
  e2e: fromBuild(suite(E2E, WHOLE), withExecutable(suite([E2E, ...ON_EXECUTABLE].join(' '), WHOLE))),
  unit: [
    inArchive(suite('node tools/archive.mjs npm run demo --then npm test --', ONE_WORKER)),
    ...fromSources(suite('npm run --silent test:heavy --', ONE_WORKER)),
    ...fromBuild(tool('npm run --silent soak'), tool('npm run --silent package-check')),
  ],
  checks: [
    ...fromSources(check('npm run --silent lint'), check('npm run --silent types')),
    ...fromBuild(
      needing(['hadolint'], check('hadolint Dockerfile')),
      needing(['go'], check('test -x "$ARGOCD_HARNESS"')),
      needing(['zizmor'], check('zizmor --offline --quiet .')),
      tool('npm run --silent determinism'),
      needing(['go', 'kustomize', 'helm'], tool('npm run --silent plans -- --count 10 --seed 1')),
      withExecutable(tool('npm run --silent conformance -- --cli "$RENDER_RGD"')),
      tool('npm run --silent conformance'),
      tool('npm run --silent reproducible -- --beside dist'),
      tool('npm run --silent dependencies'),
      tool('npm run --silent site -- --check'),
    ),
    ...fromSources(
      needing(['go'], sampler('npm run --silent differential -- --packages 200 --expressions 2000 --seed 1')),
      needing(['go'], sampler('npm run --silent unknowns -- --count 5000 --seed 1')),
      needing(['go'], check('npm run --silent explorations -- --count 5 --planted 20 --seed 1')),
      needing(['go'], check('npm run --silent updates -- --count 6 --seed 1')),
      needing(['go'], sampler('npm run --silent templates -- --count 5000 --seed 1')),
    ),
  ],
};

/** Returns the steps of the groups that are asked for, or of all. */
export function stepsOf(asked) {
  const unknown = asked.filter((name) => !Object.hasOwn(GROUPS, name));
  if (unknown.length > 0)
    throw new Error(`unknown groups: ${unknown.join(', ')}; known: ${Object.keys(GROUPS).join(', ')}`);
  const chosen = asked.length > 0 ? asked : Object.keys(GROUPS);
  return chosen.flatMap((name) => GROUPS[name]);
}
