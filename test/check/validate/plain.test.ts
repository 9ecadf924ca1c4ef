import { describe, expect, it } from 'vitest';
import { validate } from '../../../src/api/index.ts';
import type { Diagnostic } from '../../../src/core/diagnostics/index.ts';
import { renderedCases } from './rendered-cases.ts';

type Files = Readonly<Record<string, string>>;

function found(files: Files, options: { strict?: boolean } = {}): Diagnostic[] {
  const objects = Object.entries(files).map(([file, text]) => ({ file, text }));
  return validate({ objects }, { ...options, disable: ['lint-unread-field', 'lint-unread-input'] }).diagnostics;
}

const codes = (files: Files, options?: { strict?: boolean }): string[] =>
  found(files, options).map(({ severity, code, object, field = '' }) =>
    `${severity} ${code} ${object} ${field}`.trim(),
  );

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx}]}
`;

/** Other expressions than a field of the instance, and their values in the cases. */
const VALUES: Readonly<Record<string, unknown>> = {
  '${dyn(schema.spec.value)}': { sizes: 1 },
  '${string("a" + schema.spec.value.suffix)}': 'a',
};

/** The object that the RGD of a case renders from its first instance, and the CRD of the case. */
function asWritten(text: string): string {
  const [crd = '', rgd = '', instance = ''] = text.split('\n---\n');
  const { value } = JSON.parse(instance).spec;
  const { template } = JSON.parse(rgd).spec.resources[0];
  const resolved = JSON.stringify(template, (_, inner) => {
    if (typeof inner !== 'string') return inner;
    if (inner in VALUES) return VALUES[inner];
    if (!inner.startsWith('${schema.spec.value')) return inner;
    const steps = inner.slice('${schema.spec.value'.length, -1).split('.').filter(Boolean);
    return steps.reduce((at, step) => at[step], value);
  });
  return `${crd}\n---\n${resolved}`;
}

describe('the validation of objects that no RGD renders', () => {
  it('accepts a valid object', () => expect(codes({ 'a.yaml': DEPLOYMENT })).toEqual([]));

  // What an API server says of them is checked where nodes render them.
  it.each(Object.entries(renderedCases))('rejects a written object as a rendered one: %s', (code, text) => {
    const [rendered] = found({ 'a.yaml': text });
    const written = found({ 'a.yaml': asWritten(text) });
    expect(written.map((one) => one.code)).toEqual([code]);
    expect(written[0]?.message).toBe(rendered?.message);
    expect(`spec.resources[0].template.${written[0]?.field}`).toBe(rendered?.field);
  });

  it('rejects an object without a name', () => {
    expect(codes({ 'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n' })).toEqual([
      'error rendered-required ConfigMap/ metadata',
    ]);
    expect(codes({ 'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: a-}\n' })).toEqual([]);
  });

  it('rejects what a ResourceSet renders, once for all of its inputs, at its template', () => {
    const set = (replicas: string): string => `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: set, namespace: web}
spec:
  inputs: [{name: a}, {name: b}]
  resources:
    - apiVersion: apps/v1
      kind: Deployment
      metadata: {name: << inputs.name >>, namespace: web}
      spec:
        replicas: ${replicas}
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: web, image: nginx}]}
`;
    expect(codes({ 'a.yaml': set('2') })).toEqual([]);
    const [one, ...others] = found({ 'a.yaml': set('"2"') });
    expect(others).toEqual([]);
    expect(one).toMatchObject({ code: 'rendered-type', line: 11, field: 'spec.replicas' });
    expect(one?.message).toMatch(/ \(2 objects\)$/);
  });

  it('checks the kinds of Argo CD and Flux without their CRDs, and prefers a CRD of the package', () => {
    const application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a}
spec: {project: default, destination: {namespace: web}, source: {repoURL: a}, syncPolicy: {automated: {prune: "no"}}}
`;
    expect(codes({ 'a.yaml': application })).toEqual([
      'error rendered-type Application/a spec.syncPolicy.automated.prune',
    ]);
    const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: applications.argoproj.io}
