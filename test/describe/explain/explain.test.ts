import { describe, expect, it } from 'vitest';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import {
  addressable,
  type Explanation,
  explainField,
  explainInstance,
  explainNode,
  explainPackage,
  explanationText,
  nodeText,
  parseFieldPath,
  parsePath,
} from '../../../src/describe/explain/index.ts';
import type { GraphNode } from '../../../src/kro/compile/index.ts';
import type { InstanceRun } from '../../../src/kro/expand/index.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';
import { everything, packageOf, plain } from './packages.ts';

const pack = packageOf(everything);
const run = pack.runs[0] as InstanceRun;
const paint = (_: string, text: string): string => text;
const node = (id: string): string => {
  const found = run.graph.nodes.find((one) => one.id === id) as GraphNode;
  return nodeText(explainNode(found, run, pack), paint);
};
function field(address: string, path: string, from = pack): string {
  const explained = explainField(address, parsePath(path) ?? [], from);
  return 'fault' in explained ? explained.fault : explanationText(explained, paint);
}
const lineOf = (text: string): number => everything.slice(0, everything.indexOf(text)).split('\n').length;

describe('the explanation of an instance', () => {
  it('has a verdict and a reason for each node', () => {
    const { nodes, rgd } = explainInstance(run, pack);
    expect(rgd).toBe('thing');
    expect(Object.fromEntries(nodes.map(({ id, verdict, why }) => [id, `${verdict}: ${why}`]))).toEqual({
      main: 'included: it has no conditions',
      main2: 'included: it has no conditions',
      maybe: 'skipped: a condition of includeWhen is false',
      reader: 'skipped: it reads maybe, which is skipped',
      many: 'included: it renders 2 objects',
      late: expect.stringMatching(
        /^pending: 'balancer\.status\.loadBalancer\.ingress\[0\]\.ip': no such key: status \(waits for/,
      ),
      balancer: 'included: it has no conditions',
      after: 'pending: it reads late, which is pending',
      kept: 'included: it has no conditions',
      leak: 'included: it has no conditions',
    });
    expect(nodes.find(({ id }) => id === 'many')?.objects).toEqual(['ConfigMap/ns/h-one', 'ConfigMap/ns/h-two']);
  });
});

describe('the explanation of a node', () => {
  it('shows its conditions part by part', () => {
    const line = lineOf('includeWhen:');
    expect(node('maybe')).toBe(`node maybe (ConfigMap) is skipped: a condition of includeWhen is false
  all.yaml:${lineOf('- id: maybe')}:7
  includeWhen[0]  all.yaml:${line}:24
    schema.spec.wanted || (schema.spec.size > 3 && size(schema.spec.hosts) > 0) = false
      schema.spec.wanted = false
      schema.spec.size > 3 && size(schema.spec.hosts) > 0 = false
        schema.spec.size > 3 = false
          schema.spec.size = 2
        size(schema.spec.hosts) > 0 = true
          size(schema.spec.hosts) = 2
            schema.spec.hosts = ["one","two"]
`);
  });

  it('shows the values of a collection for its first item', () => {
    const text = node('many');
    expect(text).toContain('  forEach host  all.yaml:');
    expect(text).toContain(`    'h-' + host = "h-one"\n      host = "one"\n`);
  });

  it('names the expression that is pending', () => {
    expect(node('late')).toContain('balancer.status.loadBalancer.ingress[0].ip has no value: no such key: status');
    expect(node('after')).toContain('reads late (pending)');
  });

  it('hides values that go into a Secret or come out of one', () => {
    expect(node('kept')).toContain('schema.spec.password = (hidden)');
    expect(node('kept')).not.toContain('hunter2');
    expect(node('leak')).toContain("'db:' + kept.stringData.q = (hidden)\n      kept.stringData.q = (hidden)");
  });
});

describe('the explanation of a field', () => {
  it('traces a computed value to its default', () => {
    expect(field('ConfigMap/ns/t', '.data.size')).toBe(`data.size of ConfigMap/ns/t = "4"
  computed in node main, template.data.size  all.yaml:${lineOf('size: ${string')}:19
    string(schema.spec.size * 2) = "4"
      schema.spec.size * 2 = 4
        schema.spec.size = 2
    the default of Thing/t, spec.size = 2  all.yaml:${lineOf('size: integer')}:13
`);
  });

  it('traces a given value to the instance, through other nodes', () => {
    const text = field('ConfigMap/ns/t', '.data.text');
    expect(text).toContain('computed in node main2, template.data.copy');
    expect(text).toContain(`given in Thing/t, metadata.name = "t"  all.yaml:${lineOf('name: t,')}:18`);
    // The password goes into a Secret elsewhere; in this object it is an ordinary value.
    expect(text).toContain(`given in Thing/t, spec.password = "hunter2"  all.yaml:${lineOf('password: hunter2')}:13`);
  });

  it('of an item has the values of that item', () => {
    expect(field('ConfigMap/ns/h-two', '.data.host')).toContain('    host = "two"\n');
    expect(field('ConfigMap/ns/h-one', '.metadata.name')).toContain(`    'h-' + host = "h-one"\n`);
  });

  it('traces a field of a nested instance to the template that renders it', () => {
    const text = field('ConfigMap/other/inner', '.data.size');
    expect(text).toContain('= "42"');
    expect(text).toContain('computed in node thing, template.spec.size');
    expect(text).toContain(`given in Outer/o, spec.amount = 21  all.yaml:${lineOf('spec: {amount: 21}')}:16`);
  });

  it('traces the status of a nested instance to what its RGD computes it from', () => {
    const part = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: part}
spec:
  schema: {apiVersion: v1alpha1, kind: Part, spec: {host: string}, status: {url: "\${'https://' + conf.data.host}"}}
  resources:
    - id: conf
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: conf}, data: {host: "\${schema.spec.host}"}}
---
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: all}
spec:
  schema: {apiVersion: v1alpha1, kind: All, spec: {host: string}}
  resources:
    - id: part
      template: {apiVersion: kro.run/v1alpha1, kind: Part, metadata: {name: p}, spec: {host: "\${schema.spec.host}"}}
    - id: reader
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: reader}, data: {url: "\${part.status.url}"}}
---
apiVersion: kro.run/v1alpha1
kind: All
metadata: {name: a, namespace: ns}
spec: {host: example.org}
`;
    expect(field('ConfigMap/ns/reader', '.data.url', packageOf(part))).toBe(
      `data.url of ConfigMap/ns/reader = "https://example.org"
  computed in node reader, template.data.url  all.yaml:19:92
    part.status.url = "https://example.org"
    computed in Part/p, status.url  all.yaml:5:82
      computed in node conf, template.data.host  all.yaml:8:91
        schema.spec.host = "example.org"
        computed in node part, template.spec.host  all.yaml:17:97
          schema.spec.host = "example.org"
          given in All/a, spec.host = "example.org"  all.yaml:24:14
