// Compares the built command with that of another commit, in pairs of processes that take turns, by CPU time: two
// states on one busy machine differ less than the machine from one minute to the next. `npm run bench -- --beside
// COMMIT`; `bench/base` names the commit that CI compares with.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkBuilt, native, onNode } from './support/command.mjs';
import { median } from './support/measure.mjs';
import { widePackage } from './support/packages.mjs';
import { resourceSet } from './support/resource-set.mjs';
import { figureText } from './support/table.mjs';
import { workload } from './support/workload.mjs';

export const title = 'Beside an earlier commit: milliseconds of CPU time';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WORKLOADS = [
  ['N = 1', 'render', () => workload(1)],
  ['N = 1000', 'render', () => workload(1000)],
  ['60 nodes that read each other, 20 instances', 'render', () => widePackage(20)],
  ['a ResourceSet of 300 inputs', 'render', () => resourceSet(300)],
  ['validate, N = 1000', 'validate', () => workload(1000)],
];

/**
 * The figures have no bound, because those of a busy machine would fail without a reason: only a command that cannot
 * be built, or fails, is an error.
 */
export async function run({ short, beside }) {
  checkBuilt();
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-beside-'));
  try {
    const there = join(folder, 'state');
    buildAt(beside, there);
    const lines = [['', 'here', beside.slice(0, 10), 'ratio']];
    for (const [name, verb, text] of WORKLOADS) {
      const input = join(folder, 'input.yaml');
      writeFileSync(input, text());
      for (const [label, command] of [
        [name, onNode],
        ['  the executable', native],
      ]) {
        if (command === undefined) continue;
        const own = [...command, verb, input];
        const other = own.map((word) => (word.startsWith(ROOT) ? join(there, relative(ROOT, word)) : word));
        const { here, before, ratio } = pairs(own, other, short ? 5 : 21);
        lines.push([label, figureText(here), figureText(before), ratio.toFixed(2)]);
      }
    }
    return { lines, claims: [] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Builds a commit in a folder of its own: the bundle, and the executable if there is one here. */
function buildAt(commit, folder) {
  const inFolder = (file, ...args) => execFileSync(file, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync('git', ['clone', '--quiet', '--shared', '--no-checkout', ROOT, folder]);
  inFolder('git', 'checkout', '--quiet', commit);
  const [here, there] = [ROOT, folder].map((root) => readFileSync(join(root, 'package-lock.json'), 'utf8'));
  if (here === there && existsSync(join(ROOT, 'node_modules'))) {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  } else inFolder('npm', 'ci', '--silent', '--no-audit', '--no-fund');
  inFolder(process.execPath, 'tools/build.mjs', '--no-types');
  if (native !== undefined) inFolder(process.execPath, 'tools/native.mjs');
}

/** Runs two commands in turn, after one run of each, and returns the medians of their CPU times and of the ratios. */
function pairs(own, other, rounds) {
  for (const command of [own, other]) cpuMilliseconds(command);
  const measured = Array.from({ length: rounds }, (_, round) => {
    if (round % 2 === 0) return { here: cpuMilliseconds(own), before: cpuMilliseconds(other) };
    const before = cpuMilliseconds(other);
    return { here: cpuMilliseconds(own), before };
  });
  return {
    here: median(measured.map(({ here }) => here)),
    before: median(measured.map(({ before }) => before)),
    ratio: median(measured.map(({ here, before }) => here / before)),
  };
}

/** Returns the user and system time of a process. GNU time rounds to 10 ms, which is half of a start. */
function cpuMilliseconds(command) {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@" >/dev/null 2>&1';
  const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', ...command], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  if (status !== 0) throw new Error(`${command.join(' ')} failed with ${status}`);
  const [user, system] = stderr.trim().split(' ').map(Number);
  return (user + system) * 1000;
}
