import { describe, expect, it } from 'vitest';
import { type Copies, configMap, extracted, fieldsOf, messagesOf, nodesOf, renderedFiles } from './extracting.ts';

const deployment = (name: string, container: string, spec = ''): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  selector: { matchLabels: { app: x } }
  template:
    metadata: { labels: { app: x } }
    spec: { containers: [{ name: web, ${container} }]${spec} }
`;

const namespaced = (name: string, team: string, groups: readonly string[], more = ''): string => `
apiVersion: v1
kind: Namespace
metadata: { name: ${name}, annotations: { team: ${team} } }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: admin, namespace: ${name} }
roleRef: { kind: ClusterRole, name: admin, apiGroup: rbac.authorization.k8s.io }
subjects:
${groups.map((group) => `- { kind: Group, name: "git:${group}", apiGroup: rbac.authorization.k8s.io }`).join('\n')}
${more}`;

/** Expects what is written to give back the objects without a word, and returns its fields and its RGD. */
function accepted(copies: Copies): { fields: Readonly<Record<string, string>>; text: string } {
  const result = extracted(copies);
  expect(messagesOf(result.diagnostics.filter(({ severity }) => severity !== 'info'))).toEqual([]);
  expect(renderedFiles(result)).toHaveLength(result.report?.objects ?? 0);
  return { fields: fieldsOf(result), text: JSON.stringify(nodesOf(result)) };
}

describe('an RGD as a person writes it', () => {
  it('keeps the pod around a container, however many of its parts are optional', () => {
    const requests = 'resources: { requests: { cpu: 100m } }';
    const { fields } = accepted({
      one: deployment('one', 'image: x:1'),
      two: deployment('two', `image: x:2, ${requests}, tty: true`, ', hostNetwork: true'),
      three: deployment('three', `image: x:3, ${requests}, stdin: true`, ', nodeSelector: { disk: ssd }'),
    });
    expect(Object.values(fields).filter((type) => type.startsWith('object'))).toEqual([]);
    expect(fields).toMatchObject({ imageTag: 'string | required=true', nodeSelector: 'map[string]string' });
  });

  it('finds the name of a copy that the rest of a name contains too', () => {
    const of = (release: string): string => configMap(`${release}-web-guestbook`, `{ of: ${release} }`);
    const result = extracted({ guestbook: of('guestbook'), staging: of('staging'), web: of('web') });
    expect(fieldsOf(result)).toEqual({});
    expect(result.instances.map(({ metadata }) => metadata.name)).toEqual(['guestbook', 'staging', 'web']);
  });

  it('decides by one boolean whether the objects of one copy are there, and gives them no fields', () => {
    const service = (name: string): string =>
      `---\napiVersion: v1\nkind: Service\nmetadata: { name: ${name} }\nspec: { ports: [{ port: 80 }] }\n`;
    const app = (name: string, image: string): string => deployment(name, `image: ${image}`) + service(name);
    const redis =
      deployment('redis-cart', 'image: redis, resources: { limits: { cpu: 100m } }') + service('redis-cart');
    const { fields, text } = accepted({
      cart: `${app('cart', 'one')}---${redis}`,
      mail: app('mail', 'two'),
      shop: app('shop', 'three'),
    });
    expect(fields).toEqual({ image: 'string | required=true', redis: 'boolean | default=false' });
    expect(text.match(/"includeWhen":\["\$\{schema\.spec\.redis\}"\]/g)).toHaveLength(2);
  });

  it('makes a field of the host of an object that one copy has', () => {
    const certificate = `---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: { name: shop }
spec: { secretName: tls, dnsNames: [shop.example.org] }
`;
    const result = extracted({
      shop: configMap('shop', '{ a: "1" }') + certificate,
      blog: configMap('blog', '{ a: "1" }'),
    });
    expect(fieldsOf(result)).toEqual({ dnsName: 'string' });
    expect(nodesOf(result)[1]?.includeWhen).toEqual(['${has(schema.spec.dnsName)}']);
  });

  it('gives a list that is often empty a default, and decides by a boolean', () => {
    const app = (name: string, components: string): string =>
      `apiVersion: example.org/v1\nkind: App\nmetadata: { name: ${name} }\nspec: { prune: true${components} }\n`;
    const result = extracted({
      a: app('a', ', components: [backup]'),
      b: app('b', ', components: [backup]'),
      c: app('c', ', components: [backup, scale]'),
      d: app('d', ''),
    });
    expect(fieldsOf(result)).toEqual({
      components: '[]string | default=[]',
      hasComponents: 'boolean | default=true',
    });
    expect(result.instances.map(({ spec }) => spec)).toEqual([
      {},
      {},
      { components: ['scale'] },
      { hasComponents: false },
    ]);
  });

  it('refers objects that some copies have to the namespace', () => {
    const quota = (name: string): string => `---
