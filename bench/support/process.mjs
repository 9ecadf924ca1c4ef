import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PEAK = fileURLToPath(new URL('peak.cjs', import.meta.url));

/** Runs `node` with these arguments several times: the median wall time in ms and the peak memory in MiB. */
export function measured(args, runs) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const report = join(folder, 'peak');
  const times = [];
  let peak = 0;
  for (let count = -1; count < runs; count++) {
    const start = performance.now();
    const { status, stderr } = spawnSync(process.execPath, ['--require', PEAK, ...args], {
      env: { ...process.env, BENCH_PEAK: report },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (status !== 0) throw new Error(`node ${args.join(' ')} failed: ${stderr}`);
    if (count >= 0) times.push(performance.now() - start);
    peak = Math.max(peak, Number(readFileSync(report, 'utf8')) / 1024);
  }
  rmSync(folder, { recursive: true });
  return { time: times.sort((a, b) => a - b)[Math.floor(runs / 2)], peak };
}
