import { describe, expect, test } from 'vitest';
import {
  builtinDefinition,
  builtinKinds,
  namespacelessObjectMetaSchema,
  objectMetaSchema,
} from '../../../src/kubernetes/schema/builtin.ts';
import type { Schema } from '../../../src/kubernetes/schema/schema.ts';

function kind(group: string, version: string, name: string) {
  const info = builtinKinds.find({ group, version, kind: name });
  if (info === undefined) throw new Error(`${name} is not known`);
  return info;
}

/** The schema at a path of property names; `*` is a map's value, `[]` a list's item. */
function at(schema: Schema | undefined, path: string): Schema | undefined {
  return path.split('.').reduce<Schema | undefined>((current, step) => {
    if (step === '[]') return current?.items;
    if (step !== '*') return current?.properties?.[step];
    return typeof current?.additionalProperties === 'object' ? current.additionalProperties : undefined;
  }, schema);
}

describe('builtinKinds', () => {
  test.each([
    ['', 'v1', 'ConfigMap', true],
    ['', 'v1', 'Namespace', false],
    ['', 'v1', 'Node', false],
    ['apps', 'v1', 'Deployment', true],
    ['rbac.authorization.k8s.io', 'v1', 'ClusterRole', false],
    ['rbac.authorization.k8s.io', 'v1', 'RoleBinding', true],
    ['apiextensions.k8s.io', 'v1', 'CustomResourceDefinition', false],
    ['apiregistration.k8s.io', 'v1', 'APIService', false],
    ['networking.k8s.io', 'v1', 'Ingress', true],
    ['storage.k8s.io', 'v1', 'CSIStorageCapacity', true],
  ])('knows %s/%s %s', (group, version, name, namespaced) => {
    expect(kind(group, version, name).namespaced).toBe(namespaced);
    expect(kind(group, version, name).schema.properties?.metadata).toBe(objectMetaSchema);
  });

  test.each([
    ['apps', 'v1beta1', 'Deployment'],
    ['', 'v1', 'Deployment'],
    ['apps', 'v1', 'deployment'],
    ['apps', 'v1', 'DeploymentList'],
    ['', 'v1', 'constructor'],
  ])('does not know %s/%s %s', (group, version, name) => {
    expect(builtinKinds.find({ group, version, kind: name })).toBeUndefined();
  });

  test('names its kinds', () => {
    const names = [...builtinKinds.names()];
    expect(names).toContain('ConfigMap.v1.');
    expect(names).toContain('Deployment.v1.apps');
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) {
      const [kind = '', version = '', ...group] = name.split('.');
      expect(builtinKinds.find({ group: group.join('.'), version, kind }), name).toBeDefined();
    }
  });

  test.each<[string, string, string, string, Schema]>([
    ['', 'v1', 'Secret', 'data.*', { type: 'string', format: 'byte' }],
    ['', 'v1', 'ConfigMap', 'data.*', { type: 'string' }],
    ['apps', 'v1', 'Deployment', 'spec.replicas', { type: 'integer', format: 'int32' }],
    ['', 'v1', 'Pod', 'metadata.creationTimestamp', { type: 'string', format: 'date-time' }],
    ['apps', 'v1', 'ControllerRevision', 'data', { type: 'object' }],
    [
      '',
      'v1',
      'PersistentVolumeClaim',
      'spec.resources.requests.*',
      { oneOf: [{ type: 'string' }, { type: 'number' }] },
    ],
    [
      '',
      'v1',
      'Service',
      'spec.type',
      { type: 'string', enum: ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'] },
    ],
    [
      '',
      'v1',
      'Service',
      'spec.selector',
      { type: 'object', additionalProperties: { type: 'string' }, 'x-kubernetes-map-type': 'atomic' },
    ],
    [
      '',
      'v1',
      'Service',
      'spec.ports.[].targetPort',
      {
        format: 'int-or-string',
        oneOf: [{ type: 'integer' }, { type: 'string' }],
        'x-kubernetes-int-or-string': true,
      },
    ],
  ])('%s/%s %s has %s', (group, version, name, path, expected) => {
    expect(at(kind(group, version, name).schema, path)).toEqual(expected);
  });

  test('keeps how lists are merged, and what is required', () => {
    const ports = at(kind('', 'v1', 'Service').schema, 'spec.ports');
    expect(ports?.['x-kubernetes-list-type']).toBe('map');
    expect(ports?.['x-kubernetes-list-map-keys']).toEqual(['port', 'protocol']);
    expect(ports?.items?.required).toEqual(['port']);
    expect(at(objectMetaSchema, 'finalizers')?.['x-kubernetes-list-type']).toBe('set');
  });

  test('reads a definition once, and closes cycles', () => {
    expect(kind('', 'v1', 'Pod').schema.properties?.spec).toBe(
      at(kind('apps', 'v1', 'Deployment').schema, 'spec.template.spec'),
    );
    const props = builtinDefinition('apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
    expect(props?.properties?.not).toBe(props);
  });

  test('has no definition of an unknown name', () => {
    expect(builtinDefinition('api.core.v1.Nothing')).toBeUndefined();
  });
});

describe('metadata', () => {
  test('of an instance has everything but, cluster-scoped, the namespace', () => {
    expect(Object.keys(objectMetaSchema.properties ?? {})).toHaveLength(15);
    expect(objectMetaSchema.properties).toHaveProperty('namespace');
    const { namespace: _, ...others } = objectMetaSchema.properties ?? {};
    expect(namespacelessObjectMetaSchema).toEqual({ ...objectMetaSchema, properties: others });
  });

  test('selects by labels', () => {
    expect(Object.keys(builtinDefinition('apimachinery.pkg.apis.meta.v1.LabelSelector')?.properties ?? {})).toEqual([
      'matchExpressions',
      'matchLabels',
    ]);
  });
});
