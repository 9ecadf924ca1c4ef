import type { JsonValue, RenderOptions } from '../../src/api/index.ts';

/** Input that grows with `n`, in which one thing is multiplied by another. */
export interface Bomb {
  text: (n: number) => string;
  /** The OpenAPI document of a cluster. */
  openapi?: (n: number) => JsonValue;
  options?: RenderOptions;
  /** The tested sizes; each is about twice the previous one. */
  sizes?: readonly number[];
  /** The input multiplies until a budget rejects it: the largest size is rejected, and none takes long. */
  refused?: true;
}

const times = (count: number, each: (index: number) => string, between = '\n'): string =>
  Array.from({ length: count }, (_, index) => each(index)).join(between);

interface Parts {
  kind?: string;
  types?: string;
  spec?: string;
  status?: string;
  nodes?: string;
}

export const rgd = ({ kind = 'App', types = '', spec = '{}', status = '{}', nodes = '' }: Parts): string => `---
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: ${kind.toLowerCase()}}
spec:
  schema:
    apiVersion: v1alpha1
    kind: ${kind}
    types: {${types}}
    spec: ${spec}
    status: ${status}
  resources:
${nodes}
`;

/** A document of one kind, whose spec is the first of `n` definitions; each contains a reference to the next one. */
const references = (n: number, definition: (next: JsonValue) => JsonValue): JsonValue => {
  const to = (index: number): JsonValue => ({ $ref: `#/definitions/D${index}` });
  const definitions = Array.from({ length: n }, (_, index) => [`D${index}`, definition(to(index + 1))]);
  const kind = {
    type: 'object',
    properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' }, spec: to(0) },
    'x-kubernetes-group-version-kind': [{ group: 'e.x', version: 'v1', kind: 'Foo' }],
  };
  return { definitions: { ...Object.fromEntries(definitions), [`D${n}`]: { type: 'integer' }, Foo: kind } };
};

/** Two objects of that kind, one of which has the spec of the other. */
const referring = (spec: string): string =>
  rgd({
    nodes: `  - {id: one, template: {apiVersion: e.x/v1, kind: Foo, metadata: {name: one}, spec: ${spec}}}
  - {id: two, template: {apiVersion: e.x/v1, kind: Foo, metadata: {name: two}, spec: "\${one.spec}"}}`,
  }) + instance();

export const instance = (spec = '{}', kind = 'App', name = 'one'): string =>
  `---\napiVersion: kro.run/v1alpha1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: web}\nspec: ${spec}\n`;

const config = (id: string, name: string, data = '{}', more = ''): string =>
  `  - {id: ${id}, ${more}template: {apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}, data: ${data}}}`;
const nested = (id: string, kind: string, name: string, more = ''): string =>
  `  - {id: ${id}, ${more}template: {apiVersion: kro.run/v1alpha1, kind: ${kind}, metadata: {name: ${name}}}}`;
const levels = [6, 12, 24, 48];
const twice = (n: number, last = 'string'): string =>
  `${times(n, (level) => `T${level}: {a: T${level + 1}, b: T${level + 1}}`, ', ')}, T${n}: '${last}'`;
const cm = config('cm', '"${schema.metadata.name}"');

const resourceSet = (template: string, inputs = '{a: b}'): string =>
  `---\napiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: set, namespace: web}\nspec:\n  inputs: [${inputs}]\n  resourcesTemplate: |\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: cm}\n    data: {v: "${template}"}\n`;
const grown = (n: number, step: string): string =>
  resourceSet(`<< $x := repeat 100 "ab" >><< range until ${n} >><< $x = ${step} >><< end >><< len $x >>`);

