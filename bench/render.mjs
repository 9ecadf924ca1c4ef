// Measures processes of the built command: start-up, reading, rendering and printing, compared with Node itself, with
// reading and writing the same objects with js-yaml alone, and with `helm template` of a chart that renders the same
// objects.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeChart } from './support/chart.mjs';
import { checkBuilt, native, onNode } from './support/command.mjs';
import { helm } from './support/helm.mjs';
import { chainPackage, collectionPackage, deepPackage, widePackage } from './support/packages.mjs';
import { inTurn } from './support/process.mjs';
import { figureText } from './support/table.mjs';
import { emptyWorkload, workload } from './support/workload.mjs';

export const title = 'Rendering, as whole processes: milliseconds, ratios and peak MiB';

const FLOOR = fileURLToPath(new URL('support/floor.mjs', import.meta.url));

export async function run({ short }) {
  checkBuilt();
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
      inputs.push({ name: 'N = 1000, a chain of seven nodes', text: chainPackage(1000) });
      inputs.push({ name: 'N = 1000, a collection of seven', text: collectionPackage(1000) });
      inputs.push({ name: 'compile only: `crd` of the 60 nodes', text: widePackage(0), verb: 'crd' });
      inputs.push({
        name: 'validate only: 1000 instances, no nodes',
        text: emptyWorkload(1000),
        options: ['--allow-empty'],
      });
    }
    return report(await measure(inputs, folder, short ? 3 : 7));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs everything in turn, so that all ratios are of one run. */
async function measure(inputs, folder, rounds) {
  const commands = [['node', [process.execPath, '-e', '0']]];
  for (const [index, { name, text, count, verb = 'render', options = [] }] of inputs.entries()) {
    const input = join(folder, `${index}.yaml`);
    writeFileSync(input, text);
    const objects = join(folder, `${index}.json`);
    const json = execFileSync(onNode[0], [onNode[1], verb, input, ...options, '-o', 'json'], { maxBuffer: 1 << 30 });
    writeFileSync(objects, json);
    inputs[index].objects = json.toString().split('\n    "apiVersion"').length - 1;
    commands.push([name, [...onNode, verb, input, ...options]]);
    if (native !== undefined) commands.push([`${name}, native`, [...native, verb, input, ...options]]);
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
  const ratio = (one, other) => (one === undefined || other === undefined ? '-' : figureText(one.time / other.time));
  const peaks = (...ones) => ones.map((one) => (one === undefined ? '-' : one.peak.toFixed(0)));
  const lines = inputs.flatMap(({ name, objects, count }, index) => {
    const [floor, helm] = [', js-yaml', ', helm'].map((suffix) => of.get(name + suffix));
    const lineOf = (suffix, title, count_) => {
      const own = of.get(name + suffix);
      if (own === undefined) return [];
      const before = count === undefined ? undefined : of.get(`${inputs[index - 1]?.name}${suffix}`);
      const ratios = [ratio(own, node), ratio(own, floor), ratio(own, helm), ratio(own, before)];
      return [[title, count_, figureText(own.time), ...ratios, ...peaks(own, floor, helm)]];
    };
    return [...lineOf('', name, String(objects)), ...lineOf(', native', '  the executable', '')];
  });
  const head = ['', 'objects', 'ms', '/ node', '/ js-yaml', '/ helm', '/ line above', 'MiB', 'js-yaml', 'helm'];
  const idle = ['node -e 0', '', figureText(node.time), '1.00', '', '', '', ...peaks(node), '', ''];
  return { lines: [head, idle, ...lines], claims: [...claimsOf(of), ...nativeClaims(of)] };
}

/** Returns the goals of the executable, relative to the others. */
function nativeClaims(of) {
  const [node, one, thousand] = ['node', 'N = 1, native', 'N = 1000, native'].map((name) => of.get(name));
  if (one === undefined || thousand === undefined) return [];
  const [oneHelm, helm, floor] = ['N = 1, helm', 'N = 1000, helm', 'N = 1000, js-yaml'].map((name) => of.get(name));
  const claim = (name, own, other, target) => ({
    name: `executable, ${name}`,
    figure: own.time / other.time,
    target,
    unit: '',
  });
  const claims = [claim('N = 1 / node -e 0', one, node, 1), claim('N = 1000 / js-yaml', thousand, floor, 0.6)];
  if (helm === undefined) return claims;
  return [...claims, claim('N = 1 / helm', one, oneHelm, 1.1), claim('N = 1000 / helm', thousand, helm, 0.55)];
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
  const claims = [{ name: 'N = 1 / node -e 0', figure: one.time / node.time, target: 2.5, unit: '' }];
  claims.push({ name: 'N = 1000 / js-yaml', figure: thousand.time / floor.time, target: 1, unit: '' });
  if (helm) claims.push({ name: 'N = 1000 / helm template', figure: thousand.time / helm.time, target: 1, unit: '' });
  if (most) claims.push({ name: 'N = 5000 / N = 1000', figure: most.time / thousand.time, target: 5.5, unit: '' });
  claims.push({ name: 'peak memory at N = 1000', figure: thousand.peak, target: 160, unit: 'MiB' });
  return claims;
}
