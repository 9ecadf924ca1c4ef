import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { KubeObject } from '../../src/core/model/object.ts';
import { getAt } from '../../src/core/model/value.ts';
import { isRgd } from '../../src/kro/definition/read.ts';
import { findCases } from '../../tools/conformance-cases.mjs';
import { jsonText, readPackageText } from './documents.ts';

/** A package to apply: RGDs, CRDs, instances and other objects, and live objects. */
export interface ClusterCase {
  name: string;
  objects: KubeObject[];
  observed: KubeObject[];
  /** Why it cannot be applied. */
  leftOut?: string;
}

/** Packages among the examples: files and folders, and live objects. */
const examples: Record<string, { input: string[]; observed?: string; leftOut?: string }> = {
  'examples/argocd': { input: ['examples/argocd/platform', 'examples/argocd/blog', 'examples/argocd/shop'] },
  'examples/collections': { input: ['examples/collections/input'] },
  'examples/kpt': { input: ['examples/kpt/package'] },
  'examples/kustomize': { input: ['examples/kustomize/base'] },
  'examples/pending': { input: ['examples/pending/site'], observed: 'examples/pending/observed.yaml' },
  'examples/resourceset': { input: ['examples/resourceset/input'], leftOut: 'kro does not support ResourceSets' },
};

/** Cases that cannot be compared in a cluster, and why. */
const incomparable: Record<string, string> = {
  'test/conformance/cel/025-has-and-defaults': 'kro adds labels to the instance, and the case reads its labels',
  'test/conformance/graph/070-externalref-status-observed':
    'the observed object has no spec, so the API server rejects it',
  'test/conformance/graph/086-uid-labels': 'the instance has a uid, and the API server sets another one',
  'test/conformance/graph/203-reader-sees-nested-uid': 'the API server sets the uids',
  'test/conformance/graph/088-status-reference-observed':
    'the API server drops the address in the status of a Service that is not a load balancer',
  'test/conformance/graph/090-observed-rendered-field-wins': 'the API server sets the resourceVersion',
  'test/conformance/graph/092-observed-collection-items': 'the API server sets the clusterIP of a Service',
  'test/conformance/graph/100-chain-nested-status-unresolved-pending': 'the API server sets the pending clusterIP',
  'test/conformance/graph/223-status-field-state': 'kro sets the pending state',
  'test/conformance/graph/138-apiserver-default-not-known-pending': 'the API server sets the pending default',
  'test/conformance/graph/095-instance-status-in-input-ignored':
    'kubectl rejects the unknown status field before kro reads it',
  'test/conformance/graph/031-foreach-exactly-1000': 'kro needs many minutes for a thousand objects',
};

/** Returns the examples, the conformance cases of this repository and those in other folders. */
export function readCases(folders: readonly string[]): ClusterCase[] {
  const own = Object.entries(examples).map(([name, { input, observed, ...rest }]) => ({
    name,
    objects: input.flatMap(objectsOf),
    observed: observed === undefined ? [] : objectsOf(observed),
    ...rest,
  }));
  const tests = readdirSync('examples/tests').map((name) => readTest(`examples/tests/${name}`));
  const found = ['test/conformance', ...folders].flatMap((folder) => findCases(folder).map(readCase));
  return [...own, ...tests, ...found, ...readResourceLists()];
}

/** A golden test of the RGDs of the examples: docs/testing.md. */
function readTest(folder: string): ClusterCase {
  const { definitions, input } = parse(readFileSync(join(folder, 'test.yaml'), 'utf8')) as {
    definitions: string[];
    input?: string[];
  };
  const beside = readdirSync(folder).filter((name) => !/^(?:test|observed|expected.*)\.yaml$/.test(name));
  const rgds = definitions.flatMap((path) => objectsOf(join(folder, path))).filter(isDefinition);
  const instances = (input ?? beside).flatMap((path) => objectsOf(join(folder, path)));
  return { name: folder, objects: [...rgds, ...instances], observed: objectsOf(join(folder, 'observed.yaml')) };
}

