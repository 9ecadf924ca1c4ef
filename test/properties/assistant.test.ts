import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import table from '../../data/mcp-tools.json';
import { assistantFor } from '../../src/cli/servers.ts';
import { recordingIo } from '../cli/recording.ts';
import { application } from '../gitops/plan/repository.ts';
import { LONG, runs } from './runs.ts';
import { planted } from './secret-routes.ts';

const before = process.cwd();
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-assistant-'));
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

const commands = async () => import('../../src/cli/commands.ts') as never;
const context = { io: recordingIo({ stdout: '', stderr: '' }, undefined), version: '0', commands };

/** What an attacker asks of a string: whether something fails, is included, or how often it is rendered. */
const QUESTIONS = [
  'X',
  'size(X)',
  '(size(X) > 12) ? 1 / 0 : 2',
  "X.charAt(0) <= 'm' ? 1 / 0 : 2",
  "X.startsWith('q') || 1 / 0 == 1",
  '[1].filter(i, X.contains("a"))',
  'lists.range(size(X))',
  'has(X.b)',
  '{X: 1}',
  "cel.bind(x, X, x == 'a' ? [][1] : 3)",
  'true || X == "a"',
  'dyn(X) in ["a"]',
  '[X].exists(one, one == "a")',
  'json.marshal(schema) + X',
  'base64.encode(bytes(X))',
  'hash.sha256(X)',
];

/** Ways to read the Secret of a package. */
const READS = [
  'string(secret.data.p)',
  'string(secret.data.q)',
  'string(secrets[0].data.p)',
  'secrets.map(s, string(s.data.p)).join("")',
  'own.stringData.p',
  'string(own.data.p)',
  'copy.data.v',
  'string(secret.data.?p.orValue(b""))',
  'secret.data.map(k, k).join("")',
  '(has(secret.data.p) ? "a" : "b")',
  '(has(secret.data) ? "a" : "b")',
  '(size(secret.data) > 1 ? "a" : "b")',
  '("p" in secret.data ? "a" : "b")',
  'json.marshal(secret)',
  'secret.metadata.?annotations.?copy.orValue("z")',
  '(secret == secret ? secret.data.p : b"")',
];

/** A second RGD of an assistant that may write files: it makes what it can see depend on the value. */
const probe = (read: string, how: string, schema: string): string => `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: probe}
spec:
  schema: {apiVersion: v1alpha1, kind: Probe, spec: {a: string}, status: ${schema}}
  resources:
  - {id: secret, externalRef: {apiVersion: v1, kind: Secret, metadata: {name: kept}}}
  - {id: secrets, externalRef: {apiVersion: v1, kind: Secret, metadata: {selector: {}}}}
  - {id: own, template: {apiVersion: v1, kind: Secret, metadata: {name: mine}, data: "\${secret.data}"}}
${how.replaceAll('READ', read.replaceAll('"', "'"))}
---
apiVersion: kro.run/v1alpha1
kind: Probe
metadata: {name: probe, namespace: default}
spec: {a: x}
`;

