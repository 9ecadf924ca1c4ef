import { describe, expect, it } from 'vitest';
import { invoke } from '../cli/invoke.ts';

const KEPT = 'hunter2';
const PASSWORD = '${string(secret.data.p)}';

/** An RGD that renders a ResourceSet with a value of a Secret, and one whose instances the ResourceSet may render. */
const packageOf = (spec: string, name = 'set'): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: a}
spec:
  schema: {apiVersion: v1alpha1, kind: A, spec: {a: string}}
  resources:
    - id: secret
      externalRef: {apiVersion: v1, kind: Secret, metadata: {name: kept}}
    - id: made
      template: {apiVersion: fluxcd.controlplane.io/v1, kind: ResourceSet, metadata: {name: "${name}"}, spec: ${spec}}
---
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: b}
spec:
  schema: {apiVersion: v1alpha1, kind: B, spec: {a: string, e: 'string | enum="x,y"'}}
  resources:
    - id: fails
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "BAD \${schema.spec.a}"}, data: {v: "\${string(timestamp(schema.spec.a))}"}}
---
apiVersion: kro.run/v1alpha1
kind: A
metadata: {name: one, namespace: default}
spec: {a: x}
---
apiVersion: v1
kind: Secret
metadata: {name: kept, namespace: default}
data: {p: ${Buffer.from(KEPT).toString('base64')}}
`;

const inputs = (object: string): string => `{inputs: [{p: "${PASSWORD}"}], resources: [${object}]}`;
const configMap = (metadata: string, data = '{}'): string =>
  inputs(`{apiVersion: v1, kind: ConfigMap, metadata: ${metadata}, data: ${data}}`);

describe('a value of a Secret that an RGD passes to a ResourceSet is redacted', () => {
  const said = async (text: string): Promise<string> => {
    const told: string[] = [];
    for (const args of [
      ['render', '-', '--all'],
      ['render', '-', '--all', '--diagnostics', 'json', '--on-pending', 'skip'],
    ])
      told.push((await invoke(args, text)).stderr);
    for (const args of [
      ['validate', '-'],
      ['pending', '-'],
      ['explain', 'ResourceSet/set', '-'],
      ['explain', 'ConfigMap/c', '.data.v', '-'],
      ['explain', 'ConfigMap/none', '.data.v', '-'],
    ]) {
      const { stdout, stderr } = await invoke(args, text);
      told.push(stdout, stderr);
    }
    return told.join('\n');
  };
  it.each([
    ['a function that fails', configMap('{name: c}', '{v: "<< fail inputs.p >>"}'), 'template-execution'],
    ['a key that is missing', configMap('{name: c}', '{v: "<< inputs.q >>"}'), 'template-key'],
    ['JSON', configMap('{name: c}', '{v: "<< mustFromJson inputs.p >>"}'), 'template-execution'],
    ['a name', configMap('{name: "<< inputs.p >>"}', '{v: a}'), ''],
    ['a value', configMap('{name: c}', '{v: "<< inputs.p >>"}'), ''],
    [
      'an instance',
      inputs('{apiVersion: kro.run/v1alpha1, kind: B, metadata: {name: b}, spec: {a: "<< inputs.p >>"}}'),
      'evaluation',
    ],
    [
      'an instance of that name',
      inputs('{apiVersion: kro.run/v1alpha1, kind: B, metadata: {name: "<< inputs.p >>"}, spec: {e: z}}'),
      'instance-value',
    ],
    ['a field that is not known', `"\${{${PASSWORD.slice(2, -1)}: 'x'}}"`, 'resourceset-field'],
    ['a strategy', `{inputStrategy: {name: "${PASSWORD}"}}`, 'resourceset-shape'],
  ])('%s', async (_, spec, code) => {
    const told = await said(packageOf(spec));
    expect(told).toContain(code);
    expect(told).not.toMatch(/hunt|nter2/);
  });

  it('in the name of the ResourceSet', async () => {
    const told = await said(packageOf('{inputs: [{a: b}], resources: [], nothing: a}', PASSWORD));
    expect(told).toContain('ResourceSet/(hidden)');
    expect(told).not.toMatch(/hunt|nter2/);
  });
});