`,
    );
  });

  it.each([
    ['.data.plain', `written in node main, template.data.plain = "written"  all.yaml:${lineOf('plain: written')}:18`],
    ['.kind', 'written in node main, template.kind = "ConfigMap"'],
    [
      '.metadata.namespace',
      'inherited by node main, metadata.namespace\n    given in Thing/t, metadata.namespace = "ns"',
    ],
    ['.metadata.labels["kro.run/node-id"]', 'set by render-rgd for node main, metadata.labels["kro.run/node-id"]'],
    ['.data', 'written in node main, template.data'],
  ])('%s: %s', (path, expected) => expect(field('ConfigMap/ns/t', path)).toContain(expected));

  it('hides values of Secrets, and those that they are computed from', () => {
    const text = field('Secret/ns/kept', '.stringData.p');
    expect(text).toContain('stringData.p of Secret/ns/kept = (hidden)');
    expect(text).toContain('given in Thing/t, spec.password = (hidden)');
    expect(text).not.toContain('hunter2');
    expect(field('Secret/ns/kept', '.stringData.q')).not.toContain('literal2');
    expect(field('ConfigMap/ns/leak', '.data.url')).not.toContain('literal2');
  });

  it.each([
    [
      'ConfigMap/ns/t',
      '.data.none',
      'ConfigMap/ns/t has no field data.none: there is no none in data; there is size, plain, text',
    ],
    [
      'ConfigMap/ns/t',
      '.spec',
      'ConfigMap/ns/t has no field spec: there is no spec in ConfigMap/ns/t; there is apiVersion, kind, metadata, data',
    ],
    ['Secret/ns/kept', '.stringData.x', 'Secret/ns/kept has no field stringData.x: there is no x in stringData'],
    ['ConfigMap/none', '.data', 'there is no rendered object ConfigMap/none; there is '],
  ])('%s %s: %s', (address, path, fault) => expect(field(address, path)).toContain(fault));
});

describe('a path of a field', () => {
  it.each([
    ['.spec.ports[0].name', ['spec', 'ports', 0, 'name']],
    ['.metadata.labels["a.b/c"]', ['metadata', 'labels', 'a.b/c']],
    [".metadata.labels['a.b/c']", ['metadata', 'labels', 'a.b/c']],
    ['.data["a\\"b"]', ['data', 'a"b']],
    ['.', []],
    ['.a..b', undefined],
    ['.a[b]', undefined],
    ['.a[', undefined],
  ])('%s', (text, path) => expect(parsePath(text)).toEqual(path));

  it.each([
    ['.a[b].c', ['a', { item: 'b' }, 'c']],
    ['.a[80,TCP]', ['a', { item: '80,TCP' }]],
    ['.a[name="x]"]', ['a', { item: 'name="x]"' }]],
    ['.a[]', undefined],
  ])('%s, with merge keys', (text, path) => expect(parseFieldPath(text)).toEqual(path));
});

describe('a path of diff', () => {
  const pod = (secret: string): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: pods}
spec:
  schema: {apiVersion: v1alpha1, kind: Pods, spec: {}}
  resources:
    - id: kept
      template: {apiVersion: v1, kind: Secret, metadata: {name: kept}, stringData: {p: hunter2}}
    - id: pod
      template:
        apiVersion: v1
        kind: Pod
        metadata: {name: p}
        spec:
          containers:
            - {name: side, image: "side:1"}
            - name: web
              image: "web:1"
              ports: [{containerPort: 80}, {containerPort: 80, protocol: UDP, name: quic}]
              env: [{name: ${secret}, value: other}]
---
{apiVersion: kro.run/v1alpha1, kind: Pods, metadata: {name: i, namespace: ns}}
`;
  const explained = (path: string, secret = 'PLAIN'): string => {
    const input = { objects: readStreams([{ file: 'a.yaml', text: pod(secret) }], new Collector()) };
    const question = { object: 'Pod/p', field: parseFieldPath(path) ?? [] };
    const { explanation, fault } = explainPackage(input, question, defaultRenderOptions);
    return fault ?? explanationText(explanation as Explanation, paint).split('\n')[0] ?? '';
  };

  it.each([
    ['spec.containers[web].image', 'spec.containers[1].image of Pod/ns/p = "web:1"'],
    ['spec.containers[web].ports[80,UDP].name', 'spec.containers[1].ports[1].name of Pod/ns/p = "quic"'],
    ['spec.containers[web].env[PLAIN].value', 'spec.containers[1].env[0].value of Pod/ns/p = "other"'],
    ['spec.containers[none].image', 'Pod/ns/p: there is no item [none] in spec.containers'],
    ['spec[none]', 'Pod/ns/p: there is no item [none] in spec'],
  ])('%s identifies an item by its merge keys', (path, told) => expect(explained(path)).toBe(told));

  it('does not find an item by a value of a Secret', () => {
    const path = 'spec.containers[web].env[hunter2].value';
    expect(explained(path, '"${kept.stringData.p}"')).toBe(
      'Pod/ns/p: there is no item [hunter2] in spec.containers[1].env',
    );
  });
});

