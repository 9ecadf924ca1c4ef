import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;
const index = readFileSync(join(root, 'docs/README.md'), 'utf8');

const PLAN = 'Plan: what a change does to a repository';

/** A question, the heading of its answer, and the public thread that asked it. */
type Question = readonly [question: string, heading: string, thread?: string];

/** Questions that users ask. */
const QUESTIONS: readonly Question[] = [
  ['Why an RGD and not a chart?', 'Why an RGD and not a chart'],
  ['How do I make an RGD of the manifests that I have?', 'From manifests to an RGD'],
  ['How do I render one instance only?', 'Render one instance only'],
  ['How do I leave the labels out?', 'Leave the labels out'],
  ['How do I exclude a file?', 'Exclude a file'],
  ['How do I silence a warning?', 'Exceptions'],
  ['Which version of kro is rendered, and how do I choose it?', 'kro 0.10'],
  ['Which types and markers has a schema?', 'SimpleSchema'],
  ['How do I make a field optional?', 'Required, optional, default'],
  ['How do I leave `replicas` out beside an autoscaler?', 'Replicas beside an autoscaler'],
  ['How do I set values for each environment?', 'Values for each environment'],
  ['Where do Secrets go, and does SOPS work?', 'Secrets'],
  ['Why is a node skipped?', 'Explain a node'],
  ['Why is a node pending?', 'Pending values', 'kubernetes-sigs/kro#407'],
  ['Where does a field come from?', 'Explain a field'],
  ['How do I install the plugin of Argo CD?', 'Install'],
  ['How large must the sidecar be?', 'Size the sidecar'],
  ['How do I upgrade the sidecar?', 'Upgrade the sidecar'],
  [
    'How do I add the plugin to an Argo CD that its chart installed?',
    'Argo CD installed by its Helm chart',
    'argoproj/argo-cd#15006',
  ],
  ['How do I use Flux, which runs no functions?', 'Flux without functions', 'fluxcd/kustomize-controller#120'],
  [
    'How does Flux keep `${...}` of an RGD?',
    'An RGD below a Kustomization with postBuild',
    'fluxcd/kustomize-controller#398',
  ],
  ['How do I review a pull request in GitLab?', 'GitLab, Jenkins and Azure Pipelines'],
  ['How do I go back to kro?', 'Move back to kro'],
  ['Is anything sent anywhere?', 'What is sent anywhere'],
  ['What does a version number promise?', 'Versions'],
  ['Which commit changed an object?', 'Find the commit that changed an object'],
  ['How do I compare with a cluster?', 'Compare with a cluster'],
  ['How do I generate types for a program?', 'Types for programs'],
  ['What does kro do differently?', 'Differences from kro'],
  ['How does Flux wait for an RGD or an instance?', 'Wait for health', 'fluxcd/flux2#4346'],
  ['Is it stable, and what comes next?', 'Roadmap and stability'],
  ['How do I render an RGD and an instance without a cluster?', 'Try it', 'kubernetes-sigs/kro#993'],
  ['How do I leave a field out that an instance does not set?', 'An optional value', 'kubernetes-sigs/kro#928'],
  ['How do I include an object if a field is set?', 'A whole object', 'kubernetes-sigs/kro#571'],
  ['How do I read a ConfigMap that already exists?', 'Observe live objects', 'kubernetes-sigs/kro#568'],
  ['How do I test an RGD?', 'Golden tests', 'kubernetes-sigs/kro#418'],
  ['How do I check a pull request of Argo CD Applications?', PLAN, 'aws-samples/appmod-blueprints#647'],
  ['Why does the plugin of Argo CD time out?', 'Plugins of Argo CD under load', 'argoproj/argo-cd#8131'],
  ['Why does `kubectl kustomize` not render?', 'Set both flags', 'kubernetes/kubectl#1498'],
  ['Does a change of an RGD break its instances?', 'Compatibility'],
  ['Does drydock render it?', 'drydock'],
];

const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s/g, '-');

/** Returns the heading that a link of the index leads to. */
function headingAt(link: string): string | undefined {
  const [path = '', anchor] = link.split('#');
  const text = readFileSync(join(root, normalize(join('docs', path))), 'utf8');
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return anchor === undefined ? headings[0] : headings.find((heading) => slugOf(heading) === anchor);
}

const rows = [...index.matchAll(/^\| ([^|]*\?) \| \[[^\]]*\]\(([^)]*)\)/gm)].map(
  ([, question = '', link = '']) => [question, link] as const,
);

it('the index answers the questions of users', () => {
  const answered = rows.map(([question]) => question);
  expect(answered.sort()).toEqual(QUESTIONS.map(([question]) => question).sort());
});

it.each(QUESTIONS)('%s', (question, heading) => {
  const link = rows.find(([one]) => one === question)?.[1] ?? '';
  expect(headingAt(link)).toBe(heading);
});

it('ten of them come from public threads', () => {
  const threads = QUESTIONS.flatMap(([, , thread]) => thread ?? []);
  expect(new Set(threads).size).toBeGreaterThanOrEqual(10);
  expect(threads.filter((thread) => !/^[\w-]+\/[\w-]+#\d+$/.test(thread))).toEqual([]);
});

it('no two questions have one answer', () => {
  const links = rows.map(([, link]) => link);
  expect(links.filter((link, index) => links.indexOf(link) !== index)).toEqual([]);
});

it('the index lists every page once', () => {
  const parts = index.slice(0, index.indexOf('## Questions'));
  const listed = [...parts.matchAll(/\]\(([\w.-]+\.md)\)/g)].map(([, name = '']) => name).sort();
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  expect(listed).toEqual(pages.sort());
});