const PROBES = [
  `  - {id: copy, includeWhen: ["\${READ < 'm'}"], template: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {v: x}}}`,
  `  - {id: copy, forEach: [{i: "\${READ.split('')}"}], template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "c-\${i}"}, data: {v: x}}}`,
  `  - {id: copy, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${READ}"}, data: {v: x}}}`,
  `  - {id: copy, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {v: "\${READ}"}}}\n  - {id: f, includeWhen: ["\${copy.data.v < 'm'}"], template: {apiVersion: v1, kind: ConfigMap, metadata: {name: d}}}`,
  `  - {id: copy, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: c, labels: {l: "\${READ}"}}, data: {v: x}}}\n  - {id: f, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {selector: {matchLabels: {l: q}}}}}\n  - {id: g, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "n-\${string(size(f))}"}}}`,
  `  - {id: copy, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${READ}"}}}`,
  `  - {id: copy, template: {apiVersion: kro.run/v1alpha1, kind: Through, metadata: {name: t}, spec: {a: "\${READ}"}}}\n  - {id: f, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: d}, data: {v: "\${copy.status.inner}"}}}`,
  `  - {id: copy, template: {apiVersion: v1, kind: Service, metadata: {name: s}, spec: {ports: [{port: "\${size(READ)}"}]}}}`,
  `  - {id: copy, template: {apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, metadata: {name: pol}, spec: {matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps, secrets]}]}, validations: [{expression: "\${'\\'' + READ + '\\' == \\'a\\''}"}]}}}\n  - {id: b, template: {apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: b}, spec: {policyName: pol, validationActions: [Deny]}}}`,
  `  - {id: copy, template: {apiVersion: fluxcd.controlplane.io/v1, kind: ResourceSet, metadata: {name: s}, spec: {inputs: [{a: "\${READ}"}], resourcesTemplate: "<< if eq inputs.a \\"q\\" >>{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}<< end >>"}}}`,
  `  - {id: copy, template: {apiVersion: v1, kind: Secret, metadata: {name: again}, stringData: {p: "\${READ}"}}}\n  - {id: f, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${copy.stringData.p}"}}}`,
];

/** Policies on Secrets themselves, whose decision depends on their values. */
const POLICY = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: on-secrets}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [secrets]}]}
  validations:
  - {expression: "!has(object.data) || object.data.all(k, size(object.data[k]) > 20)", messageExpression: "string(size(object.data))"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: on-secrets}
