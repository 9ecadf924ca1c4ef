import { describe, expect, it } from 'vitest';
import { invoke } from '../../../cli/invoke.ts';
import { awaitedIn, instance, rgd } from './packages.ts';

/** A CRD of a fictional controller with the field names of real clouds. */
function crd(group: string, kind: string, spec: string): string {
  const plural = `${kind.toLowerCase()}s`;
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.${group}}
spec:
  group: ${group}
  scope: Namespaced
  names: {kind: ${kind}, plural: ${plural}}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: {type: object, properties: ${spec}}
            status: {type: object, properties: {id: {type: string}, ids: {type: array, items: {type: string}}}}
---
`;
}

const text = '{type: string}';
const texts = '{type: array, items: {type: string}}';
const named = `{type: object, properties: {name: ${text}, namespace: ${text}}}`;
const from = `{type: object, properties: {from: ${named}}}`;
const refs = `{type: array, items: ${from}}`;

const node = (id: string, apiVersion: string, kind: string, spec: string, metadata = `{name: ${id}}`): string =>
  `- id: ${id}\n  template: {apiVersion: ${apiVersion}, kind: ${kind}, metadata: ${metadata}, spec: ${spec}}\n`;

const AWS = 'net.services.cloud.example';
const HOST = `{netID: ${text}, netRef: ${from}, subnetIDs: ${texts}, subnetRefs: ${refs}, roleARN: ${text}, roleRef: ${from},
  policies: ${texts}, policyRefs: ${refs}, groupName: ${text}, groupID: ${text}, groupRef: ${from}, label: ${text}, labelRef: ${text},
  routes: {type: array, items: {type: object, properties: {gatewayID: ${text}, gatewayRef: ${from}}}}}`;
const own = crd(AWS, 'Net', '{}') + crd('iam.services.cloud.example', 'Role', '{}') + crd(AWS, 'Host', HOST);
const net = node('net', `${AWS}/v1`, 'Net', '{}') + node('role', 'iam.services.cloud.example/v1', 'Role', '{}');

function alternative(spec: string, metadata?: string): string | undefined {
  const host = node('host', `${AWS}/v1`, 'Host', spec, metadata);
  const [awaited] = awaitedIn(own + rgd('App', net + host) + instance('App'));
  const { field, value } = awaited?.alternative ?? {};
  return field && `${field}: ${value}`;
}

describe('a suggested reference for a pending value', () => {
  it.each([
    ['{netID: "${net.status.id}"}', 'spec.netRef.from.name: ${net.metadata.name}'],
    ['{roleARN: "${role.status.id}"}', 'spec.roleRef.from.name: ${role.metadata.name}'],
    ['{subnetIDs: ["${net.status.id}"]}', 'spec.subnetRefs[0].from.name: ${net.metadata.name}'],
    ['{policies: ["a", "${role.status.id}"]}', 'spec.policyRefs[1].from.name: ${role.metadata.name}'],
    ['{groupID: "${net.status.id}"}', 'spec.groupRef.from.name: ${net.metadata.name}'],
    ['{routes: [{gatewayID: "${net.status.id}"}]}', 'spec.routes[0].gatewayRef.from.name: ${net.metadata.name}'],
  ])('%s: %s', (spec, expected) => expect(alternative(spec)).toBe(expected));

  it.each([
    ['a text around it', '{netID: "id-${net.status.id}"}'],
    ['a computed value', '{netID: "${net.status.id + \\"x\\"}"}'],
    ['a whole list', '{subnetIDs: "${net.status.ids}"}'],
    ['a name beside an id', '{groupName: "${net.status.id}"}'],
    ['a field that only ends alike', '{label: "${net.status.id}"}'],
  ])('is not given for %s', (_, spec) => expect(alternative(spec)).toBeUndefined());

  it('is not given for an object in another namespace', () => {
    expect(alternative('{netID: "${net.status.id}"}', '{name: host, namespace: elsewhere}')).toBeUndefined();
  });

  it('is not given for an object of another type', () => {
    const foreign = node('host', `${AWS}/v1`, 'Host', '{netID: "${settings.status.id}"}');
    const settings = node('settings', 'example.org/v1', 'Settings', '{}');
    const [awaited] = awaitedIn(own + rgd('App', settings + foreign) + instance('App'));
    expect(awaited).toBeDefined();
    expect(awaited?.alternative).toBeUndefined();
  });

  it('is the name beside an external reference', () => {
    const group = 'compute.cloud.example';
    const link = `{netRef: {type: object, properties: {external: ${text}, name: ${text}}}}`;
    const nodes =
      node('net', `${group}/v1`, 'Net', '{}') +
      node('wall', `${group}/v1`, 'Wall', '{netRef: {external: "${net.status.id}"}}');
    const crds = crd(group, 'Net', '{}') + crd(group, 'Wall', link);
    const [awaited] = awaitedIn(crds + rgd('App', nodes) + instance('App'));
    expect(awaited?.alternative).toEqual({ field: 'spec.netRef.name', value: '${net.metadata.name}' });
  });

  it('is printed by render and by pending', async () => {
    const input =
      own + rgd('App', net + node('host', `${AWS}/v1`, 'Host', '{netID: "${net.status.id}"}')) + instance('App');
    const rendered = await invoke(['render', '-'], input);
    expect(rendered.code).toBe(1);
    expect(rendered.stderr).toContain('or do not wait: set spec.netRef.from.name: ${net.metadata.name} instead');
    const { stdout } = await invoke(['pending', '-'], input);
    expect(stdout).toContain('App node host: spec.netRef.from.name: ${net.metadata.name} in place of spec.netID');
  });
});
