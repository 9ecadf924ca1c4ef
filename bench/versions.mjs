// Runs every tool on a platform of 100 RGDs and 1,000 instances. Between two versions a few differ, or all. CPU seconds
// of the process.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { checkBuilt, native, onNode } from './support/command.mjs';
import { costOf } from './support/cost.mjs';
import { workload } from './support/workload.mjs';

export const title = 'Every tool over 100 RGDs and 1,000 instances, and two versions of them';
const RGDS = 100;
const EACH = 10;
const GOAL = 2;

export async function run() {
  checkBuilt();
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-versions-'));
  try {
    const [few, all] = [differsInAFew, () => true];
    const old = writeVersion(join(folder, 'old'), () => false);
    const young = writeVersion(join(folder, 'new'), few);
    const other = writeVersion(join(folder, 'other'), all);
    const tests = writeTests(join(folder, 'tests'), join(folder, 'new'));
    const lines = [['', 'command', 'CPU seconds', 'MiB']];
    const claims = [];
    const measure = (name, command, [what, ...args]) => {
      const { seconds, peak } = costOf([...command, ...args]);
      lines.push([name, what, seconds.toFixed(2), peak.toFixed(0)]);
      return { what, seconds };
    };
    for (const args of compared(old, young)) measure('Node', onNode, args);
    if (native === undefined) return { lines, claims };
    const ofAll = ['diff, every RGD and instance differs', 'diff', old, other];
    const rows = [...compared(old, young), ofAll, ...others(young, join(folder, 'written'), tests)].map((args) =>
      measure('the executable', native, args),
    );
    const worst = rows.reduce((one, row) => (row.seconds > one.seconds ? row : one));
    const name = `any tool on such trees, the executable (${worst.what})`;
    claims.push({ name, figure: worst.seconds, target: GOAL, unit: 's' });
    return { lines, claims };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const compared = (old, young) => [
  ['render', 'render', young],
  ['diff', 'diff', old, young],
  ['compat', 'compat', old, young],
];

const others = (folder, written, tests) => [
  ['render --output-dir', 'render', folder, '--output-dir', written],
  ['the same again', 'render', folder, '--output-dir', written],
  ['validate', 'validate', folder],
  ['validate -o sarif', 'validate', folder, '-o', 'sarif'],
  ['test --update, 100 tests', 'test', tests, '--update'],
  ['test', 'test', tests],
  ['test --coverage', 'test', tests, '--coverage'],
  ['pending', 'pending', folder],
  ['observe', 'observe', folder, '--from', folder],
  ['crd', 'crd', folder],
  ['docs', 'docs', folder],
  ['graph', 'graph', folder],
  ['graph -o svg', 'graph', folder, '-o', 'svg'],
  ['instance', 'instance', 'WebApp7', folder],
  ['schema', 'schema', 'WebApp7', folder],
  ['schema --output-dir', 'schema', folder, '--output-dir', join(written, 'schemas')],
  ['explain', 'explain', 'WebApp7/app-00073', folder],
  ['explain --eval', 'explain', 'WebApp7/app-00073', folder, '--eval', 'schema.spec.replicas'],
];

const differsInAFew = (index, at) => (at === undefined ? index === 7 : at === 3 && index % 5 === 0);

/** Writes a golden test of the instances of each RGD. */
function writeTests(folder, version) {
  for (let index = 0; index < RGDS; index++) {
    const test = join(folder, `webapp-${index}`);
    mkdirSync(test, { recursive: true });
    const [input, rgd] = [join('apps', `team-${index}`), join('platform', `rgd-${index}.yaml`)];
    const text = `input: [${relative(test, join(version, input))}]\ndefinitions: [${relative(test, join(version, rgd))}]\n`;
    writeFileSync(join(test, 'test.yaml'), text);
  }
  return folder;
}

/** `differs` reports whether an RGD, or an instance of it, differs in this version. */
function writeVersion(folder, differs) {
  const [rgd, ...instances] = workload(RGDS * EACH).split('---\n');
  mkdirSync(join(folder, 'platform'), { recursive: true });
  for (let index = 0; index < RGDS; index++) {
    const named = rgd.replace('name: webapp', `name: webapp${index}`).replace('kind: WebApp', `kind: WebApp${index}`);
    const text = differs(index) ? named.replace('nginx:1.27', 'nginx:1.28').replace('128Mi', '129Mi') : named;
    writeFileSync(join(folder, 'platform', `rgd-${index}.yaml`), text);
    const apps = join(folder, 'apps', `team-${index}`);
    mkdirSync(apps, { recursive: true });
    for (const [at, instance] of instances.slice(index * EACH, (index + 1) * EACH).entries()) {
      const own = instance.replace('kind: WebApp', `kind: WebApp${index}`);
      const changed = differs(index, at) ? own.replace(/replicas: \d+/, 'replicas: 7') : own;
      writeFileSync(join(apps, `app-${at}.yaml`), changed);
    }
  }
  return folder;
}