spec: {policyName: on-secrets, validationActions: [Deny]}
`;

/** Other contents of the Secret of a package, in its place. */
type Variant = (documents: readonly string[]) => readonly string[];
/** Changes the document of the Secret: keys that a template writes are not its values. */
const ofSecret =
  (change: (document: string) => string): Variant =>
  (documents) =>
    documents.map((one) =>
      /^(?:kind: (?:Secret|List)|\{"apiVersion":"v1","kind":"Secret")/m.test(one) ? change(one) : one,
    );
const moreKeys = ofSecret((one) => one.replace(/^( *)p: (\S+)$/m, '$1p: $2\n$1q: eHh4\n$1r: |\n$1  YWFh'));
const noKey = ofSecret((one) => one.replace(/^( *)p: (\S+)$/m, '$1other: $2').replace('"p":', '"other":'));
const noData = ofSecret((one) => one.replace(/^data:\n {2}p: \S+\n/m, ''));
const otherForm = ofSecret((one) => one.replace(/^( *)data:\n/gm, '$1stringData:\n').replace('"data"', '"stringData"'));
const VARIANTS: readonly Variant[] = [(documents) => documents, moreKeys, noKey, noData, otherForm];

const value = fc
  .array(fc.constantFrom(...'abcdefghijkmnprstuvwxyz23456789'), { minLength: 3, maxLength: 60 })
  .map((letters) => `q${letters.join('')}7q`);

interface Call {
  tool: string;
  given: Record<string, unknown>;
}

const callsOf = (question: string, read: string): Call[] => {
  const paths = ['all.yaml'];
  const both = ['all.yaml', 'probe.yaml'];
  const expression = question.replaceAll('X', read);
  return [
    { tool: 'validate', given: { paths } },
    { tool: 'validate', given: { paths: both, strict: true } },
    { tool: 'validate', given: { paths: ['probe.yaml'], observed: ['all.yaml'] } },
    { tool: 'render', given: { paths } },
    { tool: 'render', given: { paths: both } },
    { tool: 'render', given: { paths: ['probe.yaml'], observed: paths } },
    { tool: 'pending', given: { paths: both } },
    { tool: 'pending', given: { paths: ['probe.yaml'], observed: paths } },
    { tool: 'graph', given: { paths, instance: 'Outer/one' } },
    { tool: 'graph', given: { paths: both, instance: 'Probe/probe' } },
    { tool: 'explain', given: { paths, object: 'Outer/one' } },
    { tool: 'explain', given: { paths: both, object: 'Probe/probe' } },
    ...['secret', 'copy', 'f', 'g', 'own'].flatMap((about) => [
      { tool: 'explain', given: { paths, object: 'Outer/one', about } },
      { tool: 'explain', given: { paths: both, object: 'Probe/probe', about } },
    ]),
    ...['ConfigMap/c', 'ConfigMap/d', 'Secret/mine', 'Secret/again', 'ConfigMap/copy'].map((object) => ({
      tool: 'explain',
      given: { paths: both, object, about: '.data' },
    })),
    { tool: 'cel', given: { paths, object: 'Outer/one', expression } },
    { tool: 'cel', given: { paths: both, object: 'Probe/probe', expression } },
    { tool: 'cel', given: { paths: ['probe.yaml'], observed: paths, object: 'Probe/probe', expression } },
    { tool: 'cel', given: { expression: "1 + size('a')" } },
    { tool: 'schema', given: { paths: both, kind: 'Probe' } },
    {
      tool: 'plan',
      given: { changes: { 'apps/more.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: more}\n' } },
    },
    { tool: 'plan', given: { changes: { 'apps/probe.yaml': null, 'apps/all.yaml': null } } },
    {
      tool: 'plan',
      given: {
        changes: {
          'apps/all.yaml':
            'apiVersion: v1\nkind: Secret\nmetadata:\n  name: kept\n  namespace: default\ndata:\n  p: cWFiYzdx\n',
        },
      },
    },
  ];
};

const answersTo = async (files: Readonly<Record<string, string>>, calls: readonly Call[]): Promise<string[]> => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { call } = assistantFor(context);
  const answers: string[] = [];
  for (const { tool, given } of calls) answers.push(JSON.stringify(await call(tool, given)));
  return answers;
};

it('every tool is called', () => {
  const called = new Set(callsOf('X', 'x').map(({ tool }) => tool));
  expect([...called].sort()).toEqual(Object.keys(table.tools).sort());
});

it('an assistant learns nothing of a Secret, whichever tool it calls', { timeout: LONG }, async () => {
  let calls = 0;
  let withheld = 0;
  await fc.assert(
    fc.asyncProperty(
      planted,
      value,
      value,
      fc.constantFrom(...VARIANTS),
      fc.constantFrom(...QUESTIONS),
      fc.constantFrom(...READS),
      fc.constantFrom(...PROBES),
      fc.constantFrom('{}', '{s: "${string(secret.data.p)}"}', '{s: "${own.metadata.name}"}'),
      async ({ documents, ways }, one, other, variant, question, read, how, schema) => {
        const asked = callsOf(question, read);
        const written = probe(read, how, schema);
        const filesOf = (all: readonly string[]): Record<string, string> => ({
          'all.yaml': all.join('\n---\n'),
          'probe.yaml': `${written}---${POLICY}`,
          'argocd/app.yaml': application('app', '{ path: apps, plugin: { name: render-rgd } }'),
          'apps/all.yaml': all.join('\n---\n'),
          'apps/probe.yaml': written,
        });
        const first = await answersTo(filesOf(documents(one)), asked);
        const second = await answersTo(filesOf(variant(documents(other))), asked);
        for (const [index, answer] of first.entries()) {
          const { tool, given } = asked[index] as Call;
          expect(answer, `${ways} ${tool} ${JSON.stringify(given)} ${how}`).toBe(second[index]);
          if (answer.includes('not shown: it reads')) withheld += 1;
        }
        calls += 2 * asked.length;
      },
    ),
    runs(16),
  );
  expect(withheld).toBeGreaterThan(calls / 20);
  console.log(`${calls} calls of tools, ${withheld} answers withheld`);
});
