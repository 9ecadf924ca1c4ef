import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const TIME = '/usr/bin/time';

/**
 * Returns the CPU seconds and the peak memory in MiB of a command, as GNU time counts them.
 * @throws Error if the command fails, or GNU time is missing
 */
export function costOf(command) {
  if (!existsSync(TIME)) throw new Error(`there is no ${TIME}: apt-get install time`);
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-cost-'));
  const file = join(folder, 'cost');
  try {
    const args = ['-o', file, '-f', '%U %S %M', ...command];
    const { status, stderr } = spawnSync(TIME, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command.join(' ')} failed with ${status}: ${stderr}`);
    const [user = 0, system = 0, peak = 0] = readFileSync(file, 'utf8').trim().split(' ').map(Number);
    return { seconds: user + system, peak: peak / 1024 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
