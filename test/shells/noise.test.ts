import { describe, expect, it } from 'vitest';
import { invoke } from './invoke.ts';

const bucket = (id: string, kind: string) => `
    - id: ${id}
      template:
        apiVersion: cloud.example.com/v1
        kind: ${kind}
        metadata:
          name: \${schema.metadata.name}-${id}
          ownerReferences:
            - {apiVersion: kro.run/v1alpha1, kind: Store, name: s, uid: "\${schema.metadata.uid}"}`;
const rgd = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: store}
spec:
  schema: {apiVersion: v1alpha1, kind: Store}
  resources:${bucket('one', 'Bucket')}${bucket('two', 'Bucket')}${bucket('three', 'Queue')}
`;
const store = (name: string) => `---\napiVersion: kro.run/v1alpha1\nkind: Store\nmetadata: {name: ${name}}\n`;

describe('warnings that repeat', () => {
  const input = rgd + ['a', 'b', 'c', 'd'].map(store).join('');

  it('are one line for each unknown kind, and for each owner reference', async () => {
    const { code, stderr } = await invoke(['render', '-'], input);
    expect(code).toBe(0);
    const lines = stderr.split('\n').filter((line) => line.includes('warning['));
    expect(lines.map((line) => /warning\[(.*?)\].* node (\w+).*?(?:\((\d+) times\))?$/.exec(line)?.slice(1))).toEqual([
      ['unknown-kind', 'one', '2'],
      ['unknown-kind', 'three', undefined],
      ['owner-reference', 'one', '4'],
      ['owner-reference', 'two', '4'],
      ['owner-reference', 'three', '4'],
    ]);
  });

  it('are all there for programs', async () => {
    const { stderr } = await invoke(['render', '-', '--diagnostics', 'json'], input);
    expect(JSON.parse(stderr)).toHaveLength(3 + 12);
  });
});
