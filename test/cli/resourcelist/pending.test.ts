import { describe, expect, it } from 'vitest';
import { annotationOf, type KubeObject } from '../../../src/core/model/object.ts';
import { getAt } from '../../../src/core/model/value.ts';
import { config, listOf, runFunction, titles, withItems } from './packages.ts';

/** `address` depends on the load balancer, and the Page depends on `address`. */
const gate = `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: gate}
spec:
  schema: {apiVersion: v1alpha1, kind: Gate, spec: {}}
  resources:
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata: {name: "\${schema.metadata.name}"}
        spec: {type: LoadBalancer, ports: [{port: 80}]}
    - id: address
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${schema.metadata.name}-address"}
        data: {ip: "\${service.status.loadBalancer.ingress[0].ip}"}
    - id: page
      template:
        apiVersion: kro.run/v1alpha1
        kind: Page
        metadata: {name: "\${schema.metadata.name}-\${address.data.ip}"}
        spec: {}
`;
const page = `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: page}
spec:
  schema: {apiVersion: v1alpha1, kind: Page, spec: {}}
  resources:
    - id: html
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${schema.metadata.name}-html"}
`;
const instance = '{apiVersion: kro.run/v1alpha1, kind: Gate, metadata: {name: g, namespace: net}, spec: {}}';
const live = `
apiVersion: v1
kind: Service
metadata: {name: g, namespace: net, annotations: {render-rgd.dev/observed: "true"}}
status: {loadBalancer: {ingress: [{ip: 10.0.0.1}]}}
`;

const input = (onPending: string, ...items: string[]): string =>
  listOf([gate, page, ...items], config(`{onPending: ${onPending}}`));
const rendered = ['Service/g', 'ConfigMap/g-address', 'ConfigMap/g-10.0.0.1-html'];
const configMaps = (items: readonly KubeObject[]): string[] => titles(items.filter(({ kind }) => kind === 'ConfigMap'));
const codesOf = (results: readonly { [key: string]: unknown }[]): unknown[] =>
  results.map((result) => getAt(result as never, ['tags', 'code']));

/** Returns the result after an earlier rendering whose live object has been removed. */
async function afterLiveObjectWent(onPending: string): Promise<string> {
  const first = await runFunction(input(onPending, instance, live));
  expect(titles(first.items)).toEqual(expect.arrayContaining(rendered));
  return withItems(first.stdout, (items) =>
    items.filter((item) => annotationOf(item, 'render-rgd.dev/observed') === undefined),
  );
}

describe('pending nodes in place', () => {
  it('fail by default and keep all objects', async () => {
    const { code, items, results } = await runFunction(await afterLiveObjectWent('fail'));
    expect(code).toBe(1);
    expect(configMaps(items)).toEqual(['ConfigMap/g-address', 'ConfigMap/g-10.0.0.1-html']);
    expect(codesOf(results)).toContain('pending-value');
  });

  it('keep earlier objects of pending nodes with skip, including those of nested instances', async () => {
    const before = await afterLiveObjectWent('skip');
    const { code, items, results } = await runFunction(before);
    expect(code).toBe(0);
    expect(configMaps(items)).toEqual(['ConfigMap/g-address', 'ConfigMap/g-10.0.0.1-html']);
    expect(codesOf(results).filter((found) => found === 'earlier-kept')).toHaveLength(2);
    expect((await runFunction(withItems(before, () => items))).items).toEqual(items);
  });

  it('do not keep objects that no pending node renders', async () => {
    const before = await afterLiveObjectWent('skip');
    const other = withItems(before, (items) =>
      items.map((item) =>
        item.kind === 'Gate' ? { ...item, metadata: { ...(item.metadata as object), name: 'h' } } : item,
      ),
    );
    const { items } = await runFunction(other);
    expect(configMaps(items)).toEqual(['ConfigMap/g-10.0.0.1-html']);
    expect(titles(items)).toContain('Service/h');
    expect(titles(items)).not.toContain('Service/g');
  });

  it('with passthrough keep a pending instance and its RGDs, without the mark that it wrote', async () => {
    const first = await runFunction(input('passthrough', instance, live));
    const marks = (items: readonly KubeObject[]) =>
      items
        .filter((item) => annotationOf(item, 'config.kubernetes.io/local-config') === 'true')
        .map(({ kind }) => kind);
    expect(marks(first.items)).toEqual(['ResourceGraphDefinition', 'ResourceGraphDefinition', 'Gate', 'Service']);
    const waiting = withItems(first.stdout, (items) =>
      items.filter((item) => annotationOf(item, 'render-rgd.dev/observed') === undefined),
    );
    const { items, code } = await runFunction(waiting);
    expect(code).toBe(0);
    expect(titles(items)).toEqual(['ResourceGraphDefinition/gate', 'ResourceGraphDefinition/page', 'Gate/g']);
    expect(items).toEqual((await runFunction(input('passthrough', instance))).items);
    expect(marks(items)).toEqual([]);
  });

  it('with passthrough keep the local-config mark of a user', async () => {
    const own = instance.replace(
      'namespace: net',
      'namespace: net, annotations: {config.kubernetes.io/local-config: "true"}',
    );
    const { items } = await runFunction(input('passthrough', own));
    const kept = items.find(({ kind }) => kind === 'Gate') as KubeObject;
    expect(annotationOf(kept, 'config.kubernetes.io/local-config')).toBe('true');
  });
});
