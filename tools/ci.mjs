#!/usr/bin/env node
// Runs the steps of CI and counts them: `.ci/run [GROUP...]` installs the tools and calls it, for all groups by default.
// Ends with the line `N passed, N failed`, over tests and checks; generated samples are counted separately, and each
// failed one counts as failed.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { useMemory } from './memory.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const removeTemporary = useMemory(6 * 2 ** 30);
const reports = mkdtempSync(join(tmpdir(), 'render-rgd-ci-'));
const total = { passed: 0, failed: 0, samples: 0 };
let started = 0;
const e2e = 'npx vitest run --config test/e2e/vitest.config.ts';
const asked = process.argv.slice(2);

/**
 * What one half of the commits leaves to the groups: end-to-end tests of one surface each, and steps. All groups together,
 * on one machine, leave out one of the two, which the commit decides, so that a commit is tested in one way, and test one
 * half of the files of test:heavy. A pull request runs each group on a machine of its own, which tests all.
 */
const HALVES = [
  {
    files: [
      ...['playground', 'playground-screenshots', 'tree', 'authors', 'kpt-pkg', 'language', 'irregular', 'vscode-web'],
      ...['kpt-items', 'completion', 'package'],
    ],
    steps: ['soak'],
  },
  {
    files: [
      ...['playground-losses', 'playground-command', 'writers', 'action', 'release', 'consumers', 'ci-example'],
      ...['kustomize-fetches', 'argocd-install', 'hostile', 'vscode', 'pyyaml'],
    ],
    steps: ['reproducible', 'package-check'],
  },
];
const half = asked.length > 0 ? undefined : Number.parseInt(head().slice(0, 8), 16) % 2;
const leftOut = HALVES[half] ?? { files: [], steps: [] };
const someE2e = [e2e, ...leftOut.files.map((name) => `--exclude test/e2e/${name}.test.ts`)].join(' ');
const moreOnExecutable = 'kustomize.test kpt.test docs';
const onExecutable = half === undefined ? `bundle write.test image ${moreOnExecutable}` : 'bundle write.test image';
const shard = half === undefined ? '' : ` --shard=${half + 1}/2`;

/** Returns the executable for this machine after it is built. */
const native = () => {
  const folder = join(root, 'dist-native');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return join(folder, names.find((file) => /^render-rgd-[a-z0-9-]+$/.test(file)) ?? 'no-executable');
};

/** A step is a check (it passes or fails), a suite of vitest, or a tool whose last line is `N passed, N failed`. */
const check = (command, environment) => ({ command, environment, count: countCheck });
const suite = (command, environment) => ({ command, environment, count: countSuite, isSuite: true });
const tool = (command, environment) => ({ command, environment, count: countTool });
/** A check with a program that may be missing: skipped visibly, and a failure if CI=true. */
const needing = (program, command) => ({ ...check(command), program });
/** A tool that compares generated samples. */
const sampler = (command) => ({ command, count: countSamples });

/** One worker compiles the sources once; the other steps use the other processors. */
const withOneWorker = () => ({ VITEST_MAX_WORKERS: '1' });
const withExecutable = () => ({ RENDER_RGD: native() });
/** These steps wait for the build, and for the tools that .ci/run installs meanwhile. */
const built = (...steps) => steps.map((step) => ({ ...step, afterBuild: true }));

// The commands of the README run in an unpacked archive. Generated samples have a fixed seed and are few, properties run
// three in ten of their usual times, and of long tables a part is tested (`partOf`); the nightly workflow uses ten times
// as many, and whole tables. Long steps come first.
const groups = {
  e2e: () => built(suite(someE2e), suite(`${e2e} ${onExecutable}`, withExecutable)),
  unit: () => [
    suite('node tools/archive.mjs npm run demo --then npm test --', withOneWorker),
    suite(`TIMES=0.3 npm run --silent test:heavy --${shard}`, withOneWorker),
    ...built(tool('npm run --silent soak'), tool('npm run --silent package-check')),
  ],
  checks: () => [
    check('npm run --silent lint'),
    check('npm run --silent types'),
    ...built(
      needing('hadolint', 'hadolint Dockerfile'),
      needing('go', 'test -x "$ARGOCD_HARNESS"'),
      needing('zizmor', 'zizmor --offline --quiet .'),
      tool('npm run --silent determinism'),
      tool('npm run --silent plans -- --count 10 --seed 1'),
      tool('npm run --silent conformance -- --one-in 4 --cli "$RENDER_RGD"', withExecutable),
      tool('npm run --silent conformance'),
      tool('npm run --silent reproducible -- --beside dist'),
    ),
    tool('npm run --silent dependencies'),
    sampler('npm run --silent differential -- --packages 200 --expressions 2000 --seed 1'),
    sampler('npm run --silent templates -- --count 5000 --seed 1'),
  ],
};
const unknown = asked.filter((name) => !Object.hasOwn(groups, name));
if (unknown.length > 0)
  throw new Error(`unknown groups: ${unknown.join(', ')}; known: ${Object.keys(groups).join(', ')}`);
