/**
 * Packages in which one thing is repeated `n` times. `VERSION` is replaced by another word in the older version, so that
 * everything that has it changes.
 */
import { config, instance, item, policy, READS_ANOTHER, repeated, resourceSet, rgd, role } from './parts.ts';

/** The texts of a working copy by their paths. The package is in `p`, live objects in `live`, roles in `roles`. */
export type Files = Readonly<Record<string, string>>;

/** Returns the working copy in which something is repeated `n` times. */
export type Dimension = (n: number) => Files;

const app = rgd(
  'App',
  '{a: "string | default=x"}',
  config('c', '"${schema.metadata.name}"', '{a: "${schema.spec.a}"}'),
);
const one = instance('App', 'one');

/** Returns a package with a node whose field is this expression, and an instance. */
const expression = (text: string, spec = '{a: "string | default=x"}'): Files => ({
  'p/rgd.yaml': rgd('App', spec, config('c', 'c', `{a: ${JSON.stringify(`\${${text}}`)}}`)) + one,
});

/** Returns a package with a node whose map of data is this text. */
const data = (text: string): Files => ({
  'p/rgd.yaml': rgd('App', '{a: "string | default=x"}', config('c', 'c', text)) + one,
});

const withApp = (files: Files): Files => ({ 'p/app.yaml': app + one, ...files });

const ofPackage = (text: string): Files => withApp({ 'p/more.yaml': text });

const nested = (kind: string, name = '"${schema.metadata.name}"'): string =>
  `  - {id: c, template: {apiVersion: kro.run/v1alpha1, kind: ${kind}, metadata: {name: ${name}}}}\n`;

/**
 * Returns RGDs of so many levels. Each field of a status reads every field of that of the next level, and all of them wait
 * for a Service. `n` is the number of such reads.
 */
function statuses(n: number, levels: number, isReferenced: boolean): Files {
  const width = Math.max(1, Math.round(Math.sqrt(n / levels)));
  const fields = (value: string): string => `{${repeated(width, (i) => `f${i}: "\${${value}}"`, ', ')}}`;
  const all = repeated(width, (i) => `c.status.f${i}`, ' + ');
  const kind = (level: number): string => (level === 0 ? 'App' : `Kind${level}`);
  const next = (level: number): string =>
    isReferenced
      ? `  - {id: c, externalRef: {apiVersion: kro.run/v1alpha1, kind: ${kind(level + 1)}, metadata: {name: one}}}\n${config('own', `own${level}`)}`
      : nested(kind(level + 1));
  const service =
    '  - {id: c, template: {apiVersion: v1, kind: Service, metadata: {name: "${schema.metadata.name}"}, spec: {ports: [{port: 80}]}}}\n';
  const reader = config('reader', 'reader', '{a: "${c.status.f0}", b: VERSION}');
  const levelled = repeated(levels - 1, (level) =>
    rgd(kind(level), '{}', `${next(level)}${level === 0 ? reader : ''}`, fields(all)),
  );
  const last = rgd(kind(levels - 1), '{}', service, fields('c.status.loadBalancer.ingress[0].hostname'));
  const instances = isReferenced ? repeated(levels, (level) => instance(kind(level), 'one')) : one;
  return { 'p/rgd.yaml': levelled + last + instances };
}