it('a package whose instances do not render has nothing to explain', () => {
  expect(addressable(packageOf(plain.replaceAll('ns}', 'ns}'))).length).toBeGreaterThan(0);
  expect(addressable(packageOf(plain.slice(0, plain.indexOf('---'))))).toEqual([]);
});

describe('the origin of a field of an item of a collection', () => {
  const rgd = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: shop}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Shop
    types: {Tier: {name: string, replicas: integer | default=1}}
    spec: {regions: "[]string", tiers: "[]Tier"}
  resources:
    - id: all
      forEach:
        - tier: \${schema.spec.tiers}
        - region: \${schema.spec.regions}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: \${tier.name + '-' + region}
        data:
          replicas: \${string(tier.replicas)}
          count: \${tier.name + string(size(schema.spec.tiers))}
    - id: some
      forEach:
        - tier: \${schema.spec.tiers.filter(t, t.replicas > 1)}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: \${'some-' + tier.name}
---
apiVersion: kro.run/v1alpha1
kind: Shop
metadata: {name: books, namespace: ns}
spec:
  regions: [north, south]
  tiers:
    - {name: web, replicas: 3}
    - {name: worker}
`;
  const shop = packageOf(rgd);

  it('is the place of the item in its list', () => {
    const text = field('ConfigMap/worker-south', 'metadata.name', shop);
    expect(text).toContain('given in Shop/books, spec.tiers[1].name = "worker"');
    expect(text).toContain('given in Shop/books, spec.regions[1] = "south"');
    expect(field('ConfigMap/web-south', 'data.replicas', shop)).toContain('spec.tiers[0].replicas = 3');
    expect(field('ConfigMap/worker-north', 'data.replicas', shop)).toContain(
      'the default of Shop/books, spec.tiers[1]',
    );
  });

  it('is the list too if the expression reads it', () => {
    const text = field('ConfigMap/web-north', 'data.count', shop);
    expect(text).toContain('spec.tiers[0].name = "web"');
    expect(text).toMatch(/spec\.tiers = \[/);
  });

  it('is the whole list if another function chooses its items', () => {
    expect(field('ConfigMap/some-web', 'metadata.name', shop)).toMatch(/spec\.tiers = \[/);
  });
});