apiVersion: v1
kind: ResourceQuota
metadata: { name: quota, namespace: ${name} }
spec: { hard: { pods: "5" } }
`;
    const result = extracted({
      a: namespaced('a', 'red', ['red'], quota('a')),
      b: namespaced('b', 'blue', ['blue']),
      c: namespaced('c', 'green', ['green']),
    });
    const metadata = nodesOf(result).map(({ template }) => template.metadata as { namespace?: string });
    expect(metadata.slice(1).map(({ namespace }) => namespace)).toEqual(['${ns.metadata.name}', '${ns.metadata.name}']);
  });

  it('takes the first item of every list from the field that has it', () => {
    const { fields, text } = accepted({
      a: namespaced('a', 'red', ['red']),
      b: namespaced('b', 'blue', ['blue', 'all']),
      c: namespaced('c', 'green', ['green']),
    });
    expect(fields).toEqual({ team: 'string | required=true', subjects: '[]string | default=[]' });
    expect(text).toContain('([schema.spec.team] + schema.spec.subjects).map(');
    const other = accepted({
      a: namespaced('a', 'red', ['red']),
      b: namespaced('b', 'blue', ['all', 'blue']),
      c: namespaced('c', 'green', ['green']),
    });
    expect(other.fields.subjects).toBe('[]string | required=true');
  });

  it('makes one field of a map of free keys that some lack, unless its texts contain the name', () => {
    const pod = (name: string, spec: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { containers: [{ name: a, image: b${spec} }] }\n`;
    const limits = (text: string): string => `, resources: { limits: { ${text} } }`;
    const { fields } = accepted({
      a: pod('a', limits('cpu: 100m')),
      b: pod('b', limits('memory: 1Gi')),
      c: pod('c', ', resources: {}'),
    });
    expect(fields).toEqual({ limits: 'map[string]string' });
    const named = accepted({
      one: deployment('one', 'image: x', ', nodeSelector: { pool: pool-one }'),
      two: deployment('two', 'image: x', ', nodeSelector: { pool: pool-two }'),
      three: deployment('three', 'image: x'),
    });
    expect(named.fields).toEqual({ nodeSelector: 'boolean | default=true' });
  });

  it('gives the short name to the field that all copies set', () => {
    const sidecar = (image: string): string => `image: x, tty: true }, { name: proxy, image: ${image}`;
    const { fields } = accepted({
      one: deployment('one', 'image: a:1').replace('a:1', 'first'),
      two: deployment('two', sidecar('envoy')).replace('image: x', 'image: second'),
      three: deployment('three', sidecar('nginx')).replace('image: x', 'image: third'),
    });
    expect(fields.image).toBe('string | required=true');
    expect(fields).toHaveProperty('proxyImage');
  });

  it('leaves the hash of a generated ConfigMap out of the id of its node', () => {
    const of = (name: string): string =>
      `${configMap('redis-config-bd2fcfgt6k', '{ a: b }', name)}---\n${configMap('other-config', '{ a: b }', name)}`;
    const result = extracted({ one: of('one'), two: of('two') });
    expect(nodesOf(result).map(({ id }) => id)).toEqual(['redisConfigMap', 'otherConfigMap']);
  });

  it('gives a quantity that some copies lack a default that is one', () => {
    const sidecar = (cpu: string, memory: string): string =>
      `image: x }, { name: proxy, image: envoy, resources: { requests: { cpu: ${cpu}, memory: ${memory} } }`;
    const { fields } = accepted({
      a: deployment('a', 'image: x'),
      b: deployment('b', sidecar('100m', '1Gi')),
      c: deployment('c', sidecar('200m', '2Gi')),
    });
    expect(fields).toMatchObject({ cpuRequest: 'string', memoryRequest: 'string | default="1Gi"' });
  });

  it('writes the variable of a port from the port, also where some copies lack it', () => {
    const of = (name: string, port: number, env: string): string =>
      deployment(name, `image: x, ports: [{ containerPort: ${port} }], env: [${env}]`);
    const own = (port: number): string => `{ name: PORT, value: "${port}" }`;
    const copies = {
      a: of('a', 8080, `${own(8080)}, { name: LOG, value: debug }`),
      b: of('b', 9090, own(9090)),
      c: of('c', 7070, `${own(7070)}, { name: A, value: a }, { name: B, value: b }`),
      d: of('d', 6060, '{ name: LOG, value: info }'),
    };
    const { fields, text } = accepted(copies);
    expect(fields).toEqual({
      port: 'integer | required=true',
      env: '[]Env | default=[]',
      hasPort: 'boolean | default=true',
    });
    expect(text).toContain('string(schema.spec.port)');
    expect(text).toContain('env.name, ');
    // What one copy lacks of a pod says nothing about its other objects.
    const more = accepted({ ...copies, d: `${copies.d}---\n${configMap('cache', '{ a: b, c: d, e: f, g: h }')}` });
    expect(more.fields).toMatchObject({ hasPort: 'boolean | default=true', configMap: 'boolean | default=false' });
    const twice = Object.entries(copies).map(([name, copy]) => [
      name,
      `${copy}---\n${copy.replace(`name: ${name} }`, `name: ${name}-canary }`)}`,
    ]);
    expect(accepted(Object.fromEntries(twice)).fields).toEqual(fields);
    const other = accepted({ ...copies, c: of('c', 7070, '{ name: PORT, value: "7071" }, { name: A, value: a }') });
    expect(other.fields).not.toHaveProperty('hasPort');
  });
});
