import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { everything, instance, rgd } from '../describe/explain/packages.ts';
import { invoke } from './invoke.ts';

describe('explain', () => {
  it('lists the nodes of an instance, and exits with 0 although a node is pending', async () => {
    const { code, stdout, stderr } = await invoke(['explain', 'Thing/t', '-'], everything);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Thing\/t \(RGD thing\)\n {2}main2 {5}included {2}it has no conditions/);
  });

  it('explains a node and a field', async () => {
    expect((await invoke(['explain', 'Thing/t', 'maybe', '-'], everything)).stdout).toMatch(
      /^node maybe \(ConfigMap\) is skipped/,
    );
    expect((await invoke(['explain', 'ConfigMap/ns/t', '.data.size', '-'], everything)).stdout).toMatch(
      /^data\.size of ConfigMap\/ns\/t = "4"\n/,
    );
    expect((await invoke(['explain', 'Thing/inner', 'main', '-'], everything)).stdout).toContain('= "42"');
  });

  it('prints JSON', async () => {
    const list = JSON.parse((await invoke(['explain', 'Thing/t', '-', '-o', 'json'], everything)).stdout);
    expect(list.nodes[2]).toEqual({
      id: 'maybe',
      kind: 'ConfigMap',
      verdict: 'skipped',
      why: 'a condition of includeWhen is false',
      objects: [],
    });
    const node = JSON.parse((await invoke(['explain', 'Thing/t', 'maybe', '-', '-o', 'json'], everything)).stdout);
    expect(node.place).toEqual({ file: '-', line: expect.any(Number), column: 7 });
    expect(node.conditions[0]).toMatchObject({ value: false, hidden: false });
    const field = JSON.parse(
      (await invoke(['explain', 'ConfigMap/ns/t', '.data.size', '-o', 'json', '-'], everything)).stdout,
    );
    expect(field).toMatchObject({
      field: 'data.size',
      value: '4',
      origin: { from: 'expression', behind: [{ from: 'default', value: 2 }] },
    });
  });

  it.each([
    [['Thing/x', '-'], 'there is no instance Thing/x; there is Thing/ns/t, Outer/other/o, Thing/other/inner\n'],
    [
      ['ConfigMap/ns/t', 'data', '-'],
      'ConfigMap/ns/t is a rendered object and no instance: name a field of it, such as .data\n',
    ],
    [
      ['ConfigMap/ns/t', '-'],
      'ConfigMap/ns/t is a rendered object and no instance: name a field of it, such as .data\n',
    ],
    [['Thing/t', 'mayb', '-'], "the RGD thing has no node mayb; did you mean 'maybe'?\n"],
    [
      ['Thing/t', 'zzzzzz', '-'],
      'the RGD thing has no node zzzzzz; the nodes are main, main2, maybe, reader, many, late, balancer, after, kept, leak; a folder is ./zzzzzz\n',
    ],
    [
      ['ConfigMap/ns/t', '.data.x', '-'],
      'ConfigMap/ns/t has no field data.x: there is no x in data; there is size, plain, text\n',
    ],
  ])('%j: exit code 1', async (args, fault) => {
    expect(await invoke(['explain', ...args], everything)).toEqual({
      code: 1,
      stdout: '',
      stderr: `error[not-found]: ${fault}`,
    });
  });

  it('reports why an object is not an instance', async () => {
    const { code, stdout, stderr } = await invoke(
      ['explain', 'Thing/t', '-'],
      `${rgd}---\n${instance.replace('hosts:', 'hots:')}`,
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('error[instance-unknown-field]');
  });

  it.each([
    [[], 'explain needs KIND/NAME and a PATH; - reads standard input'],
    [['Thing/t'], 'explain needs KIND/NAME and a PATH; - reads standard input'],
    [['Thing/t', '.spec'], 'explain needs KIND/NAME and a PATH; - reads standard input'],
    [['Thing', '-'], "explain: 'Thing' is not of the form KIND/NAME or KIND/NAMESPACE/NAME"],
    [
      ['Thing/t', '.a..b', '-'],
      'explain: \'.a..b\' is not a field; write .spec.ports[0].name or .metadata.labels["a.b/c"]',
    ],
  ])('%j: exit code 2', async (args, fault) => {
    expect(await invoke(['explain', ...args])).toEqual({
      code: 2,
      stdout: '',
      stderr: `error[command-line]: ${fault}\n`,
    });
  });
});