const rgdDimensions: Readonly<Record<string, Dimension>> = {
  'RGDs, each with an instance': (n) => ({
    'p/rgd.yaml': `${app}${one}${repeated(n, (i) => rgd(`Kind${i}`, '{a: "string | default=VERSION"}', config('c', `kind${i}`, '{a: "${schema.spec.a}"}')) + instance(`Kind${i}`, 'one'))}`,
  }),
  'RGDs that render an instance of the next one': (n) => ({
    'p/rgd.yaml':
      repeated(n, (i) => rgd(i === 0 ? 'App' : `Kind${i}`, '{a: "string | default=VERSION"}', nested(`Kind${i + 1}`))) +
      rgd(`Kind${n}`, '{}', config('c', '"${schema.metadata.name}"')) +
      one,
  }),
  'RGDs in a cycle': (n) => ({
    'p/rgd.yaml':
      repeated(n, (i) =>
        rgd(
          i === 0 ? 'App' : `Kind${i}`,
          '{a: "string | default=VERSION"}',
          nested(i === n - 1 ? 'App' : `Kind${i + 1}`),
        ),
      ) + one,
  }),
  'RGDs that share a nested one': (n) => ({
    'p/rgd.yaml':
      app +
      one +
      repeated(
        n,
        (i) => rgd(`Kind${i}`, '{a: "string | default=VERSION"}', nested('App')) + instance(`Kind${i}`, `one${i}`),
      ),
  }),
  'RGDs of the same kind': (n) => ({ 'p/rgd.yaml': one + repeated(n, () => app) }),
  nodes: (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{a: "string | default=x"}',
        repeated(n, (i) => config(`n${i}`, `"n${i}-\${schema.metadata.name}"`, '{a: VERSION}')),
      ) + one,
  }),
  'nodes that read the one before': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{a: "string | default=x"}',
        repeated(n, (i) =>
          config(`n${i}`, i === 0 ? 'n0' : `"n${i}-\${string(size(n${i - 1}.metadata.name))}"`, '{a: VERSION}'),
        ),
      ) + one,
  }),
  'nodes that read the first one': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{a: "string | default=x"}',
        repeated(n, (i) => config(`n${i}`, i === 0 ? 'n0' : `"n${i}-\${n0.metadata.name}"`, '{a: VERSION}')),
      ) + one,
  }),
  'nodes in a cycle': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{a: "string | default=x"}',
        repeated(n, (i) => config(`n${i}`, `"n${i}-\${n${(i + 1) % n}.metadata.name}"`)),
      ) + one,
  }),
  'nodes with conditions and readiness': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{a: "string | default=x"}',
        repeated(
          n,
          (i) =>
            `  - {id: n${i}, includeWhen: ["\${schema.spec.a == 'x'}"], readyWhen: ["\${n${i}.data.a == 'b'}"], template: {apiVersion: v1, kind: ConfigMap, metadata: {name: n${i}}, data: {a: VERSION}}}\n`,
        ),
      ) + one,
  }),
  'nodes that wait for a status': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{a: "string | default=x"}',
        `  - {id: first, template: {apiVersion: v1, kind: Service, metadata: {name: first}, spec: {ports: [{port: 80}]}}}\n${repeated(n, (i) => config(`n${i}`, `n${i}`, '{a: "${first.status.loadBalancer.ingress[0].hostname}"}'))}`,
      ) + one,
  }),
  'external references': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{a: "string | default=x"}',
        repeated(
          n,
          (i) =>
            `  - {id: e${i}, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: o${i}, namespace: web}}}\n`,
        ) + config('c', 'c', `{${repeated(n, (i) => `a${i}: "\${e${i}.data.a}"`, ', ')}}`),
      ) + one,
    'p/objects.yaml': repeated(n, (i) => item(`o${i}`, '{a: VERSION}')),
  }),
  selectors: (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{a: "string | default=x"}',
        repeated(
          n,
          (i) =>
            `  - {id: e${i}, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {namespace: web, selector: {matchLabels: {of: l${i}}}}}}\n`,
        ) + config('c', 'c', `{${repeated(n, (i) => `a${i}: "\${string(size(e${i}))}"`, ', ')}}`),
      ) + one,
    'p/objects.yaml': repeated(
      n,
      (i) =>
        `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: o${i}, namespace: web, labels: {of: l${i}}}\ndata: {a: VERSION}\n`,
    ),
  }),
  'instances that select': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{a: "string | default=x"}',
        `  - {id: e, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {namespace: web, selector: {matchLabels: {of: "\${schema.metadata.name}"}}}}}\n${config('c', '"c-${schema.metadata.name}"', '{a: "${string(size(e))}"}')}`,
      ) +
      one +
      repeated(n, (i) => instance('App', `i${i}`)),
    'p/objects.yaml': repeated(
      n,
      (i) =>
        `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: o${i}, namespace: web, labels: {of: i${i}}}\ndata: {a: VERSION}\n`,
    ),
  }),
  'instances that refer to objects': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{a: "string | default=x"}',
        `  - {id: e, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {namespace: web, name: "o-\${schema.metadata.name}"}}}\n${config('c', '"c-${schema.metadata.name}"', '{a: "${e.data.a}"}')}`,
      ) +
      one +
      item('o-one') +
      repeated(n, (i) => instance('App', `i${i}`)),
    'p/objects.yaml': repeated(n, (i) => item(`o-i${i}`, '{a: VERSION}')),
  }),
  'instances that refer to what another one renders': (n) => ({
    'p/rgd.yaml':
      READS_ANOTHER +
      instance('App', 'one', '{a: i0}') +
      item('c-last', '{a: VERSION}') +
      repeated(n, (i) => instance('App', `i${i}`, `{a: ${i === n - 1 ? 'last' : `i${i + 1}`}}`)),
  }),
  'items of a collection': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{list: "[]string"}',
        `  - {id: c, forEach: [{x: "\${schema.spec.list}"}], template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "c-\${x}"}, data: {a: VERSION}}}\n`,
      ) +
      repeated(Math.ceil(n / 500), (i) =>
        instance(
          'App',
          i === 0 ? 'one' : `i${i}`,
          `{list: [${repeated(Math.min(500, n), (j) => `l${i}-${j}`, ', ')}]}`,
        ),
      ),
  }),
  'fields of a schema': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        `{${repeated(n, (i) => `f${i}: "string | default=VERSION"`, ', ')}}`,
        config('c', 'c', `{${repeated(n, (i) => `k${i}: "\${schema.spec.f${i}}"`, ', ')}}`),
      ) + one,
  }),
  'fields of a schema that nothing reads': (n) => ({
    'p/rgd.yaml':
      rgd('App', `{${repeated(n, (i) => `f${i}: "string | default=VERSION"`, ', ')}}`, config('c', 'c')) + one,
  }),
  'fields of a status': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{a: "string | default=VERSION"}',
        config('c', 'c', '{a: b}'),
        `{${repeated(n, (i) => `f${i}: "\${c.data.a}"`, ', ')}}`,
      ) + one,
  }),
  'expressions of nested statuses that read all of the next': (n) => statuses(n, 7, false),
  'expressions of statuses that read all of a referenced one': (n) => statuses(n, 16, true),
  types: (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        `{${repeated(n, (i) => `f${i}: T${i}`, ', ')}}`,
        config('c', 'c', '{a: VERSION}'),
        '{}',
        `{${repeated(n, (i) => `T${i}: {a: string}`, ', ')}}`,
      ) + one,
  }),
  'types in a chain': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{x: T0}',
        config('c', 'c', '{a: VERSION}'),
        '{}',
        `{${repeated(n, (i) => `T${i}: ${i === n - 1 ? 'string' : `T${i + 1}`}`, ', ')}}`,
      ) + one,
  }),
  'types in a cycle': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{x: T0}',
        config('c', 'c', '{a: VERSION}'),
        '{}',
        `{${repeated(n, (i) => `T${i}: T${(i + 1) % n}`, ', ')}}`,
      ) + one,
  }),
  'choices of a field': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        `{a: 'string | enum="${repeated(n, (i) => `v${i}`, ',')}" default=v0'}`,
        config('c', 'c', '{a: VERSION}'),
      ) + one,
  }),
  'keys of a template': (n) => data(`{${repeated(n, (i) => `k${i}: VERSION`, ', ')}}`),
  'expressions of one field': (n) => data(`{a: "${repeated(n, () => '${schema.spec.a} VERSION ')}"}`),
  operands: (n) => expression(repeated(n, () => 'schema.spec.a', ' + ')),
  'entries of a map in an expression': (n) =>
    expression(`string(size({${repeated(n, (i) => `"k${i}": schema.spec.a`, ', ')}}))`),
  'items of a list in an expression': (n) => expression(`string(size([${repeated(n, () => 'schema.spec.a', ', ')}]))`),
  'calls in a chain': (n) => expression(`schema.spec.a${repeated(n, () => '.replace("a", "b")')}`),
  'unknown names': (n) => data(`{${repeated(n, (i) => `k${i}: "\${a-unknwn${i}}"`, ', ')}}`),
  'unknown fields in expressions': (n) => data(`{${repeated(n, (i) => `k${i}: "\${schema.spec.f${i}}"`, ', ')}}`),
  'unknown functions': (n) => data(`{${repeated(n, (i) => `k${i}: "\${schema.spec.a.lenght${i}()}"`, ', ')}}`),
  'expressions that do not parse': (n) => data(`{${repeated(n, (i) => `k${i}: "\${a ===${i}}"`, ', ')}}`),
  'expressions of a wrong type': (n) => data(`{${repeated(n, (i) => `k${i}: "\${schema.spec.a + ${i}}"`, ', ')}}`),
  'unknown types': (n) => ({
    'p/rgd.yaml': rgd('App', `{${repeated(n, (i) => `f${i}: strng${i}`, ', ')}}`, config('c', 'c')) + one,
  }),
  'unknown kinds': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{a: "string | default=x"}',
        repeated(
          n,
          (i) =>
            `  - {id: n${i}, template: {apiVersion: e${i}.example.com/v1, kind: Kind${i}, metadata: {name: n}, spec: {a: VERSION}}}\n`,
        ),
      ) + one,
  }),
  'unknown fields of an RGD': (n) =>
    ofPackage(
      rgd('Other', '{}', config('c', 'c')).replace('spec:\n', `spec:\n${repeated(n, (i) => `  resorces${i}: a\n`)}`),
    ),
};

