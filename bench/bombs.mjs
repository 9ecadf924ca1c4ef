// Runs small inputs that multiply one thing by another through the built command: each ends quickly and in little
// memory, rendered or rejected. Uses those of test/bombs, at their largest size and beyond, with the default limits.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from './support/measure.mjs';
import { timeAndPeak } from './support/process.mjs';
import { figureText } from './support/table.mjs';

export const title = 'Small inputs that multiply';

const COMMAND = fileURLToPath(new URL('../dist/render-rgd.js', import.meta.url));
/** The nodes of one RGD, and the maximum milliseconds of the process beyond that of one node. */
const COMPILED = [
  [1000, 200],
  [5000, 1500],
];

export async function run({ short }) {
  const { bombs } = await load('test/bombs/bombs.ts');
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-bench-'));
  const runOf = async (text, order = 'none', cluster = undefined) => {
    const input = join(folder, 'input.yaml');
    writeFileSync(input, text);
    const openapi = join(folder, 'openapi.json');
    if (cluster !== undefined) writeFileSync(openapi, JSON.stringify(cluster));
    const more = cluster === undefined ? [] : ['--openapi', openapi];
    return timeAndPeak([process.execPath, COMMAND, 'render', input, '--order', order, ...more]);
  };
  try {
    const nodes = bombs['nodes that read the one before'];
    const idle = await runOf(nodes.text(1));
    const claims = [];
    for (const [count, target] of COMPILED) {
      const { time } = await runOf(nodes.text(count));
      claims.push({ name: `${count} nodes more than one`, figure: time - idle.time, target, unit: 'ms' });
    }
    const rows = [];
    for (const [name, { text, openapi, sizes = [50, 100, 200, 400], options = {} }] of Object.entries(bombs)) {
      const n = (sizes.at(-1) ?? 1) * (short ? 1 : 2);
      const input = text(n);
      const { code, time, peak } = await runOf(input, options.order, openapi?.(n));
      rows.push({ name, kilobytes: input.length / 1000, code, seconds: time / 1000, peak });
    }
    const most = (figure) => Math.max(...rows.map(figure));
    claims.push({
      name: 'a small input that multiplies',
      figure: most(({ seconds }) => seconds),
      target: 2,
      unit: 's',
    });
    claims.push({ name: 'its memory', figure: most(({ peak }) => peak), target: 300, unit: 'MiB' });
    const line = ({ name, kilobytes, code, seconds, peak }) => [
      name,
      figureText(kilobytes),
      String(code),
      figureText(seconds),
      peak.toFixed(0),
    ];
    return { lines: [['', 'kB', 'exit code', 'seconds', 'MiB'], ...rows.map(line)], claims };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
