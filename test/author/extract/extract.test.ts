import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { invoke } from '../../cli/invoke.ts';
import { type Copies, configMap, extracted, fieldsOf, messagesOf, nodesOf, renderedFiles } from './extracting.ts';

const app = (name: string, image: string, replicas: number, more = ''): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: ${name}, labels: { app: ${name} } }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      containers:
      - name: web
        image: ${image}
        args: ["--name=${name}", "--home=\${HOME}", "{{x}}", "$(POD)"]
---
apiVersion: v1
kind: Service
metadata: { name: ${name}-web, namespace: ${name} }
spec: { selector: { app: ${name} }, ports: [{ port: 80 }] }
${more}`;

const ingress = (name: string, host: string): string => `---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: ${name}, namespace: ${name} }
spec: { rules: [{ host: ${host}, http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: ${name}-web, port: { number: 80 } } } }] } }] }
`;

const apps: Copies = {
  shop: app('shop', 'shop:1', 2, ingress('shop', 'shop.example.org')),
  blog: app('blog', 'ghost:5', 2, ingress('blog', 'blog.example.net')),
  docs: app('docs', 'hugo:3', 5),
};

const example = join(import.meta.dirname, '../../../examples/extract');

const pod = (name: string, spec: string): string =>
  `{ apiVersion: v1, kind: Pod, metadata: { name: ${name} }, spec: { containers: [{ name: web, image: web }]${spec} } }`;

describe('extract', () => {
  it('finds the RGD of the example', async () => {
    const paths = ['blog', 'docs', 'shop'].map((name) => join(example, 'apps', name));
    const { stdout, stderr, code } = await invoke(['extract', ...paths, '--kind', 'WebApp']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(readFileSync(join(example, 'expected.yaml'), 'utf8'));
  });

  it('writes files once, and never over others', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'render-rgd-extract-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const args = ['extract', '--each', join(example, 'apps'), '--kind', 'WebApp', '--output-dir', join(folder, 'out')];
    expect(await invoke(args)).toMatchObject({ code: 0, stderr: '' });
    expect(await invoke(['test', join(folder, 'out')])).toMatchObject({ code: 0 });
    expect(await invoke(['validate', join(folder, 'out')])).toMatchObject({ code: 0 });
    const again = await invoke(args);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('already exists, and is not overwritten');
  });

  it('cuts a stream by namespace or by a label', async () => {
    const stream = ['a', 'b'].map((one) => configMap('config', `{ of: "${one}-1" }`, one)).join('---\n');
    const { stdout, code } = await invoke(['extract', '-', '--by', 'namespace', '--kind', 'Copy'], stream);
    expect(code).toBe(0);
    expect(stdout).toContain('of: ${schema.metadata.namespace}-1');
    const missing = await invoke(['extract', '-', '--by', 'label=team', '--kind', 'Copy'], stream);
    expect(missing.stderr).toContain('in no copy: 2 objects without the label team');
  });

  it('reads a kustomization that only lists files, and runs nothing unless it is asked to', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'render-rgd-extract-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const name of ['one', 'two']) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'map.yaml'), configMap(name, `{ of: ${name} }`));
      writeFileSync(join(folder, name, 'other.yaml'), configMap('other', `{ of: ${name} }`));
      writeFileSync(join(folder, name, 'kustomization.yaml'), 'resources: [map.yaml]\n');
    }
    const args = ['extract', join(folder, 'one'), join(folder, 'two'), '--kind', 'Copy'];
    const { stdout, code } = await invoke(args);
    expect({ code, hasOther: stdout.includes('other') }).toEqual({ code: 0, hasOther: false });
    writeFileSync(join(folder, 'one/kustomization.yaml'), 'resources: [map.yaml]\nnamePrefix: a-\n');
    expect((await invoke(args)).stderr).toContain('build-not-asked');
  });

  it('makes a field of what differs, and writes the name of the instance where its copy had its own', () => {
    const result = extracted(apps);
    expect(fieldsOf(result)).toEqual({
      image: 'string | required=true',
      host: 'string',
      replicas: 'integer | default=2',
    });
    const [deployment, service] = nodesOf(result);
    expect(deployment?.template.metadata).toEqual({
      name: '${schema.metadata.name}',
      labels: { app: '${schema.metadata.name}' },
    });
    expect(service?.template.metadata).toEqual({ name: '${schema.metadata.name}-web' });
    expect(result.report).toMatchObject({ copies: 3, objects: 8, collections: 0 });
  });

  it('includes an object that some copies have by the field that only they set', () => {
    const node = nodesOf(extracted(apps)).find(({ id }) => id === 'ingress');
    expect(node?.includeWhen).toEqual(['${has(schema.spec.host)}']);
    expect(JSON.stringify(node?.template)).toContain('${service.metadata.name}');
  });

  it('makes a field of the host of an object that one copy has, and writes its name with that of the instance', () => {
    const result = extracted({ ...apps, blog: app('blog', 'ghost:5', 2) });
    const node = nodesOf(result).find(({ id }) => id === 'ingress');
    expect(node?.includeWhen).toEqual(['${has(schema.spec.host)}']);
    expect(node?.template.metadata).toEqual({ name: '${schema.metadata.name}' });
  });

  it('writes instances with what differs from the defaults only', () => {
    const { instances } = extracted(apps);
    expect(instances.map(({ spec }) => spec)).toEqual([
      { image: 'shop:1', host: 'shop.example.org' },
      { image: 'ghost:5', host: 'blog.example.net' },
      { image: 'hugo:3', replicas: 5 },
    ]);
    expect(instances.map(({ metadata }) => metadata)).toEqual([
      { name: 'shop', namespace: 'shop' },
      { name: 'blog', namespace: 'blog' },
      { name: 'docs', namespace: 'docs' },
    ]);
  });

  it('writes files that render to the objects again', () => {
    const objects = renderedFiles(extracted(apps)) as { kind: string; spec: { template?: unknown } }[];
    expect(objects).toHaveLength(8);
    expect(JSON.stringify(objects)).toContain('"--home=${HOME}","{{x}}","$(POD)"');
  });

  it('takes one copy alone: its name, images and hosts are fields', () => {
    expect(
      Object.keys(fieldsOf(extracted({ shop: app('shop', 'shop:1', 2, ingress('shop', 'shop.example.org')) }))),
    ).toEqual(['image', 'host', 'replicas']);
  });

  it('refuses a Secret, and never shows a value of it', () => {
    const secret = 'apiVersion: v1\nkind: Secret\nmetadata: { name: a }\nstringData: { password: hunter2 }\n';
    const result = extracted({ a: secret, b: secret });
    expect(result.rgd).toBeUndefined();
    expect(messagesOf(result.diagnostics).join()).toContain('extract-secret');
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  it('names the groups of what are not copies of one thing', () => {
    const other = 'apiVersion: batch/v1\nkind: CronJob\nmetadata: { name: c }\nspec: { schedule: "* * * * *" }\n';
    const { diagnostics, rgd } = extracted({
      a: configMap('a', '{ x: "1" }'),
      b: configMap('b', '{ x: "2" }'),
      c: other,
    });
    expect(rgd).toBeUndefined();
    expect(diagnostics[0]).toMatchObject({
      code: 'extract-groups',
      hint: 'extract each group on its own: a, b; c; --together makes one RGD of them',
    });
  });

  it('accepts answers: other names, and fields that stay', () => {
    expect(fieldsOf(extracted(apps, { rename: { host: 'hostname' } }))).toHaveProperty('hostname');
    const alone = { shop: app('shop', 'shop:1', 2) };
    expect(fieldsOf(extracted(alone, { keep: ['deployment.spec.replicas'] }))).not.toHaveProperty('replicas');
    const { diagnostics } = extracted(apps, { keep: ['deployment.spec.replicas'] });
    expect(messagesOf(diagnostics).join()).toContain('extract-answer');
  });

  it('rejects fields that are said to be the same and are not', () => {
    const joined = (...names: string[]): string => messagesOf(extracted(apps, { same: [names] }).diagnostics).join();
    expect(joined('image', 'host')).toContain(
      'image and host have different values in a copy, so they are not one field',
    );
    expect(joined('image', 'picture')).toContain('there is no field picture');
    expect(joined('picture', 'image')).toContain('there is no field picture');
  });

  it('joins fields that are said to be the same, and decides their conditions again', () => {
    const copies = {
      a: pod('a', ', schedulerName: red'),
      b: pod('b', ', priorityClassName: blue'),
      c: pod('c', ''),
      d: pod('d', ', schedulerName: green, priorityClassName: green'),
    };
    expect(Object.keys(fieldsOf(extracted(copies)))).toEqual(['schedulerName', 'priorityClassName']);
    const joined = extracted(copies, { same: [['schedulerName', 'priorityClassName']] });
    expect(messagesOf(joined.diagnostics)).toEqual([]);
    expect(nodesOf(joined)[0]?.template.spec).toContain('optional.of(schema.spec.schedulerName)');
    expect(joined.instances.map(({ spec }) => (spec as { schedulerName?: string }).schedulerName)).toEqual([
      'red',
      'blue',
      undefined,
      'green',
    ]);
    const both = extracted(copies, {
      same: [['schedulerName', 'priorityClassName']],
      rename: { schedulerName: 'tier' },
    });
    expect(Object.keys(fieldsOf(both))).toContain('tier');
  });

  it('joins no field with what only decides a condition', () => {
    const dns = ', dnsConfig: { searches: [internal, local], nameservers: ["10.0.0.1"] }';
    const copies = {
      a: pod('a', `, priorityClassName: red${dns}`),
      b: pod('b', `, priorityClassName: red${dns}`),
      c: pod('c', ', priorityClassName: blue'),
    };
    expect(fieldsOf(extracted(copies))).toEqual({
      priorityClassName: 'string | default="red"',
      dnsConfig: 'boolean | default=true',
    });
    const { diagnostics } = extracted(copies, { same: [['priorityClassName', 'dnsConfig']] });
    expect(messagesOf(diagnostics).join()).toContain('dnsConfig only decides whether a part is there');
  });

  it.each(['say "hi"', 'C:\\temp', 'a\tb', 'one\ntwo'])(
    'gives no field the default %j, which kro would read as JSON',
    (text) => {
      const value = JSON.stringify(text);
      const copies = Object.fromEntries(
        ['a', 'b', 'c'].map((name, at) => [name, configMap(name, `{ text: ${at === 2 ? 'other' : value} }`)]),
      );
      expect(fieldsOf(extracted(copies))).toEqual({ text: 'string | required=true' });
    },
  );

  it('makes one field of values that vary together', () => {
    const copies = Object.fromEntries(
      ['a', 'b', 'c'].map((name, at) => [
        name,
        configMap(name, `{ one: "x${at}", two: "x${at}", three: "is x${at}!" }`),
      ]),
    );
    const result = extracted(copies);
    expect(Object.keys(fieldsOf(result))).toEqual(['one']);
    expect(nodesOf(result)[0]?.template.data).toEqual({
      one: '${schema.spec.one}',
      two: '${schema.spec.one}',
      three: 'is ${schema.spec.one}!',
    });
  });

  it('makes a map of free keys', () => {
    const result = extracted({
      a: configMap('a', '{ fixed: x, one: "1", two: "2" }'),
      b: configMap('b', '{ fixed: x, three: "3" }'),
      c: configMap('c', '{ fixed: x }'),
    });
    expect(fieldsOf(result)).toEqual({ data: 'map[string]string | default={}' });
    expect(nodesOf(result)[0]?.template.data).toBe('${{"fixed": "x"}.merge(schema.spec.data)}');
  });

  it('makes a collection of objects of one shape in different numbers', () => {
    const items = (...names: string[]): string =>
      names.map((name) => configMap(name, `{ kind: queue, of: ${name} }`)).join('---\n');
    const result = extracted({ a: items('red', 'green', 'blue'), b: items('white'), c: items('black', 'grey') });
    const [node] = nodesOf(result);
    expect(node?.forEach).toHaveLength(1);
    expect(result.report).toMatchObject({ collections: 1, objects: 6 });
  });

  it('makes items with a field for the condition where some have a part that others lack', () => {
    const base = configMap('base', '{ app: x }', 'demo');
    const of = (name: string): string => configMap(name, `{ app: x, type: ${name} }`, 'demo');
    const copies = [['cache', 'metrics'], ['metrics', 'tracing'], ['cache', 'metrics', 'tracing'], ['metrics']];
    const texts = copies.map((names, at) => [`copy-${at}`, [base, ...names.map(of)].join('---\n')] as const);
    const result = extracted(Object.fromEntries(texts));
    expect(messagesOf(result.diagnostics)).toEqual([]);
    expect(result.report).toMatchObject({ collections: 1, objects: 12 });
  });

  it('gives a value to a field that an empty collection reads', () => {
    const service = (copy: string, name: string, zone: string): string =>
      `apiVersion: v1\nkind: Service\nmetadata: { name: ${copy}-${name}, annotations: { zone: ${zone} } }\nspec: { clusterIP: None, sessionAffinity: None, internalTrafficPolicy: Local, externalName: ${zone}.example.org }\n`;
    const copy = (name: string, zone: string, ...items: string[]): string =>
      [configMap(`${name}-zone`, `{ of: ${zone} }`), ...items.map((item) => service(name, item, zone))].join('---\n');
    const result = extracted({
      one: copy('one', 'north', 'red', 'green'),
      two: copy('two', 'south', 'blue'),
      three: configMap('three', '{ is: fixed }'),
    });
    expect(result.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(result.report).toMatchObject({ collections: 1, objects: 6 });
  });

  it('joins copies that others connect, in any order, and copies that a person says are one thing', () => {
    const both = `${configMap('b', '{ x: "1" }')}---\napiVersion: v1\nkind: Service\nmetadata: { name: b }\nspec: { ports: [{ port: 80 }] }\n`;
    const service = 'apiVersion: v1\nkind: Service\nmetadata: { name: c }\nspec: { ports: [{ port: 80 }] }\n';
    const map = configMap('a', '{ x: "1" }');
    expect(extracted({ a: map, c: service, b: both }).report).toMatchObject({ objects: 4 });
    expect(extracted({ a: map, c: service }).rgd).toBeUndefined();
    expect(extracted({ a: map, c: service }, { together: true }).report).toMatchObject({ objects: 2, copies: 2 });
  });

  it('lists what is not generalised, and why', () => {
    const widget = (name: string, value: string): string =>
      `apiVersion: example.org/v1\nkind: Widget\nmetadata: { name: ${name} }\nspec: { fixed: 1, items: [${value}] }\n`;
    const { report } = extracted({
      a: widget('a', '{ name: x, a: 1, b: 2, c: 3 }, { name: z, d: 4 }'),
      b: widget('b', '{ name: y, b: 7 }'),
    });
    expect(report?.notGeneralised).toEqual([{ place: 'widget.spec.items', why: 'items' }]);
    const kept = extracted({ shop: app('shop', 'shop:1', 2) }, { keep: ['deployment.spec.replicas'] });
    expect(kept.report?.notGeneralised).toEqual([{ place: 'deployment.spec.replicas', why: 'kept' }]);
    const unknown = extracted({ shop: app('shop', 'shop:1', 2) }, { keep: ['deployment.spec.replica'] });
    expect(messagesOf(unknown.diagnostics).join()).toContain('is no value of a node');
  });

  it('names copies whose names contain each other', () => {
    const names = ['app', 'app2', 'my-app', 'app-app'];
    const result = extracted(Object.fromEntries(names.map((name) => [name, app(name, 'x:1', 1)])));
    expect(fieldsOf(result)).toEqual({});
    expect(result.instances.map(({ metadata }) => metadata.name)).toEqual(names);
  });

  it('keeps the parts of a container as fields, also where many of them are optional', () => {
    const probed = (name: string, port: number, probe: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      containers:
      - name: server
        image: ${name}
        ports: [{ containerPort: ${port} }]
        readinessProbe: { ${probe}grpc: { port: ${port} } }
        livenessProbe: { failureThreshold: 9, ${probe}grpc: { port: ${port} } }
`;
    const result = extracted({
      one: probed('one', 80, ''),
      two: probed('two', 81, 'initialDelaySeconds: 3, '),
      three: probed('three', 82, 'periodSeconds: 9, '),
    });
    expect(Object.keys(fieldsOf(result)).sort()).toEqual(['initialDelaySeconds', 'periodSeconds', 'port']);
    expect(result.report?.notGeneralised).toEqual([]);
  });

  it('writes items before those of a field as items of one type', () => {
    const env = (name: string, more: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { containers: [{ name: a, image: b, env: [{ name: VERSION, value: "1" }, ${more}] }] }\n`;
    const result = extracted({
      one: env('one', '{ name: A, value: a }, { name: B, value: b }'),
      two: env('two', '{ name: IP, valueFrom: { fieldRef: { fieldPath: status.podIP } } }'),
      three: env('three', '{ name: C, value: c }, { name: D, value: d }, { name: E, value: e }'),
    });
    expect(messagesOf(result.diagnostics)).toEqual([]);
    expect(fieldsOf(result)).toMatchObject({ env: '[]Env | required=true' });
  });

  it('gives an instance no namespace where its copy has none', () => {
    const result = extracted({ dev: configMap('a', '{ of: dev }'), prod: configMap('a', '{ of: prod }', 'shop') });
    expect(result.instances.map(({ metadata }) => metadata)).toEqual([{ name: 'a' }, { name: 'a', namespace: 'shop' }]);
    expect(nodesOf(result)).toHaveLength(1);
  });

  it('reads null as an absent field where the other copies need it', () => {
    const result = extracted({
      a: configMap('a', '{ x: "1" }'),
      b: configMap('b', 'null'),
      c: configMap('c', '{ x: "2" }'),
    });
    expect(result.report).toMatchObject({ objects: 3, notCompared: { null: 1 } });
    const all = extracted({ a: configMap('a', 'null'), b: configMap('b', 'null') });
    expect(nodesOf(all)[0]?.template.data).toBeNull();
    expect(all.report?.notCompared).toEqual({});
  });

  it('makes a boolean of texts that are true or false, and a tag of images with one name', () => {
    const result = extracted({
      a: app('a', 'ghcr.io/org/web:1', 1).replace('$(POD)', 'true'),
      b: app('b', 'ghcr.io/org/web:2', 1).replace('$(POD)', 'false'),
      c: app('c', 'ghcr.io/org/web:3', 1).replace('$(POD)', 'true'),
    });
    expect(fieldsOf(result)).toEqual({ imageTag: 'string | required=true', arg: 'boolean | default=true' });
  });

  it('takes one node for objects of one shape that have other names in each copy', () => {
    const route = (name: string): string =>
      `apiVersion: example.org/v1\nkind: Route\nmetadata: { name: ${name} }\nspec: { backends: [{ name: ${name}, port: 80 }] }\n`;
    const copies = ['red', 'green', 'blue'].map((colour, at) => [`copy-${at}`, route(colour)] as const);
    const result = extracted(Object.fromEntries(copies));
    expect(nodesOf(result)).toHaveLength(1);
    expect(result.report?.conditions).toEqual([]);
    expect(fieldsOf(result)).toEqual({});
  });

  it('prefers the shorter name of a copy if other texts have it too', () => {
    const of = (name: string): string =>
      `apiVersion: v1\nkind: Service\nmetadata: { name: ${name}-web, labels: { release: ${name} } }\nspec: { ports: [{ port: 80 }] }\n`;
    const result = extracted({ one: of('one'), two: of('two') });
    expect(result.instances.map(({ metadata }) => metadata.name)).toEqual(['one', 'two']);
    expect(fieldsOf(result)).toEqual({});
  });

  it('never splits a number in two', () => {
    const of = (name: string, size: string): string =>
      configMap(name, `{ request: "${size}", limit: "${size}", both: "of ${size}" }`);
    const result = extracted({ a: of('a', '0.5Gi'), b: of('b', '0.25Gi') });
    expect(result.instances.map(({ spec }) => spec)).toEqual([{ request: '0.5Gi' }, { request: '0.25Gi' }]);
  });

  it('writes a map of maps so that a field of an object accepts it', () => {
    const of = (name: string, annotations: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  selector: { matchLabels: { app: x } }
  template:
    metadata: { labels: { app: x }${annotations} }
    spec: { containers: [{ name: a, image: b }] }
`;
    const result = extracted({
      a: of('a', ''),
      b: of('b', ', annotations: { x: "1" }'),
      c: of('c', ', annotations: { x: "2" }'),
    });
    expect(messagesOf(result.diagnostics)).toEqual([]);
  });

  it('warns of objects that an API server refuses, at the line of the copy', () => {
    const of = (name: string): string =>
      `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\nspec:\n  ports:\n  - port: 99999\n`;
    const { rgd, diagnostics } = extracted({ a: of('a'), b: of('b') });
    expect(rgd).toBeDefined();
    expect(diagnostics.find(({ severity }) => severity === 'warning')).toMatchObject({
      code: 'rendered-value',
      object: 'Service/a',
      field: 'spec.ports[0].port',
      file: 'a.yaml',
      line: 6,
      hint: 'correct it in the copies, or leave its kind out with --without Service',
    });
  });

  it('refuses values that contradict the format of their field, which kro refuses too', () => {
    const of = (name: string): string =>
      `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\nspec:\n  ports:\n  - port: 3000000000\n`;
    const { rgd, diagnostics } = extracted({ a: of('a'), b: of('b') });
    expect(rgd).toBeUndefined();
    expect(diagnostics[0]).toMatchObject({
      code: 'extract-object',
      object: 'Service/a',
      field: 'spec.ports[0].port',
      file: 'a.yaml',
      line: 6,
      message: 'an API server and kro reject this value: it must be of type int32',
    });
  });

  it('refuses what kro rejects in a template, at the line of the copy that has it', () => {
    const of = (name: string, env: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec:\n  containers:\n  - name: web\n    env:\n${env}`;
    const flag = of('a', '    - name: YES\n      value: x\n');
    const { rgd, diagnostics } = extracted({ a: flag, b: flag.replace('{name: a}', '{name: b}') });
    expect(rgd).toBeUndefined();
    expect(diagnostics).toEqual([
      expect.objectContaining({
        severity: 'error',
        code: 'field-type',
        object: 'Pod/a',
        field: 'spec.containers[0].env[0].name',
        file: 'a.yaml',
        line: 8,
        hint: 'quote it',
      }),
    ]);
  });

  it('reports once what several instances render alike', () => {
    const of = (name: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  annotations:\n    "no key": x\n`;
    const { rgd, diagnostics } = extracted({ a: of('a'), b: of('b'), c: of('c') });
    expect(rgd).toBeUndefined();
    expect(diagnostics.map(({ code, object, line }) => ({ code, object, line }))).toEqual([
      { code: 'object-label', object: 'ConfigMap/a', line: 6 },
    ]);
  });

  it('decides by a field and not by a boolean whether a small part is there', () => {
    const pod = (name: string, ports: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {containers: [{name: web, image: x${ports}}]}\n`;
    const result = extracted({
      a: pod('a', ''),
      b: pod('b', ', ports: [{name: http, containerPort: 8080}]'),
      c: pod('c', ''),
    });
    expect(fieldsOf(result)).toMatchObject({ port: expect.stringMatching(/^integer\b/) });
    expect(result.report?.conditions).toEqual([
      { decides: 'pod.spec.containers[web].ports', by: 'has(schema.spec.port)', holds: 1, values: 2 },
    ]);
  });
});
