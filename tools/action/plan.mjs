// Runs `render-rgd plan`: annotations in the log, Markdown for the summary of the job and for the comment.
import { spawnSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { ROOT, AGAINST, ARGS = '', RUNNER_TEMP, GITHUB_OUTPUT, GITHUB_STEP_SUMMARY } = process.env;
const more = ARGS.split('\n').map((line) => line.trim());
const args = ['plan', ROOT, '--against', AGAINST, '-o', 'markdown', '--report', 'github', ...more.filter(Boolean)];
const { status, error, stdout } = spawnSync('render-rgd', args, {
  encoding: 'utf8',
  maxBuffer: 1 << 28,
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (error !== undefined) throw error;
if (stdout !== '') {
  const plan = join(RUNNER_TEMP, 'render-rgd-plan.md');
  writeFileSync(plan, stdout);
  appendFileSync(GITHUB_OUTPUT, `plan=${plan}\n`);
  appendFileSync(GITHUB_STEP_SUMMARY, stdout);
}
process.exitCode = status ?? 1;
