// Whole processes on the built command: start-up, reading, rendering and printing, against Node itself, against reading
// and writing the same objects with js-yaml alone, and against `helm template` of a chart that makes the same objects.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeChart } from './support/chart.mjs';
import { helm } from './support/helm.mjs';
import { deepPackage, widePackage } from './support/packages.mjs';
import { inTurn } from './support/process.mjs';
import { figureText } from './support/table.mjs';
import { emptyWorkload, workload } from './support/workload.mjs';

export const title = 'Rendering, as whole processes: milliseconds, ratios and peak MiB';

const COMMAND = fileURLToPath(new URL('../dist/render-rgd.js', import.meta.url));
const FLOOR = fileURLToPath(new URL('support/floor.mjs', import.meta.url));

export async function run({ short }) {
  if (!existsSync(COMMAND)) throw new Error('there is no dist/render-rgd.js: npm run build');
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-bench-'));
  try {
    const inputs = (short ? [1, 1000] : [1, 10, 100, 1000, 5000]).map((count) => ({
      name: `N = ${count}`,
      text: workload(count),
      count,
    }));
    if (!short) {
      inputs.push({ name: '60 nodes that read each other, 20 instances', text: widePackage(20) });
      inputs.push({ name: '4 RGDs deep, collections of two dimensions, 50 instances', text: deepPackage(50) });
      inputs.push({ name: 'compile only: `crd` of the 60 nodes', text: widePackage(0), verb: 'crd' });
      inputs.push({ name: 'validate only: 1000 instances, no nodes', text: emptyWorkload(1000) });
    }
    return report(await measure(inputs, folder, short ? 3 : 7));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Everything in turn, so that all ratios are of one run. */
async function measure(inputs, folder, rounds) {
  const commands = [['node', [process.execPath, '-e', '0']]];
  for (const [index, { name, text, count, verb = 'render' }] of inputs.entries()) {
    const input = join(folder, `${index}.yaml`);
    writeFileSync(input, text);
    const objects = join(folder, `${index}.json`);
    const json = execFileSync(process.execPath, [COMMAND, verb, input, '-o', 'json'], { maxBuffer: 1 << 30 });
    writeFileSync(objects, json);
    inputs[index].objects = json.toString().split('\n    "apiVersion"').length - 1;
    commands.push([name, [process.execPath, COMMAND, verb, input]]);
    commands.push([`${name}, js-yaml`, [process.execPath, FLOOR, input, objects]]);
    if (helm === undefined || count === undefined) continue;
    const chart = join(folder, `chart-${count}`);
    mkdirSync(chart);
    writeChart(chart, count);
    commands.push([`${name}, helm`, [helm, 'template', 'bench', chart]]);
  }
  const figures = await inTurn(
    commands.map(([, command]) => command),
    rounds,
  );
  return { inputs, of: new Map(commands.map(([name], index) => [name, figures[index]])) };
}

function report({ inputs, of }) {
  const node = of.get('node');
  const ratio = (one, other) => (other === undefined ? '-' : figureText(one.time / other.time));
  const peaks = (...ones) => ones.map((one) => (one === undefined ? '-' : one.peak.toFixed(0)));
  const lines = inputs.map(({ name, objects, count }, index) => {
    const [own, floor, helm] = ['', ', js-yaml', ', helm'].map((suffix) => of.get(name + suffix));
    const ratios = [ratio(own, node), ratio(own, floor), ratio(own, helm)];
    const before = count === undefined ? undefined : of.get(inputs[index - 1]?.name);
    return [name, String(objects), figureText(own.time), ...ratios, ratio(own, before), ...peaks(own, floor, helm)];
  });
  const head = ['', 'objects', 'ms', '/ node', '/ js-yaml', '/ helm', '/ line above', 'MiB', 'js-yaml', 'helm'];
  const idle = ['node -e 0', '', figureText(node.time), '1.00', '', '', '', ...peaks(node), '', ''];
  return { lines: [head, idle, ...lines], claims: claimsOf(of) };
}

function claimsOf(of) {
  const [node, one, thousand, floor, helm, most] = [
    'node',
    'N = 1',
    'N = 1000',
    'N = 1000, js-yaml',
    'N = 1000, helm',
    'N = 5000',
  ].map((name) => of.get(name));
  const claims = [{ name: 'N = 1 / node -e 0', figure: one.time / node.time, target: 2, unit: '' }];
  claims.push({ name: 'N = 1000 / js-yaml', figure: thousand.time / floor.time, target: 1, unit: '' });
  if (helm) claims.push({ name: 'N = 1000 / helm template', figure: thousand.time / helm.time, target: 1, unit: '' });
  if (most) claims.push({ name: 'N = 5000 / N = 1000', figure: most.time / thousand.time, target: 5.5, unit: '' });
  claims.push({ name: 'peak memory at N = 1000', figure: thousand.peak, target: 160, unit: 'MiB' });
  return claims;
}
