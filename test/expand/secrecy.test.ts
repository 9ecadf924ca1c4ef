import { describe, expect, it } from 'vitest';
import { render } from '../../src/index.ts';

const rgd = (template: string, kind = 'ConfigMap'): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: reader}
spec:
  schema: {apiVersion: v1alpha1, kind: Reader, spec: {a: string}}
  resources:
    - id: secret
      externalRef: {apiVersion: v1, kind: Secret, metadata: {name: credentials}}
    - id: middle
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: middle}, data: {copy: "\${string(secret.data.password)}"}}
    - id: result
      template:
        apiVersion: v1
        kind: ${kind}
${template}
---
apiVersion: kro.run/v1alpha1
kind: Reader
metadata: {name: one, namespace: default}
---
apiVersion: v1
kind: Secret
metadata: {name: credentials, namespace: default}
data: {password: ${Buffer.from('hunter2 (').toString('base64')}}
`;

describe('a value of a Secret is in no diagnostic', () => {
  const read = 'string(secret.data.password)';
  it.each([
    ['a name', `        metadata: {name: "\${${read}}"}`],
    ['a namespace', `        metadata: {name: a, namespace: "\${${read}}"}`],
    ['a label', `        metadata: {name: a, labels: {a: "\${${read}}"}}`],
    ['labels as a whole', `        metadata: {name: a, labels: "\${{${read}: 'a'}}"}`],
    ['annotations as a whole', `        metadata: {name: a, annotations: "\${{'/' + ${read}: 'a'}}"}`],
    ['a conversion', `        metadata: {name: a}\n        data: {a: "\${string(timestamp(${read}))}"}`],
    ['a pattern', `        metadata: {name: a}\n        data: {a: "\${string('a'.matches(${read}))}"}`],
    ['a key', `        metadata: {name: a}\n        data: {a: "\${secret.data[${read}]}"}`],
    ['a key of a literal', `        metadata: {name: a}\n        data: {a: "\${{'x': 'y'}[${read}]}"}`],
    ['a copy of it', `        metadata: {name: a}\n        data: {a: "\${string(timestamp(middle.data.copy))}"}`],
  ])('%s', (_, template) => {
    const { diagnostics } = render({ objects: [{ file: 'a.yaml', text: rgd(template) }] });
    expect(diagnostics.filter(({ severity }) => severity === 'error')).not.toEqual([]);
    expect(JSON.stringify(diagnostics)).not.toMatch(/hunter2|aHVudGVyMi/);
  });

  it.each([
    ['what an expression spells out', 'secret.data.user', 'pending-value', 'no such key: user'],
    ['what the instance lacks', 'schema.spec.a', 'missing-in-instance', 'no such key: spec'],
    ['a reason without values', 'string(1 / (size(secret.data) - 1))', 'evaluation', 'division by zero'],
  ])('%s is shown', (_, expression, code, reason) => {
    const text = rgd(`        metadata: {name: a}\n        data: {a: "\${string(${expression})}"}`);
    const [diagnostic] = render({ objects: [{ file: 'a.yaml', text }] }).diagnostics;
    expect(diagnostic).toMatchObject({ code, message: expect.stringContaining(reason) });
  });

  it('so is the bad name of a Secret that reads none', () => {
    const text = rgd(`        metadata: {name: "\${'A' + schema.metadata.name}"}`, 'Secret');
    const [diagnostic] = render({ objects: [{ file: 'a.yaml', text }] }).diagnostics;
    expect(diagnostic).toMatchObject({ code: 'object-name', message: expect.stringContaining("'Aone' is no valid") });
  });
});