const objectDimensions: Readonly<Record<string, Dimension>> = {
  instances: (n) => ofPackage(repeated(n, (i) => instance('App', `i${i}`, '{a: VERSION}'))),
  'instances of the same name': (n) => ofPackage(repeated(n, () => instance('App', 'again', '{a: VERSION}'))),
  'instances in namespaces of their own': (n) =>
    ofPackage(repeated(n, (i) => instance('App', 'i', '{a: VERSION}', `ns${i}`))),
  'instances of an unknown kind': (n) => ofPackage(repeated(n, (i) => instance(`Ap${i}`, 'i', '{a: VERSION}'))),
  'unknown fields of an instance': (n) =>
    ofPackage(instance('App', 'two', `{${repeated(n, (i) => `b${i}: VERSION`, ', ')}}`)),
  'instances with an unknown field': (n) => ofPackage(repeated(n, (i) => instance('App', `i${i}`, `{b${i}: VERSION}`))),
  objects: (n) => ofPackage(repeated(n, (i) => item(`o${i}`, '{a: VERSION}'))),
  'objects of the same name': (n) => ofPackage(repeated(n, () => item('again', '{a: VERSION}'))),
  'objects of kinds of their own': (n) =>
    ofPackage(
      repeated(
        n,
        (i) =>
          `---\napiVersion: e${i}.example.com/v1\nkind: Kind${i}\nmetadata: {name: o, namespace: web}\nspec: {a: VERSION}\n`,
      ),
    ),
  'objects that Kubernetes rejects': (n) =>
    ofPackage(
      repeated(
        n,
        (i) =>
          `---\napiVersion: v1\nkind: Service\nmetadata: {name: o${i}, namespace: web}\nspec: {prts: [], type: VERSION}\n`,
      ),
    ),
  deployments: (n) =>
    ofPackage(
      repeated(
        n,
        (i) =>
          `---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: o${i}, namespace: web}\nspec: {replicas: 1, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: "nginx:VERSION"}]}}}\n`,
      ),
    ),
  'containers of a deployment': (n) =>
    ofPackage(
      `---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: o, namespace: web}\nspec: {replicas: 1, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [${repeated(n, (i) => `{name: c${i}, image: "nginx:VERSION"}`, ', ')}]}}}\n`,
    ),
  'ports of a service': (n) =>
    ofPackage(
      `---\napiVersion: v1\nkind: Service\nmetadata: {name: o, namespace: web}\nspec: {selector: {a: VERSION}, ports: [${repeated(n, (i) => `{name: p${i}, port: ${1 + (i % 60000)}}`, ', ')}]}\n`,
    ),
  'kinds with an object': (n) =>
    ofPackage(
      repeated(
        n,
        (i) =>
          `---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: kind${i}s.example.com}\nspec: {group: example.com, scope: Namespaced, names: {kind: Kind${i}, plural: kind${i}s}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {a: {type: string}}}}}}}]}\n---\napiVersion: example.com/v1\nkind: Kind${i}\nmetadata: {name: o, namespace: web}\nspec: {a: VERSION}\n`,
      ),
    ),
  secrets: (n) =>
    ofPackage(
      repeated(
        n,
        (i) =>
          `---\napiVersion: v1\nkind: Secret\nmetadata: {name: o${i}, namespace: web}\nstringData: {a: VERSION${i}}\n`,
      ),
    ),
  keys: (n) => ofPackage(item('keys', `{${repeated(n, (i) => `k${i}: VERSION`, ', ')}}`)),
  'keys in lines': (n) => ofPackage(`${item('keys', '').trimEnd()}\n${repeated(n, (i) => `  k${i}: VERSION\n`)}`),
  'the same key': (n) => ofPackage(item('keys', `{${repeated(n, () => 'k: VERSION', ', ')}}`)),
  labels: (n) =>
    ofPackage(
      `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: o, namespace: web, labels: {${repeated(n, (i) => `k${i}: VERSION`, ', ')}}}\n`,
    ),
  'items of a list': (n) =>
    ofPackage(
      `---\napiVersion: example.com/v1\nkind: Thing\nmetadata: {name: o, namespace: web}\nspec: {list: [${repeated(n, (i) => `a${i}-VERSION`, ', ')}]}\n`,
    ),
  'items of a list in lines': (n) =>
    ofPackage(
      `---\napiVersion: example.com/v1\nkind: Thing\nmetadata: {name: o, namespace: web}\nspec:\n  list:\n${repeated(n, (i) => `  - {name: a${i}, value: VERSION}\n`)}`,
    ),
  'levels of maps': (n) =>
    ofPackage(
      `---\napiVersion: example.com/v1\nkind: Thing\nmetadata: {name: o, namespace: web}\nspec: ${'{a: '.repeat(n)}VERSION${'}'.repeat(n)}\n`,
    ),
  'levels of lists': (n) =>
    ofPackage(
      `---\napiVersion: example.com/v1\nkind: Thing\nmetadata: {name: o, namespace: web}\nspec: ${'['.repeat(n)}VERSION${']'.repeat(n)}\n`,
    ),
  aliases: (n) =>
    ofPackage(
      `---\napiVersion: example.com/v1\nkind: Thing\nmetadata: {name: o, namespace: web}\nspec:\n  a: &a {b: VERSION}\n${repeated(n, (i) => `  k${i}: *a\n`)}`,
    ),
  anchors: (n) =>
    ofPackage(
      `---\napiVersion: example.com/v1\nkind: Thing\nmetadata: {name: o, namespace: web}\nspec:\n${repeated(n, (i) => `  k${i}: &a${i} {b: VERSION}\n  l${i}: *a${i}\n`)}`,
    ),
  'empty documents': (n) => ofPackage('---\n'.repeat(n)),
  'documents that are no objects': (n) => ofPackage('---\n{a: VERSION}\n'.repeat(n)),
  comments: (n) => ofPackage(item('one-more') + repeated(n, (i) => `# comment ${i} VERSION\n`)),
  'comments that ignore a rule': (n) => ({
    'p/rgd.yaml':
      rgd('App', `{${repeated(n, (i) => `f${i}: string`, ', ')}}`, config('c', 'c')) +
      one +
      repeated(n, () => '# render-rgd: ignore lint-unread-field VERSION\n'),
  }),
  'items of a List': (n) =>
    ofPackage(
      `apiVersion: v1\nkind: List\nitems:\n${repeated(n, (i) => `- {apiVersion: v1, kind: ConfigMap, metadata: {name: o${i}, namespace: web}, data: {a: VERSION}}\n`)}`,
    ),
  'items of a JSON List': (n) =>
    withApp({
      'p/more.json': JSON.stringify({
        apiVersion: 'v1',
        kind: 'List',
        items: Array.from({ length: n }, (_, i) => ({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: `o${i}`, namespace: 'web' },
          data: { a: 'VERSION' },
        })),
      }),
    }),
  files: (n) =>
    withApp(Object.fromEntries(Array.from({ length: n }, (_, i) => [`p/o${i}.yaml`, item(`o${i}`, '{a: VERSION}')]))),
  'files in folders of their own': (n) =>
    withApp(Object.fromEntries(Array.from({ length: n }, (_, i) => [`p/f${i}/o.yaml`, item(`o${i}`, '{a: VERSION}')]))),
  'files that do not parse': (n) =>
    withApp(Object.fromEntries(Array.from({ length: n }, (_, i) => [`p/o${i}.yaml`, 'a: [VERSION\n']))),
};

