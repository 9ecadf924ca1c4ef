import { describe, expect, it } from 'vitest';
import { fromPlain } from '../../../src/api/plain.ts';
import type { JsonValue } from '../../../src/api/types.ts';
import type { Report } from '../../../src/core/diagnostics/diagnostic.ts';
import { Collector, reporterFor } from '../../../src/core/diagnostics/index.ts';
import type { InputObject } from '../../../src/core/model/object.ts';
import type { RenderOptions } from '../../../src/core/model/render.ts';
import { formatPath } from '../../../src/core/model/value.ts';
import type { ResolvedNode } from '../../../src/kro/compile/kinds-of-nodes.ts';
import { resolveNode, suggestionsFrom } from '../../../src/kro/compile/kinds-of-nodes.ts';
import { readDefinition } from '../../../src/kro/definition/read.ts';
import { builtinKinds } from '../../../src/kubernetes/schema/builtin.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { rgd } from '../../core/diagnostics/examples/objects.ts';

interface Given {
  schema?: object;
  options?: Partial<RenderOptions>;
  broken?: string[];
}

function resolve(node: object, given: Given = {}): { resolved: ResolvedNode | undefined; reports: readonly Report[] } {
  const reports = new Collector();
  const input = { object: fromPlain(rgd(given.schema ?? {}, [{ id: 'a', ...node }]) as JsonValue) } as InputObject;
  const definition = readDefinition(input, reports);
  const [first] = definition?.nodes ?? [];
  if (definition === undefined || first === undefined) throw new Error(JSON.stringify(reports.all));
  const options = { ...defaultRenderOptions, ...given.options };
  const context = {
    kinds: builtinKinds,
    options,
    broken: new Set(given.broken),
    namesFor: suggestionsFrom(() => builtinKinds.names()),
  };
  return { resolved: resolveNode(first, 0, definition, context, reporterFor(input, reports)), reports: reports.all };
}

const template = (apiVersion: unknown, kind: unknown, metadata: unknown = { name: 'a' }) => ({
  template: { apiVersion, kind, metadata },
});
const told = (reports: readonly Report[]): string[] =>
  reports.map(({ severity = 'error', code, path }) => `${severity} ${code} ${formatPath(path.slice(3))}`);

describe('the kind of a node', () => {
  const reference = (metadata: object) => ({ externalRef: { apiVersion: 'v1', kind: 'ConfigMap', metadata } });

  it.each<[object, string]>([
    [template('v1', 'ConfigMap'), 'resource'],
    [{ ...template('v1', 'ConfigMap'), forEach: [{ b: '${[1]}' }] }, 'collection'],
    [reference({ name: 'a' }), 'external'],
    [reference({ name: 'a', selector: null }), 'external'],
    [reference({ selector: {} }), 'externalCollection'],
  ])('%j is a %s', (node, kind) => expect(resolve(node).resolved?.kind).toBe(kind));

  it('is found in the registry', () => {
    const { resolved, reports } = resolve(template('apps/v1', 'Deployment'));
    expect(resolved).toMatchObject({ gvk: { group: 'apps', version: 'v1', kind: 'Deployment' }, namespaced: true });
    expect(resolved?.schema?.properties).toHaveProperty('spec');
    expect(resolve(template('v1', 'Namespace')).resolved?.namespaced).toBe(false);
    expect(reports).toEqual([]);
  });
});

