import { readPackageText } from '../cluster/documents.ts';
import { compared } from './compare.ts';
import type { Judge } from './judge.ts';
import { configMap, packageWith, withCrd } from './on-purpose.ts';
import type { GeneratedPackage } from './packages.ts';

/** A line of docs/differences.md that no generated package covers, and a package that demonstrates it. */
export interface Documented {
  /** A part of the line. */
  documented: string;
  sample: GeneratedPackage;
  /** The code of the error here; absent if the package renders. */
  code?: string;
}

const read = (text: string) => readPackageText(text) as unknown as GeneratedPackage['objects'];
const text = (value: string): string => JSON.stringify(value);
const data = (expression: string): string => configMap('shown', 'name: shown', `, data: {a: ${text(expression)}}`);
const port = (spec: string): string =>
  `{id: port, template: {apiVersion: example.com/v1, kind: Port, metadata: {name: port}, spec: {${spec}}}}`;
const zone = (name: string): string => `\${string(timestamp(0).getHours("${name}"))}`;
const matches = (pattern: string): string => `\${string("b".matches(r"${pattern}"))}`;

/** Returns a package with an expression in the data of a ConfigMap. */
const expression = (source: string, spec = 'name: string', given = 'name: Web'): GeneratedPackage =>
  packageWith(data(source), spec, given);
/** Returns the same beside an object of a CRD with these fields. */
const withPort = (fields: string, spec: string, source: string): GeneratedPackage =>
  withCrd(packageWith(`${port(spec)}, ${data(source)}`), fields);
const reading = (reference: string, source: string, observed: string): GeneratedPackage => ({
  ...packageWith(`{id: live, externalRef: {${reference}}}, ${data(source)}`),
  observed: read(observed),
});

const LIST = ["name: string, items: '[]string'", 'name: Web, items: [a, b, c]'] as const;
const twoRgds = (): GeneratedPackage => {
  const one = packageWith(configMap('a', 'name: x'));
  const [rgd] = read('{apiVersion: kro.run/v1alpha1, kind: ResourceGraphDefinition, metadata: {name: other}}');
  const [first] = one.objects;
  return { ...one, objects: [...one.objects, { ...first, ...rgd } as GeneratedPackage['objects'][number]] };
};

const EXTENDS_ITSELF = '{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: deep}}';
const properties = '.properties["a"].properties["b"].properties["c"]';