const textDimensions: Readonly<Record<string, Dimension>> = {
  'letters of a name in an expression': (n) => expression('x'.repeat(n)),
  'letters of a name before a dash': (n) => expression(`${'x'.repeat(n)}-unknown`),
  'letters of a field in an expression': (n) => expression(`schema.spec.${'x'.repeat(n)}`),
  'letters of a string in an expression': (n) => expression(`"${'x'.repeat(n)}" + 1`),
  'blanks in an expression': (n) => expression(`schema.spec.a ${' '.repeat(n)} === 1`),
  'dots in an expression': (n) => expression(`schema${'.a'.repeat(n)}`),
  'digits in an expression': (n) => expression('1'.repeat(n)),
  'parentheses in an expression': (n) => expression(`${'('.repeat(n)}1${')'.repeat(n)}`),
  'brackets that do not close': (n) => expression('['.repeat(n)),
  'literals of several lines that do not close': (n) => data(`{a: "\${${'\\\\\\"\\"\\"\\n'.repeat(n)}}"}`),
  'beginnings of expressions': (n) => data(`{a: '${'${'.repeat(n)}'}`),
  'letters of a type': (n) => ({ 'p/rgd.yaml': rgd('App', `{a: ${'x'.repeat(n)}}`, config('c', 'c')) + one }),
  'brackets of a type': (n) => ({ 'p/rgd.yaml': rgd('App', `{a: "${'[]'.repeat(n)}string"}`, config('c', 'c')) + one }),
  'blanks of a type': (n) => ({
    'p/rgd.yaml': rgd('App', `{a: 'string ${' '.repeat(n)} | ${' '.repeat(n)}x'}`, config('c', 'c')) + one,
  }),
  'letters of a pattern': (n) => ({
    'p/rgd.yaml': rgd('App', `{a: 'string | pattern="${'a?'.repeat(n)}" default="aaaa"'}`, config('c', 'c')) + one,
  }),
  'letters of a description': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        `{a: 'string | default=VERSION description="${'x '.repeat(n)}"'}`,
        config('c', 'c', '{a: "${schema.spec.a}"}'),
      ) + one,
  }),
  'letters of a value': (n) => ofPackage(item('value', `{a: VERSION${'x'.repeat(n)}}`)),
  'letters of a value with quotes': (n) => ofPackage(item('value', `{a: "VERSION${'x\\n'.repeat(n)}"}`)),
  'lines of a value': (n) => ofPackage(`${item('value', '').trimEnd()}\n  a: |\n${'    VERSION line\n'.repeat(n)}`),
  'blank lines': (n) => ofPackage(item('value', '{a: VERSION}') + '\n'.repeat(n)),
  'blanks at the end of a line': (n) =>
    ofPackage(`${item('value', '{a: VERSION}').trimEnd()}${' '.repeat(n)}\n# x${' '.repeat(n)}y\n`),
  'letters of a key': (n) => ofPackage(item('value', `{${'x'.repeat(n)}: VERSION}`)),
  'blanks of a key': (n) => ofPackage(`${item('value', '').trimEnd()}\n  x${' '.repeat(n)}y: VERSION\n`),
  'letters of the name of an object': (n) => ofPackage(item('x'.repeat(n))),
  'letters of the name of an instance': (n) => ofPackage(instance('App', 'x'.repeat(n), '{a: VERSION}')),
  'letters of a kind': (n) => ofPackage(instance('X'.repeat(n), 'two')),
  'letters of a group': (n) =>
    ofPackage(`---\napiVersion: ${'x'.repeat(n)}/v1\nkind: Thing\nmetadata: {name: o, namespace: web}\n`),
  'slashes of an apiVersion': (n) =>
    ofPackage(`---\napiVersion: ${'x/'.repeat(n)}v1\nkind: Thing\nmetadata: {name: o, namespace: web}\n`),
  'letters of an id': (n) => ({ 'p/rgd.yaml': rgd('App', '{a: string}', config('x'.repeat(n), 'c')) + one }),
  'letters of an image': (n) =>
    ofPackage(
      `---\napiVersion: v1\nkind: Pod\nmetadata: {name: o, namespace: web}\nspec: {containers: [{name: c, image: "${'@:/x'.repeat(n)}VERSION"}]}\n`,
    ),
  'digits of a quantity': (n) =>
    ofPackage(
      `---\napiVersion: v1\nkind: Pod\nmetadata: {name: o, namespace: web}\nspec: {containers: [{name: c, image: VERSION, resources: {limits: {memory: "${'0'.repeat(n)}x"}}}]}\n`,
    ),
  'letters of a line of a file that does not parse': (n) => ofPackage(`a: "${'x '.repeat(n)}`),
  'letters of a comment': (n) => ofPackage(`# ${'x #'.repeat(n)}\n${item('one-more')}`),
  'letters of a comment that ignores': (n) => ofPackage(`# render-rgd: ignore${' x'.repeat(n)}\n${item('one-more')}`),
};

