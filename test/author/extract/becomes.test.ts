import { describe, expect, it } from 'vitest';
import { type ExtractOptions, extract } from '../../../src/api/tools/index.ts';
import { type Copies, configMap, describedFieldsOf, extracted, fieldsOf, messagesOf, nodesOf } from './extracting.ts';

const widget = (name: string, spec: string, more = ''): string =>
  `apiVersion: example.org/v1\nkind: Widget\nmetadata: { name: ${name}${more} }\nspec: ${spec}\n`;

const NAMES = ['red', 'green', 'blue', 'pink'];

/** Extracts Widgets with these specs, and returns the fields and the spec of the template. */
function found(specs: readonly string[], options: Partial<ExtractOptions> = {}): { fields: unknown; spec: unknown } {
  const copies: Copies = Object.fromEntries(specs.map((spec, at) => [`copy-${at}`, widget('fixed', spec)]));
  const result = extracted(copies, options);
  return { fields: fieldsOf(result), spec: nodesOf(result)[0]?.template.spec };
}

const values = (name: string, env: string, more = ''): string =>
  widget(name, `{ controllers: { ${name}: { kind: web, env: ${env}${more} } } }`);

describe('a key with the name of the copy', () => {
  it('becomes an expression, so that what is in it is compared', () => {
    const result = extracted({ shop: values('shop', '{ A: 1 }'), blog: values('blog', '{ A: 2 }') });
    expect(fieldsOf(result)).toEqual({ a: 'integer | required=true' });
    expect(nodesOf(result)[0]?.template.spec).toEqual({
      controllers: '${{schema.metadata.name: {"kind": "web", "env": {"A": schema.spec.a}}}}',
    });
  });

  it('may contain more than the name, beside other keys', () => {
    const of = (name: string): string => configMap(name, `{ ${name}.conf: same, other: same }`);
    const result = extracted({ shop: of('shop'), blog: of('blog') });
    expect(fieldsOf(result)).toEqual({});
    expect(nodesOf(result)[0]?.template.data).toBe('${{schema.metadata.name + ".conf": "same", "other": "same"}}');
  });

  it('is no expression if a copy lacks it', () => {
    const of = (name: string, key: string): string => widget(name, `{ map: { ${key}: { a: b, c: d }, always: 1 } }`);
    const result = extracted({ shop: of('shop', 'shop'), blog: of('blog', 'blog'), docs: of('docs', 'main') });
    expect(Object.keys(fieldsOf(result)).sort()).toEqual(['map']);
  });

  it('stays a field of a kind whose schema has it', () => {
    const pod = (name: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { containers: [{ name: x, image: y }], ${name}: z }\n`;
    const result = extracted({ hostname: pod('hostname'), subdomain: pod('subdomain') });
    expect(Object.keys(fieldsOf(result)).sort()).toEqual(['hostname', 'subdomain']);
  });

  it('has the rest of its map in a field', () => {
    const of = (name: string, more: string): string => configMap(name, `{ ${name}.conf: same${more} }`);
    const copies = { shop: of('shop', ', a: first, b: second'), blog: of('blog', ', c: third'), docs: of('docs', '') };
    const result = extracted(copies);
    expect(fieldsOf(result)).toEqual({ data: 'map[string]string | default={}' });
    expect(nodesOf(result)[0]?.template.data).toBe(
      '${{schema.metadata.name + ".conf": "same"}.merge(schema.spec.data)}',
    );
  });
});

describe('a field of an object that some copies lack', () => {
  const service = (name: string, spec: string): string =>
    `---\napiVersion: v1\nkind: Service\nmetadata: { name: ${name} }\nspec: { ${spec} }\n`;
  const copies = (specs: readonly string[]): Copies => {
    const app = (name: string): string => configMap(name, '{ a: b, c: d, e: f }');
    const those = specs.map((spec, at): [string, string] => [
      `app-${at}`,
      app(`app-${at}`) + service(`app-${at}`, spec),
    ]);
    return { ...Object.fromEntries(those), none: app('none') };
  };

  it('has one of the choices of its enum as its default, because none of them is empty', () => {
    const result = extracted(
      copies(['ports: [{ port: 80 }], type: NodePort', 'ports: [{ port: 81 }], type: ClusterIP']),
    );
    expect(fieldsOf(result)).toMatchObject({
      serviceType: 'string | default="NodePort" enum="ClusterIP,ExternalName,LoadBalancer,NodePort"',
    });
  });

  it('has one of its numbers as its default if zero is too small', () => {
    const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.org }
spec:
  group: example.org
  names: { kind: Widget, plural: widgets }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties: { of: { type: string }, size: { type: integer, minimum: 1 } }
`;
    const app = (name: string): string => configMap(name, '{ a: b, c: d, e: f }');
    const own = (name: string, size: number): string =>
      `${crd}---\n${app(name)}---\n${widget(name, `{ of: ${size === 3 ? 'first' : 'second'}, size: ${size} }`)}`;
    const result = extracted({ one: own('one', 3), two: own('two', 4), none: app('none') });
    expect(Object.values(fieldsOf(result))).toContain('integer | default=3 minimum=1');
  });
});

describe('a map without a schema', () => {
  const variables = (app: string): string =>
    Array.from({ length: 5 }, (_, at) => `${app}_${at}: ${at % 2 === 0 ? at : 'x'}`).join(', ');

  it('is a field, if it has numbers and texts under many keys that some copies lack', () => {
    const of = (name: string, app: string): string => values(name, `{ ${variables(app)} }`);
    const copies = { shop: of('shop', 'SHOP'), blog: of('blog', 'BLOG') };
    expect(fieldsOf(extracted(copies, { together: true }))).toEqual({ env: 'object | required=true' });
  });

  it('keeps its keys, if few of them are absent in some copies', () => {
    const copies = { shop: values('shop', '{ A: 1, B: x, C: true }'), blog: values('blog', '{ A: 1 }') };
    expect(fieldsOf(extracted(copies))).toEqual({ b: 'string', c: 'boolean' });
  });
});

// The rows are those of the table "What becomes what" of docs/extract.md.
describe('a part of the copies becomes', () => {
  it.each<[string, string[], unknown, unknown]>([
    ['the value, if it is equal in all', ['{ a: 1 }', '{ a: 1 }'], {}, { a: 1 }],
    [
      'a required field, if it differs',
      ['{ a: x }', '{ a: w }'],
      { a: 'string | required=true' },
      { a: '${schema.spec.a}' },
    ],
    [
      'a field with the value of at least half of the copies as its default',
      ['{ a: x }', '{ a: x }', '{ a: w }', '{ a: z }'],
      { a: 'string | default="x"' },
      { a: '${schema.spec.a}' },
    ],
    [
      'a required field, if fewer copies have one value',
      ['{ a: x }', '{ a: x }', '{ a: w }', '{ a: z }', '{ a: v }'],
      { a: 'string | required=true' },
      { a: '${schema.spec.a}' },
    ],
    [
      'one field, if several vary together',
      ['{ a: 1, b: 1 }', '{ a: 2, b: 2 }'],
      { a: 'integer | required=true' },
      { a: '${schema.spec.a}', b: '${schema.spec.a}' },
    ],
    [
      'two fields, if they vary apart',
      ['{ a: 1, b: 1 }', '{ a: 2, b: 2 }', '{ a: 2, b: 1 }'],
      { a: 'integer | default=2', b: 'integer | default=1' },
      { a: '${schema.spec.a}', b: '${schema.spec.b}' },
    ],
    [
      'a text with an expression, if it contains the value of a field',
      ['{ a: red, b: is red. }', '{ a: blue, b: is blue. }'],
      { a: 'string | required=true' },
      { a: '${schema.spec.a}', b: 'is ${schema.spec.a}.' },
    ],
    [
      'a text with a number',
      ['{ a: 11, b: port 11 of 9 }', '{ a: 12, b: port 12 of 9 }'],
      { a: 'integer | required=true' },
      { a: '${schema.spec.a}', b: 'port ${string(schema.spec.a)} of 9' },
    ],
    [
      'an optional part, if some lack it',
      ['{ x: 1, a: w }', '{ x: 1 }'],
      { a: 'string' },
      '${{"x": 1, ?"a": schema.spec.?a}}',
    ],
    [
      'an optional part with a boolean, if it is large',
      ['{ x: 1, p: { a: 1, b: 2, c: 3, d: 4 } }', '{ x: 1 }'],
      { p: 'boolean | default=false' },
      '${{\n  "x": 1,\n  ?"p": schema.spec.p ? optional.of({"a": 1, "b": 2, "c": 3, "d": 4}) : optional.none()\n}}',
    ],
    ['a list', ['{ a: [x, w] }', '{ a: [z] }', '{ a: [] }'], { a: '[]string | default=[]' }, { a: '${schema.spec.a}' }],
    [
      'a list between fixed items',
      ['{ a: [x, p, z] }', '{ a: [x, q, r, z] }'],
      { a: '[]string | required=true' },
      { a: '${["x"] + schema.spec.a + ["z"]}' },
    ],
    [
      'items in their places',
      ['{ a: [x, p, z] }', '{ a: [x, q, z] }'],
      { a: 'string | required=true' },
      { a: ['x', '${schema.spec.a}', 'z'] },
    ],
    [
      'a boolean, if texts are true or false',
      ['{ a: "true" }', '{ a: "false" }'],
      { a: 'boolean | required=true' },
      { a: '${string(schema.spec.a)}' },
    ],
    [
      'a boolean',
      ['{ a: true }', '{ a: false }', '{ a: true }'],
      { a: 'boolean | default=true' },
      { a: '${schema.spec.a}' },
    ],
    ['a float', ['{ a: 0.5 }', '{ a: 1.5 }'], { a: 'float | required=true' }, { a: '${schema.spec.a}' }],
    [
      'an expression that renders it',
      ['{ a: "${x}", b: 1 }', '{ a: "${x}", b: 2 }'],
      { b: 'integer | required=true' },
      { a: '${"$"}{x}', b: '${schema.spec.b}' },
    ],
    [
      'lines, of which those that differ are fields',
      ['{ a: "x\\nsize: 1\\nz\\n" }', '{ a: "x\\nsize: 2\\nz\\n" }'],
      { size: 'integer | required=true' },
      { a: 'x\nsize: ${string(schema.spec.size)}\nz\n' },
    ],
    [
      'one text, if most of its lines differ',
      ['{ a: "1\\n2\\nz" }', '{ a: "3\\n4\\nz" }'],
      { a: 'string | required=true' },
      { a: '${schema.spec.a}' },
    ],
    [
      'a map, if its free keys differ',
      ['{ m: { k: v, a: x } }', '{ m: { k: v, b: w, c: z } }'],
      { m: 'map[string]string | required=true' },
      { m: '${{"k": "v"}.merge(schema.spec.m)}' },
    ],
    [
      'an optional part with the field that is in it',
      ['{ a: { size: 1 } }', '{ b: { word: q } }', '{ b: { word: q } }'],
      { word: 'string', size: 'integer' },
      '${{\n  ?"a": has(schema.spec.size) ? optional.of({"size": schema.spec.size}) : optional.none(),\n  ?"b": has(schema.spec.word) ? optional.of({"word": schema.spec.word}) : optional.none()\n}}',
    ],
  ])('%s', (_, specs, fields, spec) => {
    expect(found(specs)).toEqual({ fields, spec });
  });

  it('the name and the namespace of the instance, also inside texts and labels', () => {
    const copies = Object.fromEntries(
      NAMES.map((name) => [
        name,
        widget(name, `{ host: ${name}.in-${name}.example.org, space: of-ns-${name}. }`, `, namespace: ns-${name}`),
      ]),
    );
    const result = extracted(copies);
    expect(fieldsOf(result)).toEqual({});
    const [node] = nodesOf(result);
    expect(node?.template).toMatchObject({
      metadata: { name: '${schema.metadata.name}' },
      spec: { host: '${schema.metadata.name}.in-${schema.metadata.name}.example.org' },
    });
    expect(result.instances.map(({ metadata }) => metadata)).toEqual(
      NAMES.map((name) => ({ name, namespace: `ns-${name}` })),
    );
  });
});

describe('the name of an object becomes a reference', () => {
  const deployment = (name: string): string =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: ${name} }\nspec: { selector: { matchLabels: { app: x } }, template: { metadata: { labels: { app: x } }, spec: { containers: [{ name: web, image: x }] } } }\n`;
  const plain = (kind: string, name: string, apiVersion = 'v1'): string =>
    `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: ${name} }\n`;

  /** The spec of the last object, in two copies in which all names have the copy in them. */
  const specIn = (...objects: ((copy: string) => string)[]): unknown => {
    const text = (copy: string): string => objects.map((one) => one(copy)).join('---\n');
    return nodesOf(extracted({ one: text('one'), two: text('two') })).at(-1)?.template.spec;
  };

  it.each([
    ['ServiceAccount', 'v1', 'serviceAccountName', 'serviceAccount'],
    ['PersistentVolumeClaim', 'v1', 'claimName', 'persistentVolumeClaim'],
    ['Service', 'v1', 'serviceName', 'service'],
    ['PriorityClass', 'scheduling.k8s.io/v1', 'priorityClassName', 'priorityClass'],
  ])('of a %s', (kind, apiVersion, key, id) => {
    const spec = specIn(
      (copy) => plain(kind, `${copy}-it`, apiVersion),
      (copy) => widget(`${copy}-w`, `{ inner: { ${key}: ${copy}-it } }`),
    );
    expect(spec).toEqual({ inner: { [key]: `\${${id}.metadata.name}` } });
  });

  it('of the kind that is beside the name', () => {
    const ref =
      (kind: string) =>
      (copy: string): string =>
        widget(`${copy}-w`, `{ scaleTargetRef: { kind: ${kind}, name: ${copy}-it } }`);
    const target = (copy: string): string => deployment(`${copy}-it`);
    expect(specIn(target, ref('Deployment'))).toEqual({
      scaleTargetRef: { kind: 'Deployment', name: '${deployment.metadata.name}' },
    });
    expect(specIn(target, ref('StatefulSet'))).toEqual({
      scaleTargetRef: { kind: 'StatefulSet', name: '${schema.metadata.name}-it' },
    });
  });

  it('only of the object with this name, and never in a circle', () => {
    const first = (copy: string): string => widget(`${copy}-w`, `{ configMapRef: { name: ${copy}-other } }`);
    expect(specIn((copy) => plain('ConfigMap', `${copy}-it`), first)).toEqual({
      configMapRef: { name: '${schema.metadata.name}-other' },
    });
    const account = (copy: string): string =>
      `${plain('ServiceAccount', `${copy}-it`, 'example.org/v1')}spec: { serviceName: ${copy}-it }\n`;
    const service = (copy: string): string =>
      `${plain('Service', `${copy}-it`, 'example.org/v1')}spec: { serviceAccountName: ${copy}-it }\n`;
    const text = (copy: string): string => `${account(copy)}---\n${service(copy)}`;
    const [one, two] = nodesOf(extracted({ one: text('one'), two: text('two') }, { together: true })).map(
      ({ template }) => JSON.stringify(template),
    );
    expect(one).toContain('${service.metadata.name}');
    expect(two).not.toContain('${serviceAccount.metadata.name}');
  });
});

describe('the schema of a field', () => {
  const said = { type: 'string', description: '' };
  const properties = {
    low: { type: 'integer', minimum: 1, maximum: 9 },
    open: { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
    choice: { type: 'string', enum: ['a', 'b', 'c'] },
    words: { type: 'string', enum: ['a b', 'c d'] },
    said,
  };
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.org' },
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
        },
      ],
    },
  };

  const fieldOf = (...specs: string[]): unknown => {
    const copies = specs.map((spec, at) => ({
      name: `copy-${at}`,
      objects: [{ file: `${at}.yaml`, text: widget('fixed', spec) }],
    }));
    const result = extract({ copies, definitions: [crd as never] }, { kind: 'Copy' });
    return describedFieldsOf(result);
  };

  it.each([
    ['{ low: 1 }', '{ low: 2 }', { low: 'integer | required=true minimum=1 maximum=9' }],
    ['{ open: 2 }', '{ open: 3 }', { open: 'integer | required=true' }],
    ['{ choice: a }', '{ choice: b }', { choice: 'string | required=true enum="a,b,c"' }],
    ['{ words: a b }', '{ words: c d }', { words: 'string | required=true' }],
  ])('has the bounds of the kind: %s and %s', (one, two, expected) => {
    expect(fieldOf(one, two)).toEqual(expected);
  });

  it.each([
    ['Says what it is. And more.', 'Says what it is.'],
    ['Says\n  "what" it\tis', 'Says \\"what\\" it is'],
    ['The path (e.g. /var). More.', 'The path.'],
    ['The unit, i.e. seconds.', 'The unit.'],
    [`Says ${'very '.repeat(30)}much. And more.`, undefined],
    ['Says ${what} it is.', undefined],
    ['', undefined],
  ])('has the first sentence of the description of the kind: %j', (description, expected) => {
    said.description = description;
    const text = expected === undefined ? '' : ` description="${expected}"`;
    const found = fieldOf('{ said: a }', '{ said: b }');
    expect(found).toEqual({ said: `string | required=true${text}` });
  });

  it('has no bounds of one of several fields that it fills', () => {
    expect(fieldOf('{ low: 2, open: 2 }', '{ low: 3, open: 3 }')).toEqual({ low: 'integer | required=true' });
  });

  it('quotes a default, and has none that a marker cannot hold', () => {
    const fieldsWith = (text: string): unknown => found([`{ a: ${text} }`, `{ a: ${text} }`, '{ a: z }']).fields;
    expect(fieldsWith('x w')).toEqual({ a: 'string | default="x w"' });
    expect(fieldsWith(String.raw`'x"\w'`)).toEqual({ a: 'string | required=true' });
  });
});

// The sentences are those of Kubernetes' OpenAPI document.
describe('the description of a field', () => {
  const pod = (name: string, spec: string): string =>
    `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: ${spec}\n`;
  const service = (name: string, spec: string): string =>
    `apiVersion: v1\nkind: Service\nmetadata: { name: ${name} }\nspec: { ports: [{ port: 80 }], ${spec} }\n`;
  const image = (reference: string): string => `{ containers: [{ name: web, image: ${reference} }] }`;

  it.each([
    [
      'of a field of the kind',
      service('one', 'clusterIP: None'),
      service('two', 'clusterIP: 10.0.0.1'),
      'clusterIP is the IP address of the service and is usually assigned randomly.',
    ],
    ['of a field of an item', pod('one', image('a')), pod('two', image('b')), 'Container image name.'],
  ])('is that %s', (_, one, two, expected) => {
    const result = extracted({ one, two });
    const [description] = result.report?.fields.map((field) => field.description) ?? [];
    expect(description).toBe(expected);
    expect(Object.values(describedFieldsOf(result))[0]).toContain(`description="${expected}"`);
  });

  it.each([
    ['a tag of an image', pod('one', image('web:1')), pod('two', image('web:2'))],
    ['a key of a ConfigMap', configMap('one', '{ level: info }'), configMap('two', '{ level: debug }')],
    [
      'a variable',
      pod('one', '{ containers: [{ name: web, env: [{ name: LEVEL, value: a }] }] }'),
      pod('two', '{ containers: [{ name: web, env: [{ name: LEVEL, value: b }] }] }'),
    ],
    [
      'a switch',
      pod(
        'one',
        '{ containers: [{ name: web }], securityContext: { runAsNonRoot: true, runAsUser: 1, runAsGroup: 2, fsGroup: 3 } }',
      ),
      pod('two', '{ containers: [{ name: web }] }'),
    ],
  ])('does not exist for %s', (_, one, two) => {
    const { report } = extracted({ one, two }, { together: true });
    expect(report?.fields.map(({ description }) => description)).toEqual(['']);
  });
});

describe('the default of a field of an object that some copies lack', () => {
  const deployment = (name: string, replicas: number, paused: boolean): string =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: ${name}, labels: { team: of-${name.length * 7} } }\nspec:\n  replicas: ${replicas}\n  paused: ${paused}\n  selector: { matchLabels: { app: ${name} } }\n  template:\n    metadata: { labels: { app: ${name} } }\n    spec: { containers: [{ name: web, image: 'web:1' }] }\n`;
  const base = (name: string): string => configMap(name, `{ of: ${name}, x: a, y: b, z: c }`);
  const withDeployment = (name: string, replicas: number, paused = false): string =>
    `${base(name)}---\n${deployment(name, replicas, paused)}`;

  it('is the most frequent value of the copies that have it', () => {
    const of = (...replicas: number[]): string | undefined => {
      const having = replicas.map(
        (count, at) => [`${'a'.repeat(at + 1)}pp`, withDeployment(`${'a'.repeat(at + 1)}pp`, count)] as const,
      );
      const copies = { none: base('none'), other: base('other'), ...Object.fromEntries(having) };
      return fieldsOf(extracted(copies, { together: true })).replicas;
    };
    expect(of(2, 2, 3)).toBe('integer | default=2');
    expect(of(2, 3)).toBe('integer | default=2');
    expect(of(5, 3, 4, 3, 6)).toBe('integer | default=3');
  });

  it('is true if it is in most of them', () => {
    const copies = {
      none: base('none'),
      one: withDeployment('one', 1, true),
      two: withDeployment('two', 1, true),
      three: withDeployment('three', 1),
    };
    expect(fieldsOf(extracted(copies, { together: true })).paused).toBe('boolean | default=true');
  });
});

