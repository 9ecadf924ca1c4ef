// The largest memory of a process that evaluates one of the expressions of test/cel/bounds-cases.ts.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, load } from './support/measure.mjs';

export const title = 'Memory of expressions that ask for too much (an idle one and the ten largest)';
const TARGET = 300;

export async function rows() {
  const { boundCases } = await load('test/cel/bounds-cases.ts');
  const cases = Object.values(boundCases).flat();
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-bench-'));
  try {
    const engine = join(folder, 'engine.mjs');
    writeFileSync(engine, await bundle('src/cel/index.ts'));
    const [idle, ...others] = [{ name: 'true', source: 'true' }, ...cases].map((one) => measure(engine, one));
    return [idle, ...others.sort((a, b) => b.figure - a.figure).slice(0, 10)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function measure(engine, { name, source }) {
  const child = fileURLToPath(new URL('support/evaluate.mjs', import.meta.url));
  const printed = execFileSync(process.execPath, [child, engine], { input: source, encoding: 'utf8' });
  const { mebibytes, milliseconds } = JSON.parse(printed);
  return { name, figure: mebibytes, unit: 'MiB', target: TARGET, note: `${milliseconds} ms` };
}
