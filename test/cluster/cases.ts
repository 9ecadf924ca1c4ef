import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { KubeObject } from '../../src/model/object.ts';
import { getAt } from '../../src/model/value.ts';
import { isRgd } from '../../src/rgd/definition/definition.ts';
import { findCases } from '../../tools/conformance-cases.mjs';
import { jsonText, readPackageText } from './documents.ts';

/** A package to apply: RGDs, CRDs, instances and whatever else, and live objects. */
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
  'examples/resourceset': { input: ['examples/resourceset/input'], leftOut: 'kro knows no ResourceSets' },
};

/** Cases that cannot be compared in a cluster, and why. */
const incomparable: Record<string, string> = {
  'test/conformance/cel/025-has-and-defaults': 'kro puts labels on the instance, so that they are there to read',
  'test/conformance/graph/070-externalref-status-observed':
    'the observed object has no spec, so that no API server takes it',
  'test/conformance/graph/086-uid-labels': 'the instance names its uid, and an API server gives it another one',
  'test/conformance/graph/203-reader-sees-nested-uid': 'an API server gives uids of its own',
  'test/conformance/graph/088-status-reference-observed':
    'an API server keeps no address in the status of a Service that is no load balancer',
  'test/conformance/graph/090-observed-rendered-field-wins': 'an API server gives a resourceVersion of its own',
  'test/conformance/graph/092-observed-collection-items': 'an API server gives a Service a clusterIP of its own',
  'test/conformance/graph/100-chain-nested-status-unresolved-pending':
    'an API server fills in the clusterIP that is awaited',
  'test/conformance/graph/138-apiserver-default-not-known-pending':
    'an API server fills in the default that is awaited',
  'test/conformance/graph/095-instance-status-in-input-ignored':
    'kubectl refuses the unknown status field before kro sees it',
  'test/conformance/graph/031-foreach-exactly-1000': 'kro takes many minutes for a thousand objects',
};

/** The examples, the conformance cases of this repository and those below other folders. */
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
    leftOut: 'a ResourceList goes to no cluster',
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
  if (readsUid) return { ...one, leftOut: 'it reads the uid of the instance, and an API server gives uids of its own' };
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

/** What configures kustomize, kpt and functions is for no cluster. */
const isConfiguration = (apiVersion: string): boolean =>
  /^(?:kustomize\.config\.k8s\.io|kpt\.dev|render-rgd\.dev)\//.test(apiVersion);

const isDefinition = (object: KubeObject): boolean => isRgd(object) || object.kind === 'CustomResourceDefinition';