describe('an unknown kind', () => {
  const bucket = template('e.example/v1', 'Bucket');

  it('is namespaced and schemaless, with a warning', () => {
    const { resolved, reports } = resolve(bucket);
    expect(resolved).toMatchObject({ namespaced: true, schema: undefined });
    expect(told(reports)).toEqual(['warning unknown-kind template.kind']);
  });

  it('is cluster-scoped if the options say so, by kind and group', () => {
    const namespaced = (clusterScoped: string[]) =>
      resolve(bucket, { options: { clusterScoped } }).resolved?.namespaced;
    expect([namespaced(['Bucket.e.example']), namespaced(['Bucket']), namespaced(['Other.e.example'])]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('has a warning that it is assumed to be namespaced, with a hint', () => {
    const [report] = resolve(bucket).reports;
    expect(report?.message).toMatch(/its fields are not checked, and it is assumed to be namespaced$/);
    expect(report?.hint).toContain('--cluster-scoped Bucket.e.example');
    const [listed] = resolve(bucket, { options: { clusterScoped: ['Bucket.e.example'] } }).reports;
    expect(listed?.message).toMatch(/its fields are not checked$/);
    expect(listed?.hint).not.toContain('--cluster-scoped');
  });

  it.each<[string, unknown, boolean]>([
    ['sets none', undefined, false],
    ['sets an empty one', '', false],
    ['sets one', 'a', true],
    ['computes one', '${schema.metadata.name}', true],
  ])('has the scope of its template in a cluster-scoped RGD: %s', (_, namespace, namespaced) => {
    const metadata = { name: 'a', ...(namespace === undefined ? {} : { namespace }) };
    const node = template('e.example/v1', 'Bucket', metadata);
    const { resolved, reports } = resolve(node, { schema: { scope: 'Cluster' } });
    expect(resolved).toMatchObject({ namespaced, scopeAssumed: true });
    expect(told(reports)).toEqual(['warning unknown-kind template.kind']);
    expect(reports[0]?.message).toContain(namespaced ? 'assumed to be namespaced' : 'assumed to be cluster-scoped');
  });

  it('is an error when strict', () => {
    const { resolved, reports } = resolve(bucket, { options: { strict: true } });
    expect(resolved).toBeUndefined();
    expect(told(reports)).toEqual(['error unknown-kind template.kind']);
  });

  it('is not reported if its RGD is broken, which is reported', () => {
    const { resolved, reports } = resolve(bucket, { broken: ['Bucket.e.example'], options: { strict: true } });
    expect(resolved).toMatchObject({ schema: undefined });
    expect(reports).toEqual([]);
  });

  it.each([
    ['apps/v1beta7', 'Deployment', 'apps/v1 Deployment'],
    ['apps/v1', 'Deploymnt', 'apps/v1 Deployment'],
    ['app/v1', 'Deployment', 'apps/v1 Deployment'],
    ['apps/v1', 'Ingress', 'networking.k8s.io/v1 Ingress'],
    ['v1', 'Deployment', 'apps/v1 Deployment'],
    ['core/v1', 'ConfigMap', 'v1 ConfigMap'],

    ['rbac.authorisation.k8s.io/v1', 'RoleBindng', 'rbac.authorization.k8s.io/v1 RoleBinding'],
  ])('has a similar known kind: %s %s', (apiVersion, kind, known) => {
    expect(resolve(template(apiVersion, kind)).reports[0]?.hint).toContain(`did you mean ${known}`);
  });

  it.each([
    ['iam.services.k8s.aws/v1alpha1', 'Role'],
    ['elbv2.services.k8s.aws/v1alpha1', 'Servce'],
    ['example.com/v1', 'Deployment'],
  ])('has no similar kind if its group is different: %s %s', (apiVersion, kind) => {
    const [report] = resolve(template(apiVersion, kind)).reports;
    expect(report?.severity).toBe('warning');
    expect(report?.hint).not.toContain('did you mean');
  });

  it.each([
    ['apps/v1', 'Deploymnt'],
    ['v1', 'Deployment'],
    ['batch/v1', 'Nonsense'],
  ])('is an error in a group of Kubernetes itself: %s %s', (apiVersion, kind) => {
    const { resolved, reports } = resolve(template(apiVersion, kind));
    expect(resolved).toBeUndefined();
    expect(told(reports)).toEqual(['error unknown-kind template.kind']);
    expect(reports[0]?.message).toContain(`has no kind ${kind}`);
  });

  it.each([
    ['apps/v1beta7', 'Deployment', 'apps/v1 Deployment'],
    ['policy/v9', 'PodDisruptionBudget', 'policy/v1 PodDisruptionBudget'],
  ])('is an error in a version that Kubernetes does not serve: %s %s', (apiVersion, kind, intended) => {
    const { resolved, reports } = resolve(template(apiVersion, kind));
    expect(resolved).toBeUndefined();
    expect(told(reports)).toEqual(['error unknown-kind template.kind']);
    expect(reports[0]?.message).toBe(`Kubernetes does not serve ${apiVersion} ${kind}`);
    expect(reports[0]?.hint).toContain(intended);
    expect(reports[0]?.hint).not.toContain('CustomResourceDefinition');
  });

  it.each([
    ['policy/v1beta1', 'PodDisruptionBudget', '1.25', 'policy/v1 PodDisruptionBudget'],
    ['autoscaling/v2beta2', 'HorizontalPodAutoscaler', '1.26', 'autoscaling/v2 HorizontalPodAutoscaler'],
    ['networking.k8s.io/v1beta1', 'Ingress', '1.22', 'networking.k8s.io/v1 Ingress'],
    ['extensions/v1beta1', 'Ingress', '1.22', 'networking.k8s.io/v1 Ingress'],
  ])('is an error in a version that Kubernetes has removed: %s %s', (apiVersion, kind, removed, replacement) => {
    const { resolved, reports } = resolve(template(apiVersion, kind));
    expect(resolved).toBeUndefined();
    expect(told(reports)).toEqual(['error api-removed template.apiVersion']);
    expect(reports[0]?.message).toBe(`${apiVersion} ${kind} was removed in Kubernetes ${removed}`);
    expect(reports[0]?.hint).toContain(`use ${replacement}`);
  });

  // The group of a CRD has a dot.
  it('is an error in a group without a dot, which no CRD can define', () => {
    const { reports } = resolve(template('extensions/v9', 'Ingress'));
    expect(told(reports)).toEqual(['error unknown-kind template.kind']);
    expect(reports[0]?.message).toBe('the API group extensions of Kubernetes has no kind Ingress');
    expect(reports[0]?.hint).toBe(
      'did you mean networking.k8s.io/v1 Ingress? If not, give the types of another Kubernetes with --openapi',
    );
  });

  it('is a warning in a group of others', () => {
    const { reports } = resolve(template('gateway.networking.k8s.io/v1', 'Gateway'));
    expect(told(reports)).toEqual(['warning unknown-kind template.kind']);
  });
});

describe('a template', () => {
  it.each<[object, string[]]>([
    [{ template: { apiVersion: 'v1', kind: 'ConfigMap' } }, ['metadata']],
    [template('v1', 'ConfigMap', 'a'), ['metadata']],
    [template('', 'ConfigMap'), ['apiVersion']],
    [template('v1', 12), ['kind']],
    [template('${"v1"}', '${"Pod"}'), ['apiVersion', 'kind']],
  ])('%j has no apiVersion, kind or name', (node, missing) => {
    const { resolved, reports } = resolve(node);
    expect(resolved).toBeUndefined();
    expect(told(reports)).toEqual(missing.map((key) => `error template-shape template.${key}`));
  });

  it.each<[object, string, string]>([
    [{ apiVersion: 'v1', knid: 'ConfigMap', metadata: {} }, 'knid', 'kind'],
    [{ apiVersion: 'v1', Kind: 'Secret', metadata: {}, stringData: { a: 'b' } }, 'Kind', 'kind'],
    [{ apiVersin: 'v1', kind: 'ConfigMap', metadata: {} }, 'apiVersin', 'apiVersion'],
    [{ apiVersion: 'v1', kind: 'Secret', metadtaa: {} }, 'metadtaa', 'metadata'],
  ])('%j has a misspelled key, which is named', (node, written, meant) => {
    const [first, ...more] = resolve({ template: node }).reports;
    expect(more).toEqual([]);
    expect(first).toMatchObject({ code: 'template-shape', hint: `did you mean '${meant}'?` });
    expect(first?.message).toBe(`a template has no field '${written}', and '${meant}' is missing`);
    expect(told(first === undefined ? [] : [first])).toEqual([`error template-shape template.${written}`]);
  });

  it.each<[object, string[]]>([
    [{ labels: { 'kro.run/a': 'b' } }, ['error reserved-key template.metadata.labels["kro.run/a"]']],
    [{ labels: { 'internal.kro.run/a': 'b' } }, ['error reserved-key template.metadata.labels["internal.kro.run/a"]']],
    [{ annotations: { 'kro.run/a': 'b' } }, ['warning reserved-key template.metadata.annotations["kro.run/a"]']],
    [
      { annotations: { 'internal.kro.run/a': 'b' } },
      ['error reserved-key template.metadata.annotations["internal.kro.run/a"]'],
    ],
    [
      { annotations: { 'config.kubernetes.io/path': 'b' } },
      ['error reserved-key template.metadata.annotations["config.kubernetes.io/path"]'],
    ],
    [
      { annotations: { 'internal.config.kubernetes.io/any': 'b' } },
      ['error reserved-key template.metadata.annotations["internal.config.kubernetes.io/any"]'],
    ],
    [{ annotations: { 'config.kubernetes.io/depends-on': 'b' }, labels: { 'kro.example/a': 'b' } }, []],
  ])('%j has only known keys', (metadata, expected) => {
    expect(told(resolve(template('v1', 'ConfigMap', { name: 'a', ...metadata })).reports)).toEqual(expected);
  });

  it('cannot have an annotation of kro with --strict', () => {
    const node = template('v1', 'ConfigMap', { name: 'a', annotations: { 'kro.run/a': 'b' } });
    expect(told(resolve(node, { options: { strict: true } }).reports)[0]).toMatch(/^error reserved-key/);
  });
});

describe('the namespace of a template', () => {
  const cluster = { scope: 'Cluster' };
  const at = (namespace: unknown) => ({ name: 'a', namespace });

  it.each<[string, object, Given, string[]]>([
    ['is refused for a cluster-scoped kind', template('v1', 'Namespace', at('b')), {}, ['namespace-on-cluster-kind']],
    ['is refused even if empty', template('v1', 'Namespace', at('')), {}, ['namespace-on-cluster-kind']],
    ['must be set under a cluster-scoped RGD', template('v1', 'ConfigMap'), { schema: cluster }, ['namespace-missing']],
    ['must not be blank there', template('v1', 'ConfigMap', at(' ')), { schema: cluster }, ['namespace-missing']],
    ['may be computed there', template('v1', 'ConfigMap', at('${schema.metadata.name}')), { schema: cluster }, []],
    ['may be omitted under a namespaced RGD', template('v1', 'ConfigMap'), {}, []],
    ['is not wanted of a cluster-scoped kind', template('v1', 'Namespace'), { schema: cluster }, []],
  ])('%s', (_, node, given, codes) => {
    const { reports } = resolve(node, given);
    expect(reports.map(({ code }) => code)).toEqual(codes);
    for (const { path } of reports) expect(formatPath(path)).toBe('spec.resources[0].template.metadata.namespace');
  });

  it('is optional in a reference by selector, which reads all namespaces', () => {
    const node = { externalRef: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { selector: {} } } };
    expect(resolve(node, { schema: cluster }).reports).toEqual([]);
  });
});
