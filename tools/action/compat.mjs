// Runs `render-rgd compat` for the paths of the input `compat`, and adds the verdicts to the plan, if there is one.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const { AGAINST, COMPAT, REQUIRE, REQUIRE_LABEL, PLAN = '', RUNNER_TEMP, GITHUB_STEP_SUMMARY } = process.env;
const paths = (COMPAT ?? '').split('\n').flatMap((line) => line.trim() || []);
const annotations = join(RUNNER_TEMP, 'render-rgd-compat.txt');
const options = ['--against', AGAINST, '-o', 'markdown', '--report', `github=${annotations}`];
if (REQUIRE !== '') options.push('--require', REQUIRE);
if (REQUIRE_LABEL !== '') options.push('--require-label', REQUIRE_LABEL);
const { status, error, stdout, stderr } = spawnSync('render-rgd', ['compat', ...paths, ...options], {
  encoding: 'utf8',
  maxBuffer: 1 << 28,
});
if (error !== undefined) throw error;
process.stderr.write(stderr);
if (existsSync(annotations)) process.stdout.write(readFileSync(annotations, 'utf8'));
const FAILED = '**The comparison failed.** The log of the job says why.\n';
const written = `\n### Compatibility of RGDs\n\n${stdout === '' && status !== 0 ? FAILED : stdout}`;
if (PLAN !== '') appendFileSync(PLAN, written);
appendFileSync(GITHUB_STEP_SUMMARY, written);
process.exitCode = status ?? 1;
