import { expect, it } from 'vitest';
import { formatText, patchText } from '../../../src/author/format/index.ts';

const rgd = (value: string): string => `apiVersion:   kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: a}
spec:
  schema: {apiVersion: v1alpha1, kind: A, spec: {shown:   string}}
  resources:
    - id: s
      template:
          apiVersion: v1
          kind: Secret
          metadata: {name: s}
          stringData:
              p:   '${value}'
              q: "${value}\${schema.spec.shown}"
    - id: c
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {k: "\${schema.spec.shown}"}}
`;

const patchOf = (text: string): string => patchText('a.yaml', text, formatText(text).text);

it('a patch shows no value of a Secret, and everything else', () => {
  const patch = patchOf(rgd('hunter2'));
  expect(patch).not.toContain('hunter2');
  expect(patch).toContain('(hidden)');
  expect(patch).toContain('+apiVersion: kro.run/v1alpha1');
});

it('a patch does not depend on the value, nor on its length', () => {
  expect(patchOf(rgd('hunter2'))).toBe(patchOf(rgd('a much longer value')));
});