export const documented: readonly Documented[] = [
  { documented: 'Two RGDs that define one kind are an error', sample: twoRgds(), code: 'kind-defined-twice' },
  {
    documented: 'A bound on a type that has none is an error',
    sample: packageWith(configMap('a', 'name: x'), "name: 'string | minimum=1'"),
    code: 'marker-not-applicable',
  },
  {
    documented: 'so is a fraction as the bound of an integer',
    sample: packageWith(configMap('a', 'name: x'), "name: string, size: 'integer | minimum=1.5'"),
    code: 'crd-refused',
  },
  {
    documented: 'A control character in a default or an enum',
    sample: expression('${schema.spec.text}', `name: string, text: "string | default=\\"a\\u0001b\\""`),
  },
  {
    documented: 'a key of more than 1,000 characters',
    sample: packageWith(configMap('a', 'name: x', `, data: {${'k'.repeat(1100)}: v}`)),
  },
  {
    documented: 'not between -2^63 and 2^63',
    sample: packageWith(configMap('a', 'name: x'), "name: string, size: 'integer | maximum=9223372036854775807'"),
    code: 'crd-refused',
  },
  {
    documented: 'also those of a CRD',
    sample: packageWith(`{id: a, template: ${EXTENDS_ITSELF.replace('deep}', 'deep, labels: {a: 1}}')}}`),
    code: 'field-type',
  },
  { documented: 'A brace or a quote inside any CEL string literal is text', sample: expression(`\${'}'}`) },
  {
    documented: 'A CEL comment in a text with several expressions ends with its own expression',
    sample: expression('${"a" // one}${"b"}'),
  },
  {
    documented: 'The range of a comprehension is outside the scope of its variable',
    sample: packageWith(
      `${data('${other.data.map(other, other)[0]}')}, ${configMap('other', 'name: other', ', data: {k: v}')}`,
    ),
  },
  {
    documented: 'If the text is no JSON, as in `default="say \\"hi\\""`',
    sample: expression('${schema.spec.text}', `name: string, text: 'string | default="say \\"hi\\""'`),
  },
  {
    documented: 'The data of a Secret is read with either base64 alphabet',
    sample: reading(
      'apiVersion: v1, kind: Secret, metadata: {name: live}',
      '${string(live.data.a.size())}',
      '{apiVersion: v1, kind: Secret, metadata: {name: live, namespace: default}, data: {a: -_-_}}',
    ),
  },
  {
    documented: 'A kind that contains itself (JSONSchemaProps) is typed as deep as it is read',
    sample: reading(
      EXTENDS_ITSELF.slice(1, -1),
      `\${string(has(live.spec.versions[0].schema.openAPIV3Schema${properties}.type))}`,
      `${EXTENDS_ITSELF.slice(0, -1)}, spec: {versions: [{schema: {openAPIV3Schema: {properties: {a: {properties: {b: {properties: {c: {type: string}}}}}}}}}]}}`,
    ),
  },
  {
    documented: 'kro adds two numbers in `${1}${2}`',
    sample: withPort('free: {type: object, x-kubernetes-preserve-unknown-fields: true}', "free: {x: '${1}${2}'}", 'b'),
    code: 'text-part-type',
  },
  {
    documented: 'do not share memory',
    sample: expression('${json.marshal(cel.bind(s, schema.spec.items + ["x", "y"], [s + ["d"], s + ["e"]]))}', ...LIST),
  },
  {
    documented: 'The keys of an object are its field names',
    sample: withPort('namespace: {type: string}', 'namespace: x', '${json.marshal(dyn(port.spec).map(k, k))}'),
  },
  {
    documented: 'A list that was read takes a uint or a whole double as an index',
    sample: expression('${dyn(schema.spec.items)[1u]}', ...LIST),
  },
  {
    documented: 'Sets of numbers compare and merge by value',
    sample: withPort(
      'limits: {type: array, x-kubernetes-list-type: set, items: {type: number}}',
      'limits: [1, 2.5]',
      '${string(port.spec.limits == [1.0, 2.5])}',
    ),
  },
  {
    documented: '`json.encode` takes lists and maps that were read',
    sample: expression('${json.encode(schema.spec.items)}', ...LIST),
  },
  ...['true', '{}'].map((any) => ({
    documented: any === '{}' ? 'Entries whose schema names no type' : '`additionalProperties: true` makes a map',
    sample: withPort(
      `free: {type: object, additionalProperties: ${any}}`,
      'free: {x: 1}',
      '${string(port.spec.free.x)}',
    ),
  })),
  { documented: '1 and 1u are one key', sample: expression('${string({1: "a", 1u: "b"}.size())}') },
  {
    documented: 'leaves an earlier',
    sample: expression('${json.marshal({"a": 1, ?"a": optional.none()})}'),
  },
  {
    documented: 'kro takes any scalar as a key',
    sample: expression('${string({1.5: "a"}.size())}'),
    code: 'evaluation',
  },
  {
    documented: 'Protobuf messages',
    sample: expression('${string(google.protobuf.Duration{seconds: 1} == duration("1s"))}'),
    code: 'expression-type',
  },
  ...['Local', 'localtime', 'posixrules', 'Factory', 'posix/UTC', 'right/UTC'].map((name) => ({
    documented: name.includes('/') ? `\`${name.split('/')[0]}/...\`` : `\`${name}\``,
    sample: expression(zone(name)),
    code: 'evaluation',
  })),
  ...[String.raw`\p{Letter}`, String.raw`\pl`].map((pattern) => ({
    documented: `\`${pattern}\``,
    sample: expression(matches(pattern)),
    code: 'evaluation',
  })),
  { documented: 'two groups of one name', sample: expression(matches('(?P<x>a)|(?P<x>b)')), code: 'evaluation' },
  { documented: String.raw`\p{White_Space}`, sample: expression(matches(String.raw`\p{White_Space}`)) },
];

/** Returns the lines that are no longer true, because kro has the same result. */
export async function staleLines(judge: Judge): Promise<string[]> {
  const verdicts = await judge.ask(documented.map(({ sample }) => sample));
  return documented.flatMap(({ documented: line, sample }, index) => {
    const verdict = verdicts[index];
    if (verdict !== undefined && compared(sample, verdict) !== undefined) return [];
    return [`kro answers alike, against docs/differences.md: ${line}`];
  });
}
