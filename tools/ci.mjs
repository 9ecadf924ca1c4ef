#!/usr/bin/env node
// Runs the steps of CI (tools/ci/plan.mjs) and counts them: `.ci/run [GROUP...]` installs the tools and calls it, for all
// groups by default. Ends with the line `N passed, N failed`, over tests and checks; generated samples are counted
// separately, and each failed one counts as failed.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BUILD, stepsOf } from './ci/plan.mjs';
import { schedule } from './ci/schedule.mjs';
import { copySources } from './ci/sources.mjs';
import { useMemory } from './memory.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const steps = stepsOf(process.argv.slice(2));
const removeTemporary = useMemory(6 * 2 ** 30);
const work = mkdtempSync(join(tmpdir(), 'render-rgd-ci-'));
const sources = join(work, 'render-rgd');
const total = { passed: 0, failed: 0, samples: 0 };
/** How the steps of each kind are counted. */
const COUNTS = { check: countCheck, suite: countSuite, tool: countTool, sampler: countSamples };
/** What .ci/run installs, as variables of the environment, for the steps that wait for it. */
let installed = {};
let started = 0;

try {
  mkdirSync(sources);
  copySources(root, sources);
  await schedule(steps, { build, run, omit });
} finally {
  rmSync(work, { recursive: true, force: true });
  removeTemporary();
}
console.log(`--- ${total.samples} generated samples compared beside the tests`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;

/** Builds, and waits for the tools meanwhile; returns whether all was built. */
async function build() {
  const [isBuilt] = await Promise.all([runAll(BUILD), installation()]);
  return isBuilt;
}

async function runAll(all) {
  for (const step of all) {
    if (!(await run({ ...step, reads: 'archive' }))) return false;
  }
  return true;
}

/** Waits for the file that .ci/run writes when it has installed the tools: lines `NAME=VALUE`. */
async function installation() {
  const { INSTALLED } = process.env;
  if (INSTALLED === undefined) return;
  while (!existsSync(INSTALLED)) await setTimeout(200);
  const lines = readFileSync(INSTALLED, 'utf8').trim().split('\n');
  installed = Object.fromEntries(lines.map((line) => /^(\w+)=(.*)$/.exec(line).slice(1)));
}

/** Runs a step, prints its output when it ends, and adds its counts; returns whether it passed. */
async function run(step) {
  const { command, programs = [], kind } = step;
  const environment = environmentOf(step);
  const missing = programs.filter((program) => !isInstalled(program, environment.PATH));
  if (missing.length > 0) {
    console.log(`--- SKIPPED: ${command}: ${missing.join(', ')} is not installed`);
    if (process.env.CI === 'true') total.failed += 1;
    return process.env.CI !== 'true';
  }
  const since = Date.now();
  const report = join(work, `${++started}.json`);
  const isSuite = kind === 'suite';
  const line = isSuite ? `${command} --reporter=dot --reporter=json --outputFile.json=${report}` : command;
  const { code, output } = await execute(line, environment, step.reads === 'sources' ? sources : root);
  const counted = COUNTS[kind]({ code, output, report });
  if (code !== 0 && counted.failed === 0) counted.failed = 1;
  for (const key of Object.keys(total)) total[key] += counted[key] ?? 0;
  const seconds = Math.round((Date.now() - since) / 1000);
  console.log(`--- ${command}: ${counted.passed ?? 0} passed, ${counted.failed} failed, ${seconds} s`);
  if (counted.failed > 0 || !isSuite) console.log(output.trimEnd());
  else for (const [notice] of output.matchAll(/^--- RETRIED .*$/gm)) console.log(notice);
  return counted.failed === 0;
}

/** Counts a step that cannot run. */
function omit({ command }) {
  console.log(`--- NOT RUN: ${command}: it reads what was not built`);
  total.failed += 1;
}

function environmentOf({ environment = {}, reads, onExecutable = false }) {
  return {
    ...process.env,
    ...(reads === 'build' ? installed : {}),
    ...(onExecutable ? { RENDER_RGD: executable() } : {}),
    ...environment,
  };
}

/** Returns the executable for this machine after it is built. */
function executable() {
  const folder = join(root, 'dist-native');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return join(folder, names.find((file) => /^render-rgd-[a-z0-9-]+$/.test(file)) ?? 'no-executable');
}

function isInstalled(name, path = '') {
  return path.split(delimiter).some((folder) => existsSync(join(folder, name)));
}

function execute(command, env, cwd) {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
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
