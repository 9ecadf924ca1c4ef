// Measures the maximum memory and time of a process that evaluates one of the expressions of
// test/languages/cel/bounds-cases.ts.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, load } from './support/measure.mjs';
import { figureText } from './support/table.mjs';

export const title = 'Memory of expensive expressions: an idle one and the ten largest';
const TARGET = 300;
const MILLISECONDS = 1000;

export async function run({ short }) {
  const { boundCases } = await load('test/languages/cel/bounds-cases.ts');
  const cases = Object.values(boundCases).flat();
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-bench-'));
  try {
    const engine = join(folder, 'engine.mjs');
    writeFileSync(engine, await bundle('src/languages/cel/index.ts'));
    const asked = short ? cases.filter((_, index) => index % 10 === 0) : cases;
    const [idle, ...others] = [{ name: 'true', source: 'true' }, ...asked].map((one) => measure(engine, one));
    const largest = others.sort((a, b) => b.mebibytes - a.mebibytes).slice(0, 10);
    const slowest = Math.max(...others.map(({ milliseconds }) => milliseconds));
    const line = ({ name, mebibytes, milliseconds }) => [name, figureText(mebibytes), String(milliseconds)];
    return {
      lines: [['', 'MiB', 'ms'], ...[idle, ...largest].map(line)],
      claims: [
        { name: 'memory of any hostile expression', figure: largest[0].mebibytes, target: TARGET, unit: 'MiB' },
        { name: 'time of any hostile expression', figure: slowest, target: MILLISECONDS, unit: 'ms' },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function measure(engine, { name, source }) {
  const child = fileURLToPath(new URL('support/evaluate.mjs', import.meta.url));
  const printed = execFileSync(process.execPath, [child, engine], { input: source, encoding: 'utf8' });
  return { name, ...JSON.parse(printed) };
}