spec:
  group: argoproj.io
  scope: Namespaced
  names: {kind: Application, plural: applications}
  versions:
    - name: v1alpha1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`;
    expect(codes({ 'a.yaml': application, 'crd.yaml': crd })).toEqual([]);
  });

  it('warns of a kind that nothing describes, and rejects it with strict', () => {
    const widget = 'apiVersion: cert-manager.io/v1\nkind: Issuer\nmetadata: {name: a}\n';
    expect(codes({ 'a.yaml': widget })).toEqual(['warning unknown-kind Issuer/a kind']);
    expect(codes({ 'a.yaml': widget }, { strict: true })).toEqual(['error unknown-kind Issuer/a kind']);
  });

  it('ignores the configuration of a tool, which has no metadata', () => {
    expect(codes({ 'a.yaml': 'apiVersion: v1\nkind: Config\nclusters: []\n' }, { strict: true })).toEqual([]);
  });

  it('ignores what a kustomization uses as a patch or for a function, and nothing else', () => {
    const patch = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}\n';
    const kustomization = (content: string): Files => ({
      'apps/web/kustomization.yaml': content,
      'apps/web/patches/replicas.yaml': patch,
    });
    const lists = [
      'patches: [{path: patches/replicas.yaml}]',
      'patches: [{path: ./patches/../patches/replicas.yaml}]',
      'patchesStrategicMerge: [patches/replicas.yaml]',
      'transformers: [patches/replicas.yaml]',
      'generators: [patches/replicas.yaml]',
    ];
    for (const list of lists) expect(codes(kustomization(`${list}\n`)), list).toEqual([]);
    for (const list of ['resources: [patches/replicas.yaml]', 'patches: [{path: ../replicas.yaml}]']) {
      expect(codes(kustomization(`${list}\n`)), list).not.toEqual([]);
    }
  });

  it('rejects names that an API server rejects, by the kind', () => {
    const config = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "${name}"}\n`;
    const role = `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: "system:a_b"}\n`;
    expect(codes({ 'a.yaml': config('_a') })).toEqual(['error rendered-value ConfigMap/_a metadata.name']);
    expect(codes({ 'a.yaml': config('a.b-c') })).toEqual([]);
    expect(codes({ 'a.yaml': config('${NAME}') })).toEqual([]);
    expect(codes({ 'a.yaml': role })).toEqual([]);
  });

  it('does not judge values that a tool replaces', () => {
    expect(codes({ 'a.yaml': DEPLOYMENT.replace('replicas: 2', 'replicas: ${REPLICAS:=2}') })).toEqual([]);
    expect(codes({ 'a.yaml': DEPLOYMENT.replace('name: web}', 'name: "${NAME}"}') })).toEqual([]);
    expect(codes({ 'a.yaml': DEPLOYMENT.replace('replicas: 2', 'replicas: "2"') })).not.toEqual([]);
  });

  it('does not judge the encrypted values of SOPS, but all others', () => {
    const secret = (more: string): string =>
      `apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {a: "ENC[AES256_GCM,data:x]"}\n${more}sops: {mac: "ENC[x]", version: 3.9.0}\n`;
    expect(codes({ 'a.yaml': secret('') })).toEqual([]);
    expect(codes({ 'a.yaml': secret('immutable: sometimes\n') })).toEqual(['error rendered-type Secret/a immutable']);
  });

  it('does not print a value of a Secret', () => {
    const text = 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {a: "planted?value"}\n';
    const diagnostics = found({ 'a.yaml': text });
    expect(diagnostics).toMatchObject([
      { code: 'rendered-value', message: expect.stringMatching(/: must be base64$/) },
    ]);
    expect(JSON.stringify(diagnostics)).not.toContain('planted');
  });
});