/** The inputs of the tests of the function. */
function readResourceLists(): ClusterCase[] {
  return readdirSync('test/function').map((name) => ({
    name: `test/function/${name}`,
    objects: objectsOf(`test/function/${name}/input.yaml`),
    observed: [],
    leftOut: 'a ResourceList is not applied to a cluster',
  }));
}

function readCase(folder: string): ClusterCase {
  const observed = join(folder, 'observed.yaml');
  const one = { name: folder, objects: objectsOf(join(folder, 'input.yaml')), observed: objectsOf(observed) };
  const reason = incomparable[folder];
  if (reason !== undefined) return { ...one, leftOut: reason };
  const readsUid = one.objects.some((object) =>
    /metadata\.uid/.test(jsonText(getAt(object, ['spec', 'resources']) ?? null)),
  );
  if (readsUid) return { ...one, leftOut: 'it reads the uid of the instance, which the API server sets' };
  const args = join(folder, 'args.json');
  if (!existsSync(args)) return one;
  const options = (JSON.parse(readFileSync(args, 'utf8')) as string[]).filter((option) => option !== '--strict');
  return options.length === 0 ? one : { ...one, leftOut: `it is about ${options[0]}, which kro does not have` };
}

function objectsOf(path: string): KubeObject[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isDirectory()) {
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => /\.ya?ml$/.test(name));
    return names.sort().flatMap((name) => objectsOf(join(path, name)));
  }
  return readPackageText(readFileSync(path, 'utf8')).filter(({ apiVersion }) => !isConfiguration(apiVersion));
}

/** Objects that configure kustomize, kpt and functions are not applied. */
const isConfiguration = (apiVersion: string): boolean =>
  /^(?:kustomize\.config\.k8s\.io|kpt\.dev|render-rgd\.dev)\//.test(apiVersion);

const isDefinition = (object: KubeObject): boolean => isRgd(object) || object.kind === 'CustomResourceDefinition';

/** Objects with owner references to their instance, which the garbage collector would delete with it. */
const owned = `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: owned }
spec:
  schema: { apiVersion: v1alpha1, kind: Owned, spec: { text: string } }
  resources:
  - id: map
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: \${schema.metadata.name}
        ownerReferences:
        - apiVersion: kro.run/v1alpha1
          kind: Owned
          name: \${schema.metadata.name}
          uid: \${schema.metadata.uid}
      data: { text: "\${schema.spec.text}", other: "1" }
---
apiVersion: kro.run/v1alpha1
kind: Owned
metadata: { name: owned }
spec: { text: a }
`;

/** Outer instances without a namespace, with nested ones in a namespace. */
const clusterScoped = `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: page }
spec:
  schema: { apiVersion: v1alpha1, kind: Page, spec: { text: string } }
  resources:
  - id: map
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: "\${schema.metadata.name}" }
      data: { text: "\${schema.spec.text}", other: "1" }
---
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: book }
spec:
  schema: { apiVersion: v1alpha1, kind: Book, scope: Cluster, spec: { text: string } }
  resources:
  - id: page
    template:
      apiVersion: kro.run/v1alpha1
      kind: Page
      metadata: { name: "\${schema.metadata.name}-page", namespace: shelf }
      spec: { text: "\${schema.spec.text}" }
  - id: role
    template:
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata: { name: "\${schema.metadata.name}-reader" }
      rules: [{ apiGroups: [""], resources: [configmaps], verbs: [get] }]
---
apiVersion: kro.run/v1alpha1
kind: Book
metadata: { name: atlas }
spec: { text: a }
`;

/** Cases of `checkMigrations` that are not compared: the API server sets the uid of an owner. */
export const migrated = (): ClusterCase[] =>
  Object.entries({ 'owner-references': owned, 'cluster-scope': clusterScoped }).map(([name, text]) => ({
    name,
    objects: readPackageText(text),
    observed: [],
  }));