const setDimensions: Readonly<Record<string, Dimension>> = {
  ResourceSets: (n) => ofPackage(repeated(n, (i) => resourceSet(`s${i}`, '{a: b}', '<< inputs.a >>VERSION'))),
  inputs: (n) =>
    ofPackage(
      resourceSet(
        'set',
        repeated(n, (i) => `{a: b${i}}`, ', '),
        'VERSION',
        'c-<< inputs.a >>',
      ),
    ),
  'actions of a template': (n) => ofPackage(resourceSet('set', '{a: b}', '<< inputs.a >> VERSION'.repeat(n))),
  'actions that fail': (n) => ofPackage(resourceSet('set', '{a: b}', '<< inputs.b >>'.repeat(n))),
  'objects of a template': (n) =>
    ofPackage(
      `---\napiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: set, namespace: web}\nspec:\n  inputs: [{a: b}]\n  resources:\n${repeated(n, (i) => `  - {apiVersion: v1, kind: ConfigMap, metadata: {name: r${i}}, data: {a: "<< inputs.a >>VERSION"}}\n`)}`,
    ),
  'letters before a missing key': (n) => ofPackage(resourceSet('set', '{a: b}', `${'x'.repeat(n)}<< inputs.b >>`)),
  'letters of a missing key': (n) => ofPackage(resourceSet('set', '{a: b}', `<< inputs.${'x'.repeat(n)} >>`)),
  'dots of a missing key': (n) => ofPackage(resourceSet('set', '{a: b}', `<< inputs${'.x'.repeat(n)} >>`)),
  'letters of a key with a dash': (n) => ofPackage(resourceSet('set', '{a: b}', `<< inputs.${'x'.repeat(n)}-y >>`)),
  'arguments of a function': (n) => ofPackage(resourceSet('set', '{a: b}', `<< print${' 1'.repeat(n)} >>`)),
  'parentheses of a template': (n) =>
    ofPackage(resourceSet('set', '{a: b}', `<< ${'('.repeat(n)}1${')'.repeat(n)} >>`)),
  'slashes of a path in a template': (n) => ofPackage(resourceSet('set', '{a: b}', `<< base "${'/'.repeat(n)}a" >>`)),
  'letters of a slug': (n) => ofPackage(resourceSet('set', `{a: "${'-a'.repeat(n)}"}`, '<< slugify inputs.a >>')),
  'quotes of an action that do not close': (n) => ofPackage(resourceSet('set', '{a: b}', `<< "${'\\"'.repeat(n)} >>`)),
  'beginnings of actions': (n) => ofPackage(resourceSet('set', '{a: b}', '<<'.repeat(n))),
  Graphs: (n) =>
    ofPackage(
      repeated(
        n,
        (i) =>
          `---\napiVersion: experimental.kro.run/v1alpha1\nkind: Graph\nmetadata: {name: g${i}, namespace: web}\nspec:\n  nodes:\n  - {id: c, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: g${i}}, data: {a: VERSION}}}\n`,
      ),
    ),
};