export const bombs: Readonly<Record<string, Bomb>> = {
  'expressions of one node that all fail': {
    text: (n) =>
      rgd({
        spec: `{${times(n, (i) => `f${i}: string`, ', ')}}`,
        nodes: config('one', 'one', `{${times(n, (i) => `k${i}: "\${schema.spec.f${i}}"`, ', ')}}`),
      }) + instance(),
    sizes: [200, 400, 800],
  },
  'nodes that read the one before': {
    text: (n) =>
      rgd({
        nodes: times(n, (i) => config(`n${i}`, i === 0 ? 'n0' : `"n${i}-\${string(size(n${i - 1}.metadata.name))}"`)),
      }) + instance(),
  },
  'nodes with iterators, conditions and readiness': {
    text: (n) =>
      rgd({
        nodes: times(n, (i) =>
          config(
            `n${i}`,
            `"n${i}-\${x}"`,
            '{}',
            'forEach: [{x: "${[\'a\']}"}], includeWhen: ["${true}"], readyWhen: ["${has(each.data)}"], ',
          ),
        ),
      }) + instance(),
  },
  'nodes with invalid names': {
    text: (n) => rgd({ nodes: times(n, (i) => config(`node${i}`, `"n${i}-\${nude${i}.a}"`)) }) + instance(),
    sizes: [200, 400, 800],
  },
  'invalid fields': {
    text: (n) =>
      rgd({ spec: `{${times(n, (i) => `f${i}: string`, ', ')}}`, nodes: cm }) +
      instance(`{${times(n, (i) => `x${i}: a`, ', ')}}`),
    sizes: [600, 1200, 2400],
  },
  'instances with invalid fields': {
    text: (n) =>
      rgd({ spec: `{${times(n, (i) => `f${i}: string`, ', ')}}`, nodes: cm }) +
      times(n, (i) => instance(`{${times(20, (j) => `x${j}: a`, ', ')}}`, 'App', `a${i}`)),
  },
  'unknown kinds': {
    text: (n) =>
      rgd({
        nodes: times(
          n,
          (i) => `  - {id: n${i}, template: {apiVersion: e.example/v1, kind: Kind${i}, metadata: {name: n${i}}}}`,
        ),
      }) + instance(),
  },
  'types that name the next one twice': {
    refused: true,
    text: (n) => rgd({ types: twice(n), spec: '{x: T0}', nodes: cm }) + instance(),
    sizes: levels,
  },
  'types with rules and defaults that name the next one twice': {
    refused: true,
    text: (n) =>
      rgd({
        types: twice(n, 'string | default=x validation="self != \\"\\""'),
        spec: '{x: T0, y: "[]T0"}',
        nodes: cm,
      }) + instance('{y: [{}]}'),
    sizes: levels,
  },
  'lists and maps of types that name the next one twice': {
    refused: true,
    text: (n) =>
      rgd({
        types: `${times(n, (i) => `T${i}: {a: "[]T${i + 1}", b: "map[string]T${i + 1}"}`, ', ')}, T${n}: string`,
        spec: '{x: "[]T0"}',
        nodes: cm,
      }) + instance(),
    sizes: levels,
  },
  'a chain of types': {
    text: (n) =>
      rgd({ types: `${times(n, (i) => `T${i}: T${i + 1}`, ', ')}, T${n}: string`, spec: '{x: T0}', nodes: cm }) +
      instance(),
    sizes: [250, 500, 1000, 2000],
  },
  'a chain of structs': {
    text: (n) =>
      rgd({ types: `${times(n, (i) => `T${i}: {a: T${i + 1}}`, ', ')}, T${n}: string`, spec: '{x: T0}', nodes: cm }) +
      instance(),
    sizes: [25, 50, 100],
  },
  'a chain of structs that is too deep': {
    refused: true,
    text: (n) => rgd({ types: `${times(n, (i) => `T${i}: {a: T${i + 1}}`, ', ')}, T${n}: string`, spec: '{x: T0}' }),
    sizes: [500, 1000, 2000, 4000],
  },
  'cyclic types': {
    text: (n) =>
      rgd({ types: times(n, (i) => `T${i}: T${(i + 1) % n}`, ', '), spec: '{x: T0}', nodes: cm }) + instance(),
    sizes: [250, 500, 1000],
  },
  'undeclared types': {
    text: (n) =>
      rgd({
        types: times(n, (i) => `Type${i}: string`, ', '),
        spec: `{${times(n, (i) => `f${i}: Tipe${i}`, ', ')}}`,
        nodes: cm,
      }),
    sizes: [200, 400, 800],
  },
  'more types than hints that nobody declared': {
    text: (n) =>
      rgd({
        types: times(n, (i) => `Type${i}: string`, ', '),
        spec: `{${times(n, (i) => `f${i}: Q${i}`, ', ')}}`,
        nodes: cm,
      }),
    sizes: [1500, 3000, 6000],
  },
  'spaces in a type': {
    text: (n) => rgd({ spec: `{a: 'string${' '.repeat(10 * n)}x'}`, nodes: cm }),
  },
  'patterns with counted repetitions': {
    refused: true,
    text: (n) =>
      rgd({ spec: `{${times(n, (i) => `f${i}: 'string | pattern="a{1000}${i}"'`, ', ')}}`, nodes: cm }) + instance(),
    sizes: [25, 50, 100, 200, 400],
  },
  'empty keys in a row': {
    text: (n) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {${'? , '.repeat(n)}}\n`,
    sizes: [1000, 2000, 4000],
  },
  'broken documents that do not say what they are': {
    text: (n) => times(n, (i) => `---\na: !x${i} [`),
    sizes: [1000, 2000, 4000],
  },
  'items of a list that are no objects': {
    text: (n) => `apiVersion: v1\nkind: List\nitems: [${'1, '.repeat(n)}]\n`,
    sizes: [2000, 4000, 8000],
  },
  'a package of RGDs whose types name the next one twice': {
    refused: true,
    text: (n) => times(n, (i) => rgd({ kind: `K${i}`, types: twice(10), spec: '{x: T0}', nodes: cm })),
    sizes: [10, 20, 40, 80, 160],
  },
  'documents that are no objects': {
    text: (n) => '---\n{a: b}\n'.repeat(n) + '---\na\n'.repeat(n),
    sizes: [2000, 4000, 8000],
  },
  'keys that are there again and again': {
    text: (n) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n${'  a: b\n'.repeat(n)}`,
    sizes: [2000, 4000, 8000],
  },
  'labels that are all wrong': {
    text: (n) =>
      rgd({
        nodes: `  - {id: x, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {${times(n, (i) => `l${i}: a b`, ', ')}}}}}`,
      }) + instance(),
    sizes: [500, 1000, 2000],
  },
  'a long description in a type that is used often': {
    refused: true,
    text: (n) =>
      rgd({
        types: `D: 'string | description="${'x'.repeat(10 * n)}"'`,
        spec: `{${times(n, (i) => `f${i}: D`, ', ')}}`,
        nodes: cm,
      }) + instance(),
    sizes: [100, 200, 400, 800],
  },
  'statuses that hold the next one twice': {
    refused: true,
    text: (n) =>
      rgd({ kind: 'K0', status: '{a: "${cm.metadata.name}"}', nodes: cm }) +
      times(n, (i) =>
        rgd({ kind: `K${i + 1}`, status: '{a: "${x.status}", b: "${x.status}"}', nodes: nested('x', `K${i}`, 'nn') }),
      ) +
      instance('{}', 'K0'),
    sizes: levels,
  },
  'cyclic RGDs': {
    text: (n) => times(n, (i) => rgd({ kind: `K${i}`, nodes: nested('x', `K${(i + 1) % n}`, 'nn') })),
    sizes: [100, 200, 400],
  },
  'pairs of cyclic RGDs': {
    text: (n) => times(n, (i) => rgd({ kind: `K${i}`, nodes: nested('x', `K${i ^ 1}`, 'nn') })),
    sizes: [100, 200, 400],
  },
  'defaults of items': {
    refused: true,
    text: (n) =>
      rgd({
        types: `Item: {${times(n, (i) => `f${i}: "string | default=x"`, ', ')}}`,
        spec: '{l: "[]Item"}',
        nodes: cm,
      }) + instance(`{l: [${times(n, () => '{}', ', ')}]}`),
    sizes: [100, 200, 400, 800, 1600],
  },
  'defaults of items of items': {
    refused: true,
    text: (n) =>
      rgd({
        types: `A: {${times(n, (i) => `f${i}: "string | default=x"`, ', ')}}, B: {l: '[]A | default=[${times(n, () => '{}', ',')}]'}`,
        spec: '{l: "[]B"}',
        nodes: cm,
      }) + instance(`{l: [${times(n, () => '{}', ', ')}]}`),
    sizes: [20, 40, 80, 160],
  },
  'invalid items of a long enum': {
    text: (n) =>
      rgd({ types: `E: 'string | enum="${times(n, (i) => `v${i}`, ',')}"'`, spec: '{x: "[]E"}', nodes: cm }) +
      instance(`{x: [${times(n, (i) => `w${i}`, ', ')}]}`),
    sizes: [200, 400, 800],
  },
  'rules of items': {
    refused: true,
    text: (n) =>
      rgd({
        types: `Item: {a: 'string | validation="[1,2,3].all(x, x > 0)"'}`,
        spec: '{l: "[]Item | maxItems=500"}',
        nodes: cm,
      }) + instance(`{l: [${times(n, () => '{a: x}', ', ')}]}`),
    options: { maxSteps: 100 },
    sizes: [10, 20, 40, 80, 160],
  },
  'a long literal in a collection': {
    refused: true,
    text: (n) =>
      rgd({
        nodes: config(
          'cm',
          '"n${string(i)}"',
          `{v: "${'x'.repeat(10 * n)}"}`,
          `forEach: [{i: "\${lists.range(${n})}"}], `,
        ),
      }) + instance(),
    options: { maxSize: 100_000 },
    sizes: [25, 50, 100, 200, 400],
  },
  'a long literal in collections of collections': {
    refused: true,
    text: (n) =>
      rgd({
        nodes: config(
          'cm',
          '"${schema.metadata.name}-${string(i)}"',
          `{v: "${'x'.repeat(10 * n)}"}`,
          `forEach: [{i: "\${lists.range(${n})}"}], `,
        ),
      }) +
      rgd({
        kind: 'Outer',
        nodes: nested('x', 'App', '"o${string(i)}"', `forEach: [{i: "\${lists.range(${n})}"}], `),
      }) +
      instance('{}', 'Outer'),
    options: { maxSize: 100_000 },
    sizes: [10, 20, 40, 80],
  },
  'a large value in every item': {
    refused: true,
    text: (n) =>
      rgd({
        nodes: config(
          'cm',
          '"n${string(i)}"',
          `{v: "\${lists.range(${10 * n}).map(x, string(x)).join(\\"-\\")}"}`,
          `forEach: [{i: "\${lists.range(${n})}"}], `,
        ),
      }) + instance(),
    options: { maxSize: 30_000 },
    sizes: [25, 50, 100, 200],
  },
  'collections that read empty ones, in order': {
    text: (n) =>
      rgd({
        nodes: `${times(n, (i) => {
          const list = i < 2 ? `[\\"a\\"].filter(x, false)` : `n${i - 1}.map(x, x.kind) + n${i - 2}.map(x, x.kind)`;
          return config(`n${i}`, `"n${i}\${x}"`, '{}', `forEach: [{x: "\${${list}}"}], `);
        })}\n${config('last', `"l\${string(size(n${n - 1}))}"`)}`,
      }) + instance(),
    options: { order: 'argocd' },
    sizes: [12, 25, 50, 100],
  },
  'collections that read collections, in order': {
    refused: true,
    text: (n) =>
      rgd({
        nodes: times(4, (i) =>
          config(
            `n${i}`,
            `"n${i}-\${string(x)}-\${string(${i === 0 ? '0' : `n${i - 1}.size()`})}"`,
            '{}',
            `forEach: [{x: "\${lists.range(${n})}"}], `,
          ),
        ),
      }) + instance(),
    options: { order: 'kpt' },
    sizes: [125, 250, 500, 1000],
  },
  'a chain that reads a Secret, with invalid names': {
    text: (n) =>
      rgd({
        nodes:
          `  - {id: n0, template: {apiVersion: v1, kind: Secret, metadata: {name: n0}, stringData: {a: b}}}\n` +
          times(n, (i) => config(`n${i + 1}`, `"BAD${i}"`, `{v: "\${n${i}.metadata.name}"}`)),
      }) + instance(),
  },
  'a rule as long as the input, broken by every item': {
    text: (n) =>
      rgd({
        types: `R: 'string | validation="self != \\"${'x'.repeat(10 * n)}\\" && false"'`,
        spec: '{l: "[]R"}',
        nodes: cm,
      }) + instance(`{l: [${times(n, () => 'a', ', ')}]}`),
  },
  'instances that depend on each other in turn': {
    text: (n) => {
      const reference = (id: string, name: string): string =>
        `  - {id: ${id}, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}}}`;
      const one = times(
        n,
        (i) => `${reference(`e${i}`, `b${i}`)}\n${config(`c${i}`, `a${i}`, `{v: "\${e${i}.kind}"}`)}`,
      );
      const other = times(n, (i) =>
        i === 0
          ? config('c0', 'b0')
          : `${reference(`e${i}`, `a${i - 1}`)}\n${config(`c${i}`, `b${i}`, `{v: "\${e${i}.kind}"}`)}`,
      );
      const both = rgd({ kind: 'One', nodes: one }) + rgd({ kind: 'Other', nodes: other });
      return both + instance('{}', 'One', 'one') + instance('{}', 'Other', 'other');
    },
  },
  'selectors and objects': {
    refused: true,
    text: (n) =>
      rgd({
        nodes: `${times(n, (i) => `  - {id: e${i}, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {selector: {matchLabels: {a: b}}}}}`)}\n${cm}`,
      }) +
      instance() +
      times(n, (i) => `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: o${i}, namespace: z, labels: {a: b}}`),
    options: { maxSteps: 50_000 },
    sizes: [50, 100, 200, 400],
  },
  'RGDs whose types name the next one twice': {
    text: (n) => times(n, (i) => rgd({ kind: `K${i}`, types: twice(10), spec: '{x: T0}', nodes: cm })),
    sizes: [10, 20, 40],
  },
  'patterns of fields with counted repetitions, and long texts': {
    refused: true,
    text: (n) =>
      rgd({ spec: `{${times(n, (i) => `f${i}: 'string | pattern="^(a?){400}a{400}$"'`, ', ')}}`, nodes: cm }) +
      instance(`{${times(n, (i) => `f${i}: ${'a'.repeat(800)}`, ', ')}}`),
    options: { maxSteps: 400_000 },
    sizes: [1, 2, 4, 8, 16],
  },
  'a pattern with counted repetitions in an expression, and long texts': {
    refused: true,
    text: (n) =>
      rgd({
        nodes: config(
          'cm',
          'cm',
          `{v: "\${string(lists.range(${n}).all(i, '${'a'.repeat(800)}'.matches('^(a?){400}a{400}$')))}"}`,
        ),
      }) + instance(),
    options: { maxSteps: 1_000_000 },
    sizes: [1, 2, 4, 8, 16],
  },
  'a pattern with counted repetitions in a template, and long texts': {
    refused: true,
    text: (n) =>
      resourceSet(`<< range until ${n} >><< regexMatch \`^(a?){400}a{400}$\` (repeat 800 \`a\`) >><< end >>`),
    options: { maxSteps: 1_000_000 },
    sizes: [1, 2, 4, 8, 16],
  },
  'values of a large type given to nested instances': {
    text: (n) =>
      rgd({
        types: twice(10),
        spec: '{x: T0}',
        nodes: times(
          n,
          (i) =>
            `  - {id: n${i}, template: {apiVersion: kro.run/v1alpha1, kind: In, metadata: {name: n${i}}, spec: {x: "\${schema.spec.x}"}}}`,
        ),
      }) +
      rgd({ kind: 'In', types: twice(10), spec: '{x: T0}', nodes: cm }) +
      instance('{x: {}}'),
    sizes: [25, 50, 100],
  },
  'references in a chain of structs': {
    text: () => referring('{a: {a: {}}}'),
    openapi: (n) => references(n, (next) => ({ type: 'object', properties: { a: next } })),
    sizes: [2000, 4000, 8000, 16000],
  },
  'references in a chain of lists': {
    text: () => referring('[[[]]]'),
    openapi: (n) => references(n, (next) => ({ type: 'array', items: next })),
    sizes: [2000, 4000, 8000, 16000],
  },
  'references in a chain of maps': {
    text: () => referring('{a: {a: {}}}'),
    openapi: (n) => references(n, (next) => ({ type: 'object', additionalProperties: next })),
    sizes: [2000, 4000, 8000, 16000],
  },
  'references in a chain of alternatives': {
    text: () => referring('x'),
    openapi: (n) => references(n, (next) => ({ anyOf: [next] })),
    sizes: [2000, 4000, 8000, 16000],
  },
  'structs that refer to the next one twice': {
    text: () => referring('{a: {b: {}}}'),
    openapi: (n) => references(n, (next) => ({ type: 'object', properties: { a: next, b: next } })),
    sizes: [25, 50, 100, 200],
  },
  'alternatives that refer to the next one twice': {
    text: () => referring('x'),
    openapi: (n) => references(n, (next) => ({ oneOf: [next, next], anyOf: [next, next] })),
    sizes: [25, 50, 100, 200],
  },
  'lists and alternatives that refer to themselves': {
    text: (n) =>
      rgd({
        nodes: times(
          n,
          (i) => `  - {id: n${i}, template: {apiVersion: e.x/v1, kind: Foo, metadata: {name: n${i}}, spec: [[x]]}}`,
        ),
      }) + instance(),
    openapi: () => {
      const itself = { $ref: '#/definitions/D0' };
      return references(1, () => ({ items: itself, oneOf: [itself, itself], not: itself }));
    },
  },
  'ranges in ranges of a ResourceSet': {
    refused: true,
    text: (n) => resourceSet('<< range until 100 >>'.repeat(n) + '<< end >>'.repeat(n)),
    options: { maxSteps: 1_000_000 },
    sizes: [1, 2, 4],
  },
  'a text of a ResourceSet that doubles': {
    refused: true,
    text: (n) => grown(n, 'print $x $x'),
    sizes: levels,
  },
  'a text of a ResourceSet in base64 again and again': {
    refused: true,
    text: (n) => grown(n, 'b64enc $x'),
    options: { maxSize: 300_000 },
    sizes: levels,
  },
  'a text of a ResourceSet indented again and again': {
    refused: true,
    text: (n) => grown(n, 'nindent 9000 (replace "b" "\\n" $x)'),
    sizes: [600, 1200, 2400],
  },
  'templates of a ResourceSet that call the next one twice': {
    refused: true,
    text: (n) =>
      resourceSet(
        `${times(n, (i) => `<< define "t${i}" >><< template "t${i + 1}" >><< template "t${i + 1}" >><< end >>`, '')}<< define "t${n}" >>x<< end >><< template "t0" >>`,
      ),
    options: { maxSteps: 1_000_000 },
    sizes: levels,
  },
  'a value of a ResourceSet as YAML in YAML': {
    refused: true,
    text: (n) => grown(n, 'toYaml (list $x $x)'),
    options: { maxSize: 300_000 },
    sizes: levels,
  },
};
