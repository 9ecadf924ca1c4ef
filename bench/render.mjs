// Whole processes on the built command: start-up, reading, rendering and printing, against Node itself and js-yaml.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measured } from './support/process.mjs';
import { workload } from './support/workload.mjs';

export const title = 'Rendering N instances of seven objects (build first: npm run build)';

const COMMAND = fileURLToPath(new URL('../dist/render-rgd.js', import.meta.url));
const FLOOR = fileURLToPath(new URL('support/floor.mjs', import.meta.url));

export function rows() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const row = (name, { time, peak }) => ({ name, figure: time, unit: 'ms', note: `${peak.toFixed(0)} MiB` });
  const fileOf = (count) => {
    const file = join(folder, `${count}.yaml`);
    writeFileSync(file, workload(count));
    return file;
  };
  const results = [row('node -e 0', measured(['-e', '0'], 9))];
  for (const [count, runs] of [
    [1, 9],
    [10, 9],
    [100, 7],
    [1000, 5],
    [5000, 3],
  ]) {
    results.push(row(`N = ${count}`, measured([COMMAND, 'render', fileOf(count)], runs)));
  }
  const objects = join(folder, 'objects.json');
  const rendered = execFileSync(process.execPath, [COMMAND, 'render', fileOf(1000), '-o', 'json'], {
    maxBuffer: 1 << 28,
  });
  writeFileSync(objects, rendered);
  results.push(row('js-yaml alone, N = 1000', measured([FLOOR, fileOf(1000), objects], 5)));
  rmSync(folder, { recursive: true });
  return results;
}