describe('an object is left out, or refused', () => {
  const map = configMap('a', '{ x: "1" }');

  it('if it is a function, a configuration of a tool, or of a kind that is left out', () => {
    const others = [
      'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: []\n',
      'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: []\n',
      'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: { name: a }\n',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: local, annotations: { config.kubernetes.io/local-config: "true" } }\n',
      'apiVersion: v1\nkind: Service\nmetadata: { name: s }\n',
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: d }\n',
    ];
    const copy = [map, ...others].join('---\n');
    const result = extracted({ a: copy, b: copy.replace('"1"', '"2"') }, { without: ['Service', 'Deployment.apps'] });
    expect(messagesOf(result.diagnostics)).toEqual([]);
    expect(result.report?.leftOut).toEqual({
      Kustomization: 2,
      Component: 2,
      Kptfile: 2,
      ConfigMap: 2,
      Service: 2,
      Deployment: 2,
    });
    expect(result.report?.objects).toBe(2);
  });

  it.each([
    ['extract-secret', 'apiVersion: v1\nkind: Secret\nmetadata: { name: s }\n'],
    [
      'extract-object',
      'apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: { name: r }\nspec: { schema: { apiVersion: v1, kind: K }, resources: [] }\n',
    ],
    ['extract-object', 'apiVersion: kro.run/v1alpha1\nkind: WebApp\nmetadata: { name: shop }\nspec: {}\n'],
    ['extract-object', 'apiVersion: v1\nkind: Service\nmetadata: {}\n'],
    ['extract-object', map],
  ])('%s', (code, other) => {
    const { rgd, diagnostics } = extracted({ a: `${map}---\n${other}`, b: map });
    expect(rgd).toBeUndefined();
    expect(diagnostics.map((one) => one.code)).toEqual([code]);
  });

  it('if an RGD of the definitions renders it, and not otherwise', () => {
    const web = (name: string): string =>
      `apiVersion: example.org/v1\nkind: Web\nmetadata: { name: ${name} }\nspec: { port: 80 }\n`;
    const text =
      'apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: { name: web }\nspec: { schema: { apiVersion: v1, kind: Web, group: example.org, spec: { port: integer } }, resources: [] }\n';
    const copies = ['one', 'two'].map((name) => ({ name, objects: [{ file: `${name}.yaml`, text: web(name) }] }));
    const codesWith = (group: string): string[] => {
      const definitions = [{ file: 'web.yaml', text: text.replace('example.org', group) }];
      const { diagnostics } = extract({ copies, definitions }, { kind: 'Copy' });
      return diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
    };
    expect(codesWith('example.org')).toEqual(['extract-object', 'extract-object']);
    expect(codesWith('example.net')).toEqual([]);
  });

  it('in fields that an API server writes, and labels of renderers', () => {
    const of = (name: string, at: number): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, uid: u-${at}, resourceVersion: "${at}", generation: ${at}, creationTimestamp: null, labels: { app.kubernetes.io/managed-by: Helm }, annotations: {} }\nstatus: { phase: ${name} }\n`;
    const result = extracted({ one: of('one', 1), two: of('two', 2) });
    expect(nodesOf(result)[0]?.template).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: '${schema.metadata.name}' },
    });
    expect(result.report?.notCompared).toEqual({
      status: 2,
      'metadata.uid': 2,
      'metadata.resourceVersion': 2,
      'metadata.generation': 2,
      'the label app.kubernetes.io/managed-by: Helm': 2,
    });
  });
});
