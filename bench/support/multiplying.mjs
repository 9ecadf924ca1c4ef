// Inputs below 1 MB that multiply one thing by another, or have very many things: one for each kind of budget.

const times = (count, each, between = '') => Array.from({ length: count }, (_, index) => each(index)).join(between);

const config = (data) =>
  `  - id: c\n    template:\n      apiVersion: v1\n      kind: ConfigMap\n      metadata: {name: x}\n      data: ${data}\n`;

const rgd = ({ kind = 'Site', spec = '{a: string}', types = '{}', data = '{}' }) =>
  `---\napiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: {name: ${kind.toLowerCase()}}\nspec:\n  schema:\n    apiVersion: v1alpha1\n    kind: ${kind}\n    spec: ${spec}\n    types: ${types}\n  resources:\n${config(data)}`;

const instance = (spec = '{a: x}') =>
  `---\napiVersion: kro.run/v1alpha1\nkind: Site\nmetadata: {name: one, namespace: default}\nspec: ${spec}\n`;

const resourceSet = (value, inputs = '[{a: b}]', name = 'c') =>
  `---\napiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: one, namespace: default}\nspec:\n  inputs: ${inputs}\n  resourcesTemplate: |\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: ${name}}\n    data: {v: '${value}'}\n`;

const twice = (levels) =>
  `{${times(levels, (i) => `T${i}: {a: T${i + 1}, b: T${i + 1}}`, ', ')}, T${levels}: {a: string}}`;
const PATTERN = '^(a?){900}a{900}$';
const plain = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: default}\n';

export const MULTIPLYING = {
  'expressions that match patterns': () =>
    rgd({ data: `{v: "\${string(size(lists.range(25).map(i, '${'a'.repeat(2000)}'.matches('${PATTERN}'))))}"}` }) +
    instance(),
  'templates that match patterns': () =>
    resourceSet(`<< range until 30 >><< regexMatch "${PATTERN}" (repeat 2000 "a") >><< end >>`),
  'fields with patterns': () =>
    rgd({
      spec: `{${times(60, (i) => `a${i}: 'string | pattern="^(a?){900}a{900}$"'`, ', ')}}`,
    }) + instance(`{${times(60, (i) => `a${i}: ${'a'.repeat(2000)}`, ', ')}}`),
  '100 RGDs whose types double': () => times(100, (i) => rgd({ kind: `Site${i}`, spec: '{x: T0}', types: twice(13) })),
  '900 RGDs whose types double': () => times(900, (i) => rgd({ kind: `Site${i}`, spec: '{x: T0}', types: twice(13) })),
  'one schema as large as can be': () => rgd({ spec: '{x: T0}', types: twice(14) }),
  'a schema of 40,000 fields': () => rgd({ spec: `{${times(40_000, (i) => `a${i}: string`, ', ')}}` }),
  'documents that are scalars': () => '---\na\n'.repeat(160_000),
  'documents that are maps': () => '---\n{a: b}\n'.repeat(90_000),
  'keys that repeat': () => plain + 'a: b\n'.repeat(190_000),
  '40,000 inputs': () =>
    resourceSet('<< inputs.a >>', `[${times(40_000, (i) => `{a: b${i}}`, ',')}]`, 'x-<< inputs.a >>'),
  '400,000 arguments': () => resourceSet(`<< print ${'1 '.repeat(400_000)}>>`),
  '90,000 actions': () => resourceSet('<< .a.b >>'.repeat(90_000)),
};

/** The rendered objects of those with many. */
export const RENDERED = { '40,000 inputs': 40_000 };

/** Returns the arguments of commands for these inputs. */
export const addressIn = (text) => {
  if (text.includes('kind: ResourceSet\n')) return 'ResourceSet/one';
  return `${/^ {4}kind: (\w+)/m.exec(text)?.[1] ?? 'Site'}/one`;
};
