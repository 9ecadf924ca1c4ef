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

  it('are one line for each owner reference, and a last one for all unknown kinds', async () => {
    const { code, stderr } = await invoke(['render', '-'], input);
    expect(code).toBe(0);
    const lines = stderr.split('\n').filter((line) => line.includes('warning['));
    expect(lines.pop()).toBe(
      'warning[unknown-kind]: no core type, CRD or RGD describes these kinds; their fields are not checked, and their scope is assumed: cloud.example.com/v1 Bucket, cloud.example.com/v1 Queue',
    );
    expect(stderr).toContain('kubectl get crd buckets.cloud.example.com queues.cloud.example.com -o yaml > crds.yaml');
    expect(lines.map((line) => /warning\[(.*?)\].* node (\w+).*?(?:\((\d+) times\))?$/.exec(line)?.slice(1))).toEqual([
      ['owner-reference', 'one', '4'],
      ['owner-reference', 'two', '4'],
      ['owner-reference', 'three', '4'],
    ]);
  });

  it('are complete in output for programs', async () => {
    const { stderr } = await invoke(['render', '-', '--diagnostics', 'json'], input);
    expect(JSON.parse(stderr)).toHaveLength(3 + 12);
  });

  it('are complete in the reports of validate for programs, and one line in its text', async () => {
    const report = async (format: string): Promise<string> =>
      (await invoke(['validate', '-', '--report', format], input)).stdout;
    const ofSarif = JSON.parse(await report('sarif')).runs[0].results as { ruleId: string }[];
    const ofJson = JSON.parse(await report('json')) as { code: string }[];
    expect(ofSarif.filter(({ ruleId }) => ruleId === 'unknown-kind')).toHaveLength(3);
    expect(ofJson.filter(({ code }) => code === 'unknown-kind')).toHaveLength(3);
    expect((await report('text')).split('[unknown-kind]')).toHaveLength(2);
  });

  it('are one line for all kinds that nothing defines', async () => {
    const kinds = Array.from(
      { length: 30 },
      (_, index) => `apiVersion: o${index}.example.com/v1\nkind: Other\nmetadata: {name: a}\n`,
    );
    const { stdout } = await invoke(['validate', '-'], `${rgd}---\n${[...kinds, ...kinds].join('---\n')}`);
    expect(stdout.split('[undefined-kind]')).toHaveLength(2);
    expect(stdout).toContain('o0.example.com Other, ');
  });

  it('are one for each value of live objects, also if they are errors', async () => {
    const waiting = rgd.replace(
      / {2}resources:[\s\S]*/,
      `  resources:
    - id: service
      template: {apiVersion: v1, kind: Service, metadata: {name: "\${schema.metadata.name}"}, spec: {}}
    - id: config
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${schema.metadata.name}"}, data: {ip: "\${service.spec.clusterIP}"}}
`,
    );
    const stores = ['a', 'b', 'c', 'd'].map(store).join('');
    const { code, stderr } = await invoke(['render', '-', '-n', 'web'], waiting + stores);
    expect(code).toBe(1);
    expect(stderr.split('error[pending-value]')).toHaveLength(2);
    expect(stderr).toContain('(4 times)');
    const { stderr: complete } = await invoke(['render', '-', '-n', 'web', '--report', 'json'], waiting + stores);
    expect(JSON.parse(complete)).toHaveLength(4);
  });

  it('are one for each kind of instances without an RGD', async () => {
    const { code, stdout } = await invoke(['validate', '-'], ['a', 'b', 'c', 'd'].map(store).join(''));
    expect(code).toBe(1);
    expect(stdout.split('error[undefined-kind]')).toHaveLength(2);
    expect(stdout).toContain('(4 times)');
  });

  it('name the location and the command for a single unknown kind', async () => {
    const { stderr } = await invoke(['render', '-'], rgd.replace('kind: Queue', 'kind: Bucket') + store('a'));
    expect(stderr).toMatch(
      /warning\[unknown-kind\] ResourceGraphDefinition\/store node one: .* \(3 times\)\n {2}--> -:\d+:\d+/,
    );
    expect(stderr).toContain('kubectl get crd buckets.cloud.example.com -o yaml');
  });
});