const policyDimensions: Readonly<Record<string, Dimension>> = {
  policies: (n) => ofPackage(repeated(n, (i) => policy(`p${i}`, 'object.metadata.name != "VERSION"'))),
  'policies of other kinds, and objects': (n) =>
    ofPackage(
      repeated(n, (i) => policy(`p${i}`, 'object.metadata.name == "x"', 'services')) +
        repeated(n, (i) => item(`o${i}`, '{a: VERSION}')),
    ),
  'policies that admit, and objects': (n) =>
    ofPackage(
      repeated(n, (i) => policy(`p${i}`, 'object.metadata.name != "x"')) +
        repeated(n, (i) => item(`o${i}`, '{a: VERSION}')),
    ),
  'policies that deny, and objects': (n) =>
    ofPackage(
      repeated(n, (i) => policy(`p${i}`, 'object.metadata.name == "x"')) +
        repeated(n, (i) => item(`o${i}`, '{a: VERSION}')),
    ),
  'objects that a policy denies': (n) =>
    ofPackage(policy('p', 'object.metadata.name == "x"') + repeated(n, (i) => item(`o${i}`, '{a: VERSION}'))),
  'objects that a policy cannot decide': (n) =>
    ofPackage(policy('p', 'request.userInfo.username == "x"') + repeated(n, (i) => item(`o${i}`, '{a: VERSION}'))),
  'validations of a policy': (n) =>
    ofPackage(
      `---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: p}\nspec:\n  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}\n  validations:\n${repeated(n, (i) => `  - {expression: 'object.metadata.name != "x${i}"'}\n`)}---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: b}\nspec: {policyName: p, validationActions: [Deny]}\n${item('o', '{a: VERSION}')}`,
    ),
  'rules of a policy': (n) =>
    ofPackage(
      `---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: p}\nspec:\n  matchConstraints:\n    resourceRules:\n${repeated(n, (i) => `    - {apiGroups: ["e${i}"], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}\n`)}  validations:\n  - {expression: 'object.metadata.name != "x"'}\n---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: b}\nspec: {policyName: p, validationActions: [Deny]}\n${repeated(n, (i) => item(`o${i}`, '{a: VERSION}'))}`,
    ),
  'bindings of a policy': (n) =>
    ofPackage(
      policy('p', 'object.metadata.name != "x"') +
        repeated(
          n,
          (i) =>
            `---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: b${i}}\nspec: {policyName: p, validationActions: [Deny]}\n`,
        ) +
        item('o', '{a: VERSION}'),
    ),
  'parameters of a policy': (n) =>
    ofPackage(
      policy('p', 'object.metadata.name != params.data.a').replaceAll(
        'spec:\n',
        'spec:\n  paramKind: {apiVersion: v1, kind: ConfigMap}\n',
      ) +
        repeated(
          n,
          (i) =>
            `---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: b${i}}\nspec: {policyName: p, validationActions: [Deny], paramRef: {name: o${i}, namespace: web, parameterNotFoundAction: Deny}}\n`,
        ) +
        repeated(n, (i) => item(`o${i}`, '{a: VERSION}')),
    ),
  roles: (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{a: "string | default=x"}',
        repeated(
          n,
          (i) =>
            `  - {id: n${i}, template: {apiVersion: e${i}.x/v1, kind: K${i}, metadata: {name: n}, spec: {a: VERSION}}}\n`,
        ),
      ) + one,
    'roles/r.yaml': repeated(n, (i) =>
      role(`r${i}`, `[{apiGroups: ["e${i}.x","f${i}.x"], resources: ["k${i}s","*"], verbs: [get, list]}]`),
    ),
  }),
  'rules of a role': (n) =>
    withApp({
      'roles/r.yaml': role('r', `[${repeated(n, (i) => `{apiGroups: [e${i}], resources: [a], verbs: [get]}`, ', ')}]`),
    }),
  'names of a rule of a role': (n) =>
    withApp({
      'roles/r.yaml': role(
        'r',
        `[{apiGroups: [""], resources: [configmaps], verbs: [get], resourceNames: [${repeated(n, (i) => `n${i}`, ', ')}]}]`,
      ),
    }),
  'groups, resources and verbs of a rule': (n) =>
    withApp({
      'roles/r.yaml': role(
        'r',
        `[{apiGroups: [${repeated(n, (i) => `g${i}`, ', ')}], resources: [${repeated(n, (i) => `r${i}`, ', ')}], verbs: [${repeated(n, (i) => `v${i}`, ', ')}]}]`,
      ),
    }),
  'roles that are rendered': (n) =>
    ofPackage(
      rgd(
        'Granted',
        '{}',
        repeated(
          n,
          (i) =>
            `  - {id: r${i}, template: {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: r${i}}, rules: [{apiGroups: ["g${i}", ""], resources: ["*", "*/status", pods], verbs: [get, "*"]}]}}\n`,
        ),
      ) + instance('Granted', 'g'),
    ),
};

const kustomization = (namespace: string, path: string, name = 'k'): string =>
  `---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {path: ${path}, targetNamespace: ${namespace}, prune: true, sourceRef: {kind: GitRepository, name: g, namespace: ${namespace}}}\n`;
const source = (namespace: string, name = 'g'): string =>
  `---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {url: "https://h/x"}\n`;
const application = (name: string, path: string, more = ''): string =>
  `---\napiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: ${name}, namespace: argocd}\nspec: {project: default, destination: {namespace: ${name}, server: "https://kubernetes.default.svc"}, source: {repoURL: "https://h/x", path: ${path}, targetRevision: HEAD${more}}}\n`;
const base = { 'base/c.yaml': item('c', '{a: VERSION}'), 'base/kustomization.yaml': 'resources: [c.yaml]\n' };
const folders = (n: number, files: (i: number) => Files): Files =>
  Object.assign({}, ...Array.from({ length: n }, (_, i) => files(i))) as Files;

