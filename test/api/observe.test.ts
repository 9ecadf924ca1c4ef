import { describe, expect, it } from 'vitest';
import { compile, observe, pending, render, type Source } from '../../src/api/index.ts';

const text = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {apiVersion: v1alpha1, kind: App, spec: {}}
  resources:
  - id: svc
    template: {apiVersion: v1, kind: Service, metadata: {name: a}, spec: {ports: [{port: 80}]}}
  - id: cm
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {v: "\${svc.status.loadBalancer.ingress[0].ip}"}}
---
apiVersion: kro.run/v1alpha1
kind: App
metadata: {name: one, namespace: web}
`;
const objects = [{ file: 'a.yaml', text }];
const service: Source = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'a', namespace: 'web', resourceVersion: '7' },
  spec: { clusterIP: '10.0.0.1' },
  status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
};
const kept = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'a', namespace: 'web' },
  status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
};
const compiled = compile(objects);

describe.each([
  ['the functions', { pending, observe }],
  ['compiled definitions', { pending: compiled.pending, observe: compiled.observe }],
])('%s', (_, library) => {
  it('list the pending values', () => {
    const { values, diagnostics } = library.pending({ objects });
    expect(diagnostics).toEqual([]);
    expect(values).toMatchObject([
      { instance: { kind: 'App', name: 'one' }, node: 'cm', object: { kind: 'Service', name: 'a', namespace: 'web' } },
    ]);
    expect(library.pending({ objects, observed: [service] }).values).toEqual([]);
  });

  it('keep only the fields of live objects that are read, which render the same', () => {
    const { objects: observed, diagnostics } = library.observe({ objects, live: [service] });
    expect(diagnostics).toEqual([]);
    expect(observed).toEqual([kept]);
    expect(render({ objects, observed })).toEqual(render({ objects, observed: [service] }));
    expect(library.observe({ objects, live: [], earlier: observed }).objects).toEqual([kept]);
  });

  it('report errors and return nothing', () => {
    const other = { ...service, status: {} } as Source;
    expect(library.observe({ objects, live: [service, other] })).toMatchObject({
      objects: [],
      diagnostics: [{ code: 'observed-twice' }],
    });
    expect(library.observe({ objects, live: [] }, { allowSecrets: 'yes' as never })).toMatchObject({
      objects: [],
      diagnostics: [{ code: 'library-option', field: 'allowSecrets' }],
    });
    expect(library.pending({ objects: [{ file: 'b.yaml', text: 'a: [' }] })).toMatchObject({
      values: [],
      diagnostics: [{ code: 'yaml-syntax' }],
    });
    expect(() => library.observe({ objects, live: undefined } as never)).toThrow('live must be a list');
  });

  it('keep values of a Secret only if this is allowed', () => {
    const reading = text
      .replace(/svc\n.*\n/, 'svc\n    externalRef: {apiVersion: v1, kind: Secret, metadata: {name: a}}\n')
      .replace('svc.status.loadBalancer.ingress[0].ip', 'string(svc.data.token)');
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'a', namespace: 'web' },
      data: { token: 'eA==' },
    };
    const own = library.observe === observe ? { observe } : compile([{ file: 's.yaml', text: reading }]);
    const input = { objects: [{ file: 's.yaml', text: reading }], live: [secret] };
    expect(own.observe(input).diagnostics).toMatchObject([{ code: 'observed-secret' }]);
    expect(own.observe(input, { allowSecrets: true }).objects).toEqual([secret]);
  });
});
