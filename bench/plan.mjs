// Measures a change of one RGD or one instance in a repository of 1,000 Applications of Argo CD, 20 RGDs and 20,000
// objects. CPU seconds of the process, compared with rendering everything twice.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkBuilt, native, onNode } from './support/command.mjs';
import { costOf } from './support/cost.mjs';

export const title = 'A plan of 1,000 applications: one RGD, or one instance, changes';
const APPLICATIONS = 1000;
const RGDS = 20;
const NODES = 20;
const SECONDS = { 'one RGD': 10, 'one instance': 2 };
const MIB = 500;

export async function run() {
  checkBuilt();
  const root = mkdtempSync(join(tmpdir(), 'render-rgd-plan-'));
  try {
    writeRepository(root);
    const lines = [['', 'what changes', 'CPU seconds', 'MiB']];
    const claims = [];
    for (const [name, command] of [
      ['Node', onNode],
      ['the executable', native],
    ]) {
      if (command === undefined) continue;
      for (const [what, file, text] of [
        ['one RGD', 'platform/rgd-3.yaml', rgd(3, 'second')],
        ['one instance', 'apps/app-7/app.yaml', instance(7, 'other')],
      ]) {
        writeFileSync(join(root, file), text);
        const { seconds, peak } = costOf([...command, 'plan', root, '--against', 'HEAD']);
        git(root, 'checkout', '-q', '.');
        lines.push([name, what, seconds.toFixed(1), peak.toFixed(0)]);
        claims.push({ name: `plan, ${what}, ${name}`, figure: seconds, target: SECONDS[what], unit: 's' });
        claims.push({ name: `peak memory of it, ${name}`, figure: peak, target: MIB, unit: 'MiB' });
      }
      const all = [...command, 'render', join(root, 'apps'), '--definitions', join(root, 'platform')];
      const { seconds, peak } = costOf(['sh', '-c', '"$@" && "$@"', 'sh', ...all]);
      lines.push([name, 'everything rendered twice', seconds.toFixed(1), peak.toFixed(0)]);
    }
    return { lines, claims };
  } finally {
    rmSync(root, { recursive: true });
  }
}

function git(root, ...args) {
  const own = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...own, ...args], { cwd: root });
}

function writeRepository(root) {
  for (const folder of ['platform', 'argocd', 'apps']) mkdirSync(join(root, folder));
  for (let index = 0; index < RGDS; index++) {
    writeFileSync(join(root, 'platform', `rgd-${index}.yaml`), rgd(index, 'first'));
  }
  for (let index = 0; index < APPLICATIONS; index++) {
    mkdirSync(join(root, 'apps', `app-${index}`));
    writeFileSync(join(root, 'apps', `app-${index}`, 'app.yaml'), instance(index, 'text'));
    writeFileSync(join(root, 'argocd', `app-${index}.yaml`), application(index));
  }
  git(root, 'init', '-q');
  git(root, 'add', '.');
  git(root, 'commit', '-q', '-m', 'first');
}

const rgd = (index, version) => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: app${index} }
spec:
  schema:
    apiVersion: v1alpha1
    kind: App${index}
    spec:
      title: string | default=Hello
      replicas: integer | default=2
  resources:
${Array.from({ length: NODES }, (_, node) => nodeOf(node, version)).join('')}`;

const nodeOf = (node, version) =>
  node % 4 === 0
    ? `    - id: server${node}
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata: { name: "\${schema.metadata.name}-${node}" }
        spec:
          replicas: \${schema.spec.replicas}
          selector: { matchLabels: { app: "\${schema.metadata.name}" } }
          template:
            metadata: { labels: { app: "\${schema.metadata.name}" } }
            spec: { containers: [{ name: web, image: "nginx:1.27" }] }
`
    : `    - id: text${node}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: { name: "\${schema.metadata.name}-${node}" }
        data: { title: "\${schema.spec.title}", version: ${version} }
`;

const instance = (index, title) => `apiVersion: kro.run/v1alpha1
kind: App${index % RGDS}
metadata: { name: app-${index}, namespace: web }
spec: { title: ${title} ${index} }
`;

const application = (index) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: app-${index} }
spec:
  project: default
  destination: { server: https://kubernetes.default.svc, namespace: web }
  source:
    repoURL: https://git.example.com/fleet
    path: apps/app-${index}
    plugin: { name: render-rgd, parameters: [{ name: definitions, array: [../../platform/rgd-${index % RGDS}.yaml] }] }
`;