describe('explain FIELD', () => {
  it('explains why a field is left out, and still reports one that no entry declares', async () => {
    const text = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: site }
spec:
  schema:
    apiVersion: v1alpha1
    kind: Site
    spec:
      autoscale: boolean | default=false
      replicas: integer | default=2
      limits: map[string]string
  resources:
    - id: server
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: \${schema.metadata.name}
        spec: |-
          \${{
            ?"replicas": schema.spec.autoscale ? optional.none() : optional.of(schema.spec.replicas),
            "selector": {"matchLabels": {"app": schema.metadata.name}},
            "template": {
              "metadata": {"labels": {"app": schema.metadata.name}},
              "spec": {"containers": [{"name": "web", "image": "a", "resources": {?"limits": schema.spec.?limits}}]}
            }
          }}
---
apiVersion: kro.run/v1alpha1
kind: Site
metadata: { name: shop, namespace: web }
spec: { autoscale: true }
`;
    const ask = (field: string) => invoke(['explain', 'Deployment/shop', field, '-'], text);
    expect((await ask('spec.replicas')).stdout).toBe(
      `spec.replicas of Deployment/web/shop is left out
  computed in node server, template.spec  -:20:13
    schema.spec.autoscale ? optional.none() : optional.of(schema.spec.replicas) has no value: the optional is empty
      schema.spec.autoscale = true
      optional.none() has no value: the optional is empty
      optional.of(schema.spec.replicas) = 2
        schema.spec.replicas = 2
    given in Site/shop, spec.autoscale = true  -:32:20
    the default of Site/shop, spec.replicas = 2  -:10:17
`,
    );
    const limits = await ask('spec.template.spec.containers[0].resources.limits');
    expect(limits.stdout).toMatch(/^spec\.template\.spec\.containers\[0\]\.resources\.limits of .* is left out\n/);
    expect(limits.stdout).toContain('    schema.spec.?limits has no value: the optional is empty\n');
    expect(limits.stdout).toContain('Site/shop, spec.limits, which is not there');
    const { code, stderr } = await ask('spec.replica');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^error\[not-found\]/) });
    const json = JSON.parse(
      (await invoke(['explain', 'Deployment/shop', 'spec.replicas', '-', '-o', 'json'], text)).stdout,
    );
    expect(json).toMatchObject({ field: 'spec.replicas', origin: { from: 'expression' } });
    expect(json).not.toHaveProperty('value');
  });

  it('accepts a field without a leading dot', async () => {
    expect((await invoke(['explain', 'ConfigMap/ns/t', 'data.size', '-'], everything)).stdout).toMatch(
      /^data\.size of ConfigMap\/ns\/t = "4"\n/,
    );
  });

  it('reads . as a folder if no other path follows, and otherwise as the whole object', async () => {
    const home = process.cwd();
    const folder = mkdtempSync(join(tmpdir(), 'render-rgd-explain-'));
    writeFileSync(join(folder, 'all.yaml'), everything);
    try {
      process.chdir(folder);
      expect((await invoke(['explain', 'Thing/t', '.'])).stdout).toMatch(/^Thing\/t \(RGD thing\)\n/);
      expect((await invoke(['explain', 'ConfigMap/ns/t', '.', 'all.yaml'])).stdout).toMatch(/ConfigMap\/ns\/t = \{/);
    } finally {
      process.chdir(home);
      rmSync(folder, { recursive: true });
    }
  });
});

describe('explain --eval', () => {
  const evaluate = (expression: string, ...more: string[]) =>
    invoke(['explain', 'Thing/t', '--eval', expression, '-', ...more], everything);

  it('shows the value of an expression in an instance, part by part', async () => {
    expect(await evaluate('schema.spec.size * 2 > 3')).toEqual({
      code: 0,
      stdout: `in Thing/t
  schema.spec.size * 2 > 3 = true
    schema.spec.size * 2 = 4
      schema.spec.size = 2
`,
      stderr: '',
    });
  });

  it('prints JSON', async () => {
    const { stdout } = await evaluate('[schema.spec.size]', '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ instance: 'Thing/t', verdict: 'included', expression: { value: [2] } });
  });

  it('reports an error of an expression without a position in a file', async () => {
    const { code, stdout, stderr } = await evaluate('schema.spec.sizes');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^error\[expression-type\]: undefined field 'sizes'/);
    expect((await evaluate('1 +')).stderr).toMatch(/^error\[expression-syntax\]/);
  });

  it('requires an existing instance', async () => {
    const { code, stderr } = await invoke(['explain', 'Thing/none', '--eval', '1', '-'], everything);
    expect(code).toBe(1);
    expect(stderr).toContain('there is no instance Thing/none');
  });

  it('reports that an expression reads a skipped node', async () => {
    expect((await evaluate('maybe.metadata.name')).stdout).toContain('in Thing/t, skipped: it reads maybe');
  });

  it('does not evaluate what reads a Secret', async () => {
    const secret = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: s }
spec:
  schema: { apiVersion: v1, kind: S }
  resources:
    - id: secret
      template: { apiVersion: v1, kind: Secret, metadata: { name: a }, stringData: { a: hush } }
---
{ apiVersion: kro.run/v1, kind: S, metadata: { name: s } }
`;
    const reads = ['secret.stringData.a + "x"', 'secret.stringData.a == "hush" ? 1 / 0 : 2', 'has(secret.data)'];
    for (const read of reads) {
      const answers = [secret, secret.replace('hush', 'other'), secret.replace('stringData: { a: hush }', 'type: a')];
      for (const text of answers) {
        const { stdout, stderr, code } = await invoke(['explain', 'S/s', '--eval', read, '-'], text);
        expect(`${code} ${stdout}${stderr}`).toBe(`0 in S/s\n  ${read}: not shown: it reads a Secret\n`);
      }
    }
    const { stdout } = await invoke(['explain', 'S/s', '--eval', 'secret.metadata.name', '-'], secret);
    expect(stdout).toContain('"a"');
  });
});
