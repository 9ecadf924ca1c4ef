import { describe, expect, it } from 'vitest';
import { type RenderOptions, render } from '../../../src/api/index.ts';
import { getAt, type Value } from '../../../src/core/model/value.ts';
import { configMap, object, rgd, x } from '../../core/diagnostics/examples/objects.ts';

type Objects = Parameters<typeof render>[0]['objects'];

const enabled: RenderOptions = { kro: '0.10', experimental: ['deletionPolicy', 'externalFields'] };
const found = (objects: Objects, options: RenderOptions = enabled): string[] =>
  render({ objects }, options).diagnostics.map(
    ({ severity, code, field, message, hint }) => `${severity} ${code} ${field}: ${message} | ${hint}`,
  );
const withNode = (node: object): Objects => [rgd({}, [{ ...configMap('a', { a: 'b' }), ...node }])] as Objects;

describe('alpha fields of kro 0.10', () => {
  it.each([
    ['deletionPolicy', { deletionPolicy: 'Orphaned' }],
    ['externalFields', { externalFields: ['data.a'] }],
  ])('%s needs --kro 0.10 and --experimental', (field, node) => {
    const unknown = new RegExp(`^error rgd-unknown-field spec\\.resources\\[0\\]\\.${field}: unknown field`);
    expect(found(withNode(node), {})).toEqual([expect.stringMatching(unknown)]);
    expect(found(withNode(node), {})[0]).toContain(`--kro 0.10 and --experimental ${field}`);
    expect(found(withNode(node), { experimental: [field] as RenderOptions['experimental'] })).toHaveLength(1);
    const later = found(withNode(node), { kro: '0.10' });
    expect(later).toEqual([expect.stringMatching(unknown)]);
    expect(later[0]).not.toContain('0.9');
    expect(found(withNode(node))).toEqual([]);
  });

  it('are offered by no hint about an unknown field', () => {
    expect(found(withNode({ foo: 'x' }), {})).toEqual([
      expect.stringMatching(/the fields here are id, template, externalRef, readyWhen, includeWhen, forEach$/),
    ]);
  });

  it.each<[string, object, string]>([
    [
      'another value',
      { deletionPolicy: 'Orphan' },
      "deletionPolicy is Delete or Orphaned, got 'Orphan' | write Orphaned",
    ],
    ['no such value', { deletionPolicy: 'no' }, "deletionPolicy is Delete or Orphaned, got 'no' | undefined"],
    ['a field that the template lacks', { externalFields: ['data.b'] }, "the template has no field 'data.b'"],
    ['a field below a text', { externalFields: ['data.a.b'] }, "the template has no field 'data.a.b'"],
    ['an empty step', { externalFields: ['data..a'] }, "'data..a' is no path"],
  ])('rejects %s', (_, node, message) => {
    expect(found(withNode(node))).toEqual([expect.stringMatching(/^error alpha-field spec\.resources\[0\]\./)]);
    expect(found(withNode(node))[0]).toContain(message);
  });

  it('accepts Delete, and a whole list but nothing in it', () => {
    expect(found(withNode({ deletionPolicy: 'Delete' }))).toEqual([]);
    const service = (field: string) =>
      rgd({}, [
        {
          id: 'svc',
          externalFields: [field],
          template: { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } },
        },
      ]);
    expect(found([service('spec.ports')] as Objects)).toEqual([]);
    expect(found([service('spec.ports.port')] as Objects)[0]).toContain('goes through spec.ports, which is a list');
  });

  it('rejects them on an externalRef', () => {
    const externalRef = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };
    const node = { id: 'a', externalRef, deletionPolicy: 'Orphaned', externalFields: ['data'] };
    expect(found([rgd({}, [node])] as Objects).map((one) => one.split(' | ')[0])).toEqual([
      'error alpha-field spec.resources[0].deletionPolicy: an externalRef has no deletionPolicy: kro never deletes it',
      'error alpha-field spec.resources[0].externalFields[0]: an externalRef has no externalFields: kro never writes it',
    ]);
  });

  it('rejects annotations that kro cannot add to, and its own annotation', () => {
    const annotated = (annotations: unknown) =>
      withNode({
        deletionPolicy: 'Orphaned',
        template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', annotations } },
      });
    expect(found(annotated(['a'])).some((one) => one.includes('must be a map or one expression'))).toBe(true);
    const own = found(annotated({ 'internal.kro.run/deletion-policy': 'Delete' }));
    expect(own.some((one) => one.includes("is kro's: a template cannot set it"))).toBe(true);
  });

  it('warns of an owner, whose deletion deletes the object', () => {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' }];
    const template = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', ownerReferences } };
    expect(found(withNode({ deletionPolicy: 'Orphaned', template }))).toContainEqual(
      expect.stringMatching(/^warning alpha-field .*is deleted with its owner/),
    );
  });

  it('marks orphaned objects for kro and for the tools that prune, beside the annotations of the author', () => {
    const annotations = {
      'argocd.argoproj.io/sync-options': 'Replace=true,Prune=confirm',
      team: '${schema.metadata.name}',
    };
    const template = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', annotations } };
    const rendered = (deletionPolicy: string): Value => {
      const objects = [...withNode({ deletionPolicy, template }), x({}, { name: 'one', namespace: 'web' })] as Objects;
      const { objects: found } = render({ objects }, enabled);
      return getAt(found[0] as Value, ['metadata', 'annotations']) as Value;
    };
    expect(rendered('Orphaned')).toEqual({
      team: 'one',
      'argocd.argoproj.io/sync-options': 'Replace=true,Prune=false,Delete=false',
      'internal.kro.run/deletion-policy': 'Orphaned',
      'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      'client.lifecycle.config.k8s.io/deletion': 'detach',
    });
    expect(rendered('Delete')).toEqual({ ...annotations, team: 'one' });
  });

  it('are checked on template nodes of a Graph, which have no deletionPolicy', () => {
    const template = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { a: 'b' } };
    const graph = (node: object) =>
      [
        object('kro.run/v1alpha1', 'Graph', { name: 'g' }, { spec: { nodes: [{ id: 'a', template, ...node }] } }),
      ] as Objects;
    const options: RenderOptions = { experimental: ['graph', 'externalFields', 'deletionPolicy'] };
    expect(found(graph({ externalFields: ['data.a'] }), options)).toEqual([]);
    expect(found(graph({ externalFields: ['data.b'] }), options)[0]).toContain("the template has no field 'data.b'");
    expect(found(graph({ externalFields: ['data.a'] }), { experimental: ['graph'] })[0]).toContain('--experimental');
    expect(found(graph({ deletionPolicy: 'Orphaned' }), options)[0]).toContain("unknown field 'deletionPolicy'");
    const def = [
      object(
        'kro.run/v1alpha1',
        'Graph',
        { name: 'g' },
        { spec: { nodes: [{ id: 'a', def: { a: 'b' }, externalFields: ['a'] }] } },
      ),
    ];
    expect(found(def as Objects, options)[0]).toContain("unknown field 'externalFields'");
  });
});
