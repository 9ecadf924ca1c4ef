import { describe, expect, it } from 'vitest';
import { expressionAt } from '../../playground/engine/expression.ts';
import type { ExpressionAt } from '../../playground/engine/protocol.ts';

const RGD = `# A comment above.
apiVersion: v1
kind: ConfigMap
metadata: {name: other, namespace: default}
---
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    spec:
      names: '[]string'
      isOn: boolean | default=true
    status:
      first: \${config[0].metadata.name}
  resources:
    - id: config
      forEach:
        - name: \${schema.spec.names}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${name}-of-\${schema.metadata.name}"}
        data:
          text: |
            first line
            \${schema.spec.names
              .map(one, one + "!").join(",")}
    - id: token
      includeWhen:
        - \${schema.spec.isOn}
      template:
        apiVersion: v1
        kind: Secret
        metadata: {name: token}
        stringData:
          value: \${schema.spec.names[0] + "-secret"}
    - id: copy
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: copy}
        data:
          of: \${token.stringData.value}
    - id: reader
      includeWhen:
        - \${!schema.spec.isOn}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: reader}
        data:
          names: \${schema.spec.names.join(",")}
`;
const APP = `apiVersion: kro.run/v1alpha1
kind: App
metadata: {name: one, namespace: default}
spec: {names: [a, b]}
`;
const files = [
  { name: 'app.yaml', text: RGD, role: 'objects' as const },
  { name: 'one.yaml', text: APP, role: 'objects' as const },
  { name: 'two.yaml', text: APP.replace('one', 'two').replace('[a, b]', '[c]'), role: 'objects' as const },
];

/** Returns the expression at the first character of a text. */
function at(text: string, { by = 0, instance = '', rgd = RGD } = {}): ExpressionAt | undefined {
  const before = rgd.slice(0, rgd.indexOf(text) + by);
  const lines = before.split('\n');
  const place = { file: 'app.yaml', line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
  const [definition, ...instances] = files;
  return expressionAt(
    { files: [{ ...definition, text: rgd } as (typeof files)[0], ...instances], options: {} },
    place,
    instance,
  );
}

describe('the expression at a position', () => {
  it('has a value, a type, its parts and its reads in an instance', () => {
    expect(at('schema.spec.names}')).toMatchObject({
      text: 'schema.spec.names',
      type: 'list(string)',
      field: 'node config, forEach[0].name',
      instance: 'App/default/one',
      instances: [{ address: 'App/default/one' }, { address: 'App/default/two' }],
      value: '["a","b"]',
      isFault: false,
      reads: [{ what: 'App/one, spec.names', place: { file: 'one.yaml', line: 4 } }],
    });
    expect(at('schema.spec.names}', { instance: 'App/default/two' })).toMatchObject({
      instance: 'App/default/two',
      value: '["c"]',
    });
    expect(at('!schema.spec.isOn')).toMatchObject({
      value: 'false',
      type: 'bool',
      parts: [{ text: 'schema.spec.isOn', value: 'true', depth: 0 }],
      reads: [{ from: 'default' }],
    });
  });

  it('includes its ${ and its }, and is one of several in a text', () => {
    expect(at('${schema.spec.names}')?.text).toBe('schema.spec.names');
    expect(at('schema.spec.names}', { by: 'schema.spec.names}'.length })?.text).toBe('schema.spec.names');
    expect(at('${name}', { by: 3 })).toMatchObject({
      text: 'name',
      value: '"a"',
      note: expect.stringContaining('first'),
    });
    expect(at('${schema.metadata.name}"', { by: 3 })).toMatchObject({ text: 'schema.metadata.name', value: '"one"' });
    expect(at('-of-', { by: 2 })).toBeUndefined();
    expect(at('kind: ConfigMap')).toBeUndefined();
    expect(at('# A comment')).toBeUndefined();
  });

  it('may have several lines', () => {
    expect(at('.map(one')).toMatchObject({ value: '"a!,b!"', type: 'string' });
    expect(at('first line')).toBeUndefined();
  });

  it('of the status has a value', () => {
    expect(at('config[0].metadata')).toMatchObject({ field: 'status.first', node: '', value: '"a-of-one"' });
  });

  it('has no value in a node that is skipped, and says so', () => {
    expect(at('schema.spec.names.join')).toMatchObject({
      value: '',
      parts: [],
      note: expect.stringContaining('skipped'),
    });
  });

  it('hides a value of a Secret, and is nothing inside of one, where columns would show lengths', () => {
    const found = at('token.stringData.value');
    expect(found).toMatchObject({ value: '"(hidden)"' });
    expect(JSON.stringify(found)).not.toContain('a-secret');
    expect(at('schema.spec.names[0]')).toBeUndefined();
  });

  it('is nothing in an RGD with an error, or without an instance', () => {
    expect(at('schema.spec.names}', { rgd: RGD.replace('schema.spec.isOn', 'schema.spec.isOff') })).toBeUndefined();
    expect(at('schema.spec.names}', { rgd: RGD.replace('kind: App\n', 'kind: Other\n') })).toBeUndefined();
  });
});