const chosen = asked.length > 0 ? asked : Object.keys(groups);
const isLeftOut = ({ command }) => leftOut.steps.some((name) => command.startsWith(`npm run --silent ${name}`));
const steps = chosen.flatMap((name) => groups[name]()).filter((step) => !isLeftOut(step));
let isBuilt = false;
const building = Promise.all([build(), installation()]).then(() => {
  isBuilt = true;
});
await Promise.all([building.then(work), work(), work(), work()]);
rmSync(reports, { recursive: true });
removeTemporary();
if (half !== undefined)
  console.log(`--- NOT TESTED here, but by '.ci/run e2e', 'unit' and 'checks', as in a pull request: half of the files of
--- test:heavy; ${leftOut.steps.join(', ')}; test/e2e: ${leftOut.files.join(', ')}; the executable with ${moreOnExecutable}`);
console.log(`--- ${total.samples} generated samples compared beside the tests`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;

function head() {
  return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
}

function isInstalled(name) {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)));
}

async function build() {
  await run(check('npm run --silent build'));
  await run(check('npm run --silent native'));
}

/** Waits for the file that .ci/run writes when it has installed the tools. */
async function installation() {
  const { INSTALLED } = process.env;
  while (INSTALLED !== undefined && !existsSync(INSTALLED)) await setTimeout(200);
}

/**
 * Runs one step after the other, each time the first that can start. Four of these keep two cores busy: many steps wait
 * for a process or a file.
 */
async function work() {
  while (steps.length > 0) {
    const at = steps.findIndex(({ afterBuild }) => isBuilt || !afterBuild);
    if (at < 0) await building;
    else await run(steps.splice(at, 1)[0]);
  }
}

/** Runs a step, prints its output when it ends, and adds its counts. */
async function run({ command, environment = () => ({}), count, isSuite, program }) {
  if (program !== undefined && !isInstalled(program)) {
    console.log(`--- SKIPPED: ${command}: ${program} is not installed`);
    if (process.env.CI === 'true') total.failed += 1;
    return;
  }
  const since = Date.now();
  const report = join(reports, `${++started}.json`);
  const line = isSuite ? `${command} --reporter=dot --reporter=json --outputFile.json=${report}` : command;
  const { code, output } = await execute(line, { ...process.env, ...environment() });
  const counted = count({ code, output, report });
  if (code !== 0 && counted.failed === 0) counted.failed = 1;
  for (const key of Object.keys(total)) total[key] += counted[key] ?? 0;
  const seconds = Math.round((Date.now() - since) / 1000);
  console.log(`--- ${command}: ${counted.passed ?? 0} passed, ${counted.failed} failed, ${seconds} s`);
  if (counted.failed > 0 || !isSuite) console.log(output.trimEnd());
  else for (const [notice] of output.matchAll(/^--- RETRIED .*$/gm)) console.log(notice);
}

function execute(command, env) {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', command], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}

function countCheck({ code }) {
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** A suite that does not start counts as one failure. */
function countSuite({ report }) {
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
  return { passed: numPassedTests, failed: numFailedTests };
}

function countTool({ output }) {
  const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [undefined, 0, 1];
  return { passed: Number(passed), failed: Number(failed) };
}

function countSamples(result) {
  const { passed, failed } = countTool(result);
  return { passed: failed === 0 ? 1 : 0, failed, samples: passed + failed };
}