const deployDimensions: Readonly<Record<string, Dimension>> = {
  'Kustomizations of Flux in namespaces': (n) =>
    withApp({ ...base, 'apps.yaml': repeated(n, (i) => kustomization(`n${i}`, './base') + source(`n${i}`)) }),
  'Kustomizations of Flux with one source': (n) =>
    withApp({ ...base, 'apps.yaml': source('flux') + repeated(n, (i) => kustomization('flux', './base', `k${i}`)) }),
  'Kustomizations of Flux in files': (n) =>
    withApp({
      ...base,
      'source.yaml': source('flux'),
      ...folders(n, (i) => ({ [`apps/k${i}.yaml`]: kustomization('flux', './base', `k${i}`) })),
    }),
  'Kustomizations of Flux of the same name': (n) =>
    withApp({ ...base, 'apps.yaml': source('flux') + repeated(n, () => kustomization('flux', './base')) }),
  'Kustomizations of Flux with folders': (n) =>
    withApp({
      'apps.yaml': source('flux') + repeated(n, (i) => kustomization('flux', `./f${i}`, `k${i}`)),
      ...folders(n, (i) => ({ [`f${i}/c.yaml`]: item('c', '{a: VERSION}') })),
    }),
  'clusters of Flux': (n) =>
    withApp({
      ...base,
      ...folders(n, (i) => ({
        [`clusters/c${i}/apps.yaml`]:
          kustomization('flux', './base', 'k') + source('flux') + kustomization('flux', `./clusters/c${i}`, 'self'),
      })),
    }),
  'variables of a Kustomization': (n) =>
    withApp({
      ...base,
      'apps.yaml':
        source('flux') +
        `${kustomization('flux', './base').trimEnd().slice(0, -1)}, postBuild: {substitute: {${repeated(n, (i) => `v${i}: VERSION`, ', ')}}}}\n`,
    }),
  'variables in a manifest': (n) =>
    withApp({
      'base/c.yaml': item('c', `{a: "${repeated(n, (i) => `$\{v${i}:=x}`)}VERSION"}`),
      'base/kustomization.yaml': 'resources: [c.yaml]\n',
      'apps.yaml':
        source('flux') +
        `${kustomization('flux', './base').trimEnd().slice(0, -1)}, postBuild: {substitute: {a: VERSION}}}\n`,
    }),
  HelmReleases: (n) =>
    withApp({
      'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
      'chart/templates/c.yaml': item('c', '{a: VERSION}'),
      'apps.yaml':
        source('flux') +
        repeated(
          n,
          (i) =>
            `---\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: r${i}, namespace: flux}\nspec: {chart: {spec: {chart: ./chart, sourceRef: {kind: GitRepository, name: g}}}, values: {a: VERSION}}\n`,
        ),
    }),
  Applications: (n) => withApp({ ...base, 'apps.yaml': repeated(n, (i) => application(`a${i}`, 'base')) }),
  'Applications of the same name': (n) =>
    withApp({ ...base, 'apps.yaml': repeated(n, () => application('a', 'base')) }),
  'Applications in files': (n) =>
    withApp({ ...base, ...folders(n, (i) => ({ [`apps/a${i}.yaml`]: application(`a${i}`, 'base') })) }),
  'Applications with folders': (n) =>
    withApp({
      'apps.yaml': repeated(n, (i) => application(`a${i}`, `f${i}`)),
      ...folders(n, (i) => ({ [`f${i}/c.yaml`]: item('c', '{a: VERSION}') })),
    }),
  'Applications that are added': (n) =>
    withApp({ ...base, 'apps.yaml': repeated(n, (i) => application(`a${i}-VERSION`, 'base')) }),
  'Applications in an Application': (n) =>
    withApp({
      ...base,
      'root.yaml': application('root', 'apps'),
      'apps/all.yaml': repeated(n, (i) => application(`a${i}`, 'base')),
    }),
  'Applications in a chain': (n) =>
    withApp({
      'apps.yaml': application('a', 'f0'),
      ...folders(n, (i) => ({ [`f${i}/c.yaml`]: application(`a${i}`, `f${i + 1}`) })),
      [`f${n}/c.yaml`]: item('c', '{a: VERSION}'),
    }),
  'Applications in a cycle': (n) =>
    withApp({
      'apps.yaml': application('a', 'f0'),
      ...folders(n, (i) => ({ [`f${i}/c.yaml`]: application(`a${i}`, `f${(i + 1) % n}`) + item('c', '{a: VERSION}') })),
    }),
  'Applications that apply one another': (n) =>
    withApp({ 'apps/all.yaml': repeated(n, (i) => application(`a${i}-VERSION`, 'apps')) }),
  'elements of an ApplicationSet': (n) =>
    withApp({
      ...base,
      'apps.yaml': `---\napiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: set, namespace: argocd}\nspec:\n  generators: [{list: {elements: [${repeated(n, (i) => `{name: e${i}}`, ', ')}]}}]\n  template: {metadata: {name: "{{name}}"}, spec: {project: default, destination: {namespace: "{{name}}", server: "https://kubernetes.default.svc"}, source: {repoURL: "https://h/x", path: base, targetRevision: HEAD}}}\n`,
    }),
  'folders of an ApplicationSet': (n) =>
    withApp({
      'apps.yaml': `---\napiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: set, namespace: argocd}\nspec:\n  generators: [{git: {repoURL: "https://h/x", revision: HEAD, directories: [{path: "f/*"}]}}]\n  template: {metadata: {name: "{{path.basename}}"}, spec: {project: default, destination: {namespace: a, server: "https://kubernetes.default.svc"}, source: {repoURL: "https://h/x", path: "{{path}}", targetRevision: HEAD}}}\n`,
      ...folders(n, (i) => ({ [`f/d${i}/c.yaml`]: item('c', '{a: VERSION}') })),
    }),
  'parameters of an element': (n) =>
    withApp({
      ...base,
      'apps.yaml': `---\napiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: set, namespace: argocd}\nspec:\n  generators: [{list: {elements: [{name: e, ${repeated(n, (i) => `k${i}: VERSION`, ', ')}}]}}]\n  template: {metadata: {name: "{{name}}"}, spec: {project: default, destination: {namespace: "{{k1}}", server: "https://kubernetes.default.svc"}, source: {repoURL: "https://h/x", path: base, targetRevision: HEAD}}}\n`,
    }),
  kustomizations: (n) =>
    withApp(
      folders(n, (i) => ({
        [`k/k${i}/kustomization.yaml`]: 'resources: [c.yaml]\n',
        [`k/k${i}/c.yaml`]: item('c', '{a: VERSION}'),
      })),
    ),
  'kustomizations that share a base': (n) =>
    withApp({ ...base, ...folders(n, (i) => ({ [`k/k${i}/kustomization.yaml`]: 'resources: [../../base]\n' })) }),
  'kustomizations in a chain': (n) =>
    withApp({
      ...folders(n, (i) => ({ [`k/k${i}/kustomization.yaml`]: `resources: [../k${i + 1}]\n` })),
      [`k/k${n}/kustomization.yaml`]: 'resources: [c.yaml]\n',
      [`k/k${n}/c.yaml`]: item('c', '{a: VERSION}'),
    }),
  'kustomizations in a cycle': (n) =>
    withApp(folders(n, (i) => ({ [`k/k${i}/kustomization.yaml`]: `resources: [../k${(i + 1) % n}]\n# VERSION\n` }))),
  'resources of a kustomization': (n) =>
    withApp({
      'k/kustomization.yaml': `resources:\n${repeated(n, (i) => `- c${i}.yaml\n`)}`,
      ...folders(n, (i) => ({ [`k/c${i}.yaml`]: item(`c${i}`, '{a: VERSION}') })),
    }),
  'the same resource of a kustomization': (n) =>
    withApp({
      'k/kustomization.yaml': `resources:\n${repeated(n, () => '- c.yaml\n')}`,
      'k/c.yaml': item('c', '{a: VERSION}'),
    }),
  'patches of a kustomization': (n) =>
    withApp({
      'k/kustomization.yaml': `resources: [c.yaml]\ntransformers: [t.yaml]\npatches:\n${repeated(n, (i) => `- path: p${i}.yaml\n`)}`,
      'k/c.yaml': item('c', '{a: VERSION}'),
      ...folders(n, (i) => ({ [`k/p${i}.yaml`]: item('c', '{b: c}') })),
    }),
  'lines of a .sourceignore': (n) =>
    withApp({
      ...base,
      '.sourceignore': repeated(n, (i) => `/x${i}/**\n`),
      'apps.yaml': source('flux') + kustomization('flux', './base'),
    }),
  'blanks in a .sourceignore': (n) =>
    withApp({
      ...base,
      '.sourceignore': `x${' '.repeat(n)}y\n`,
      'apps.yaml': source('flux') + kustomization('flux', './base'),
    }),
  'applications of a render-rgd.yaml': (n) =>
    withApp({
      'render-rgd.yaml': `applications:\n${repeated(n, (i) => `- {name: a${i}, path: f${i}}\n`)}`,
      ...folders(n, (i) => ({ [`f${i}/c.yaml`]: item('c', '{a: VERSION}') })),
    }),
  'packages of kpt': (n) =>
    withApp(
      folders(n, (i) => ({
        [`k/k${i}/Kptfile`]:
          'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: k}\npipeline: {mutators: [{exec: render-rgd}]}\n',
        [`k/k${i}/c.yaml`]: item('c', '{a: VERSION}'),
      })),
    ),
  'slashes of a path': (n) =>
    withApp({
      ...base,
      'apps.yaml':
        application('a', `base${'/'.repeat(n)}x`) + source('flux') + kustomization('flux', `./base${'/'.repeat(n)}x`),
    }),
  'letters of a URL': (n) =>
    withApp({ ...base, 'apps.yaml': application('a', 'base').replace('https://h/x', `https://${'h/'.repeat(n)}x`) }),
  'letters of a revision': (n) =>
    withApp({ ...base, 'apps.yaml': application('a', 'base').replace('HEAD', `v1${'.1'.repeat(n)}x`) }),
  'live objects of an instance': (n) =>
    withApp({
      'live/all.yaml': repeated(
        n,
        (i) =>
          `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: o${i}, namespace: web, uid: u${i}, labels: {kro.run/owned: "true", kro.run/instance-name: one, kro.run/instance-namespace: web, kro.run/instance-kind: App, kro.run/instance-group: kro.run}, ownerReferences: [{apiVersion: kro.run/v1alpha1, kind: App, name: one, uid: u}]}\n`,
      ),
    }),
  'live instances': (n) => ({
    'p/rgd.yaml': app + one + repeated(n, (i) => instance('App', `i${i}`, '{a: VERSION}')),
    'live/all.yaml': repeated(
      n,
      (i) =>
        instance('App', `i${i}`) +
        `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: i${i}, namespace: web, labels: {kro.run/owned: "true", kro.run/instance-name: i${i}, kro.run/instance-namespace: web, kro.run/instance-kind: App, kro.run/instance-group: kro.run}}\n`,
    ),
  }),
  'golden tests': (n) =>
    withApp(
      folders(n, (i) => ({
        [`tests/t${i}/test.yaml`]: 'input: [../../p]\n',
        [`tests/t${i}/expected.yaml`]: item('one', '{a: VERSION}'),
      })),
    ),
};

/** How many objects a version has in dimensions in which their number counts, and not only the length of the input. */
export const OBJECTS: Readonly<Record<string, (n: number) => number>> = {
  'items of a collection': (n) => n,
  inputs: (n) => n,
  // An Application, and what it deploys.
  'elements of an ApplicationSet': (n) => 2 * n,
  'Applications that apply one another': (n) => n * n,
};

/** How often policies are evaluated in dimensions that have more of them and more objects: each pair is one evaluation. */
export const EVALUATIONS: Readonly<Record<string, (n: number) => number>> = {
  'policies that admit, and objects': (n) => n * n,
  'policies that deny, and objects': (n) => n * n,
};

export const dimensions: Readonly<Record<string, Dimension>> = {
  ...rgdDimensions,
  ...objectDimensions,
  ...textDimensions,
  ...setDimensions,
  ...policyDimensions,
  ...deployDimensions,
};
