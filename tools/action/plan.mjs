// Runs `render-rgd plan`: annotations in the log, Markdown for the summary of the job and for the comment.
import { spawnSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { ROOT, AGAINST, ARGS, FAIL_ON, ALLOW_UNKNOWN, RUNNER_TEMP, GITHUB_OUTPUT, GITHUB_STEP_SUMMARY } = process.env;
const lines = (text = '') => text.split('\n').flatMap((line) => line.trim() || []);
const more = [
  ...lines(FAIL_ON).map((what) => `--fail-on=${what}`),
  ...lines(ALLOW_UNKNOWN).map((name) => `--allow-unknown=${name}`),
  ...lines(ARGS),
];
const args = ['plan', ROOT, '--against', AGAINST, '-o', 'markdown', '--report', 'github', ...more];
const { status, error, stdout, stderr } = spawnSync('render-rgd', args, {
  encoding: 'utf8',
  maxBuffer: 1 << 28,
  stdio: ['ignore', 'pipe', 'pipe'],
});
if (error !== undefined) throw error;
process.stderr.write(stderr);
// A plan that fails replaces the earlier one, which describes other commits.
const FAILED = '<!-- render-rgd plan -->\n\n**The plan failed.** The log of the job says why.\n';
const written = stdout === '' ? FAILED : stdout;
if (stdout !== '' || status !== 0) {
  const plan = join(RUNNER_TEMP, 'render-rgd-plan.md');
  writeFileSync(plan, written);
  appendFileSync(GITHUB_OUTPUT, `plan=${plan}\n`);
  appendFileSync(GITHUB_STEP_SUMMARY, written);
}
process.exitCode = status ?? 1;
