import { crds, type ObjectSource, render, validate } from '../../src/api/index.ts';
import type { ValueMap } from '../../src/core/model/value.ts';
import { children, type Expr, parse } from '../../src/languages/cel/index.ts';
import { readPackageText } from '../cluster/documents.ts';
import {
  canonical,
  compared,
  type Disagreement,
  isRefusedObject,
  NULL_METADATA,
  theirs,
  type Verdict,
} from './compare.ts';
import { isTraced, traces } from './first-commit.ts';
import type { Judge } from './judge.ts';
import type { GeneratedPackage } from './packages.ts';

/** The compared package: generated or of a case. */
interface Judged {
  objects: readonly unknown[];
  observed?: readonly unknown[];
  gates?: GeneratedPackage['gates'];
}

/** A deliberate difference from kro. */
export interface Purpose {
  reason: string;
  /** A part of the sentence in docs/differences.md that documents it. */
  documented: string;
  holds(found: Disagreement, input: Judged): boolean;
  /** A package that shows it; if both sides agree on it, the entry must be removed. */
  sample: GeneratedPackage;
}

/** A package of one RGD, given the rest of its `spec`, and one instance. */
export function packageWith(resources: string, spec = 'name: string', given = 'name: Web'): GeneratedPackage {
  const text = `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {apiVersion: v1alpha1, kind: App, spec: {${spec}}}
  resources: [${resources}]
---
{apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: one}, spec: {${given}}}
`;
  return { objects: readPackageText(text) as unknown as GeneratedPackage['objects'], observed: [] };
}

/** The same package with a CRD of the kind Port, given the fields of its `spec`. */
export function withCrd({ objects, observed }: GeneratedPackage, fields: string): GeneratedPackage {
  const schema = `{openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {${fields}}}}}}`;
  const crd = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ports.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Port, listKind: PortList, plural: ports, singular: port}
  versions: [{name: v1, served: true, storage: true, schema: ${schema}}]
`;
  return { objects: [...(readPackageText(crd) as unknown as GeneratedPackage['objects']), ...objects], observed };
}

export const configMap = (id: string, metadata: string, rest = ''): string =>
  `{id: ${id}, template: {apiVersion: v1, kind: ConfigMap, metadata: {${metadata}}${rest}}}`;

const isRefusedHere = (found: Disagreement, ...codes: string[]): boolean =>
  found.stages[1] === '' && codes.includes(found.code ?? '');

/** Reports whether all errors here are pending values of kro, which therefore reports other errors. */
const onlyWaits = ({ stages: [here], code }: Disagreement): boolean =>
  ['', 'pending'].includes(here) || code === 'missing-in-instance';

/** The expression that failed, as Go quotes it. */
const FAILED = /(?:^|: |iteration )(?:eval|convert) "((?:[^"\\]|\\.)*)"/;

/** Returns the expression that failed according to a rejection. */
function failedIn(refusal: string): string | undefined {
  const [, quoted] = FAILED.exec(refusal) ?? [];
  if (quoted === undefined) return undefined;
  const escapes = quoted.replace(/\\(?:x([0-9a-f]{2})|U([0-9a-f]{8})|([av])|.)/g, (whole, byte, rune, letter) => {
    if (rune !== undefined) return JSON.stringify(String.fromCodePoint(Number.parseInt(rune, 16))).slice(1, -1);
    if (letter !== undefined) return letter === 'a' ? '\\u0007' : '\\u000b';
    return byte === undefined ? whole : `\\u00${byte}`;
  });
  return JSON.parse(`"${escapes}"`) as string;
}

/** Reports whether the failing expression compares values of dynamic types. */
function comparesAnything(refusal: string): boolean {
  const failed = failedIn(refusal);
  const parsed = failed === undefined ? undefined : parse(failed);
  const isDyn = (part: Expr): boolean => (part.kind === 'call' && part.name === 'dyn') || children(part).some(isDyn);
  const compares = (part: Expr): boolean =>
    (part.kind === 'call' && ['_==_', '_!=_'].includes(part.name) && part.args.some(isDyn)) ||
    children(part).some(compares);
  return parsed?.ok === true && compares(parsed.expression.root);
}

/** Reports whether the failing expression is in the status of an RGD and in none of its templates. */
function isOfStatus(refusal: string, { objects }: Judged): boolean {
  const failed = failedIn(refusal);
  if (failed === undefined) return false;
  // kubectl reads these line breaks of YAML as blanks.
  const withBlanks = (text: string): string => text.replace(/[\u0085\u2028\u2029]/g, ' ');
  const expression = withBlanks(JSON.stringify(failed).slice(1, -1));
  const withoutBigints = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
  const stands = (part: unknown): boolean =>
    part !== undefined && withBlanks(JSON.stringify(part, withoutBigints)).includes(expression);
  const specs = (objects as readonly { spec?: unknown }[]).map(
    ({ spec }) => spec as { schema?: { status?: unknown }; resources?: unknown } | undefined,
  );
  return specs.some((spec) => stands(spec?.schema?.status)) && !specs.some((spec) => stands(spec?.resources));
}

/** Returns how an API server names what has rules and is or contains a set of numbers: in a schema and in an instance. */
function ruledSetsOfNumbers({ objects }: Judged): string[] {
  const found: string[] = [];
  /** Reports whether a schema describes or contains a set of numbers. */
  const visit = (schema: unknown, inSchema: string, inObject: string): boolean => {
    if (typeof schema !== 'object' || schema === null) return false;
    const { properties = {}, items, ...own } = schema as { properties?: object; items?: { type?: string } };
    const rules = own as Record<string, unknown>;
    const inner = Object.entries(properties).map(([name, property]) =>
      visit(property, `${inSchema}.properties[${name}]`, inObject === '' ? name : `${inObject}.${name}`),
    );
    inner.push(visit(items, `${inSchema}.items`, `${inObject}[0]`));
    inner.push(visit(rules.additionalProperties, `${inSchema}.additionalProperties`, inObject));
    const isSet = items?.type === 'number' && rules['x-kubernetes-list-type'] === 'set';
    const hasSet = isSet || inner.includes(true);
    if (hasSet && 'x-kubernetes-validations' in rules)
      found.push(`${inSchema}.default: Invalid value`, `${inObject}: Invalid value`);
    return hasSet;
  };
  for (const { spec } of crds({ objects: objects as ObjectSource[] }).objects as unknown as CrdSchemas[])
    for (const { schema } of spec.versions) visit(schema.openAPIV3Schema, 'openAPIV3Schema', '');
  return found;
}

/** The schemas of a generated CRD. */
interface CrdSchemas {
  spec: { versions: readonly { schema: { openAPIV3Schema: unknown } }[] };
}

/** Reports whether `validate` rejects a field of a rendered object that a rejection names too. */
export function isToldByValidate(refusal: string, { objects, observed = [], gates = [] }: Judged): boolean {
  const input = { objects: objects as ObjectSource[], observed: observed as ObjectSource[] };
  const hasGraph = (objects as readonly { kind?: unknown }[]).some(({ kind }) => kind === 'Graph');
  const options = hasGraph ? ({ kro: '0.10', experimental: ['graph', ...gates] } as const) : { experimental: gates };
  const fields = validate(input, { strict: true, namespace: 'default', ...options })
    .diagnostics.filter(({ code }) => code.startsWith('rendered-'))
    .map(({ field = '' }) => field.split('.template.')[1] ?? '');
  return fields.some((field) => field !== '' && refusal.includes(field));
}

/** Reports whether a node is skipped without an error, so that kro never evaluates it. */
function isLeftOut(node: string, { objects, observed = [], gates = [] }: Judged): boolean {
  const input = { objects: objects as ObjectSource[], observed: observed as ObjectSource[] };
  const { objects: rendered, diagnostics } = render(input, { namespace: 'default', experimental: gates });
  const isOfNode = ({ metadata }: (typeof rendered)[number]): boolean =>
    (metadata as { labels?: Record<string, string> }).labels?.['kro.run/node-id'] === node;
  return !diagnostics.some(({ severity }) => severity === 'error') && !rendered.some(isOfNode);
}

/** Reports whether validating the package warns of a default `{}`. */
const isWarnedOfDefault = ({ objects, gates = [] }: Judged): boolean =>
  validate(
    { objects: objects as ObjectSource[] },
    { strict: true, namespace: 'default', experimental: gates },
  ).diagnostics.some(
    ({ code, severity, message }) => code === 'crd-refused' && severity === 'warning' && message.includes('default {}'),
  );

/** Reports whether an instance is observed: writing it is an update, which keeps unchanged fields. */
function observesInstance({ objects, observed = [] }: Judged): boolean {
  const all = objects as readonly { kind?: unknown; spec?: { schema?: { kind?: unknown } } }[];
  const kinds = all.filter(({ kind }) => kind === 'ResourceGraphDefinition').map(({ spec }) => spec?.schema?.kind);
  return (observed as typeof all).some(({ kind }) => kinds.includes(kind));
}

/** A package whose RGD reads the status of a nested instance. */
export function withNested(status: string, value: string, more: readonly string[] = []): GeneratedPackage {
  const outer = packageWith(
    [
      '{id: inner, template: {apiVersion: kro.run/v1alpha1, kind: Inner, metadata: {name: i}}}',
      configMap('b', 'name: other', `, data: {v: '${value}'}`),
    ].join(', '),
  );
  const inner = `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: inner}
spec:
  schema: {apiVersion: v1alpha1, kind: Inner, spec: {}, status: ${status}}
  resources: [${[configMap('a', 'name: x'), ...more].join(', ')}]
`;
  const nested = readPackageText(inner) as unknown as GeneratedPackage['objects'];
  return { ...outer, objects: [...nested, ...outer.objects] };
}

/** Returns the package with labels on its instance. */
export function withLabels({ objects, observed }: GeneratedPackage, labels: ValueMap): GeneratedPackage {
  const labelled = objects.map((one) =>
    one.kind === 'App' ? { ...one, metadata: { ...(one.metadata as ValueMap), labels } } : one,
  );
  return { objects: labelled, observed };
}

/** Reports whether a rule of an RGD compares with an earlier value. */
function hasTransitionRule({ objects }: Judged): boolean {
  const schemas = (objects as readonly { spec?: { schema?: { spec?: unknown; types?: unknown } } }[]).map(
    ({ spec }) => spec?.schema,
  );
  return /oldSelf|immutable=true/.test(JSON.stringify(schemas.map((schema) => [schema?.spec, schema?.types])));
}

/** The names that CEL has for fields that it cannot name: `__namespace__`, `a__dash__b`. */
const ESCAPES: Readonly<Record<string, string>> = { underscores: '__', dot: '.', dash: '-', slash: '/' };

/** Reports whether two objects are equal but for the names of fields in texts, which also have another order. */
function isEscaped(own: string, judged: string): boolean {
  const theirs = judged.slice(judged.indexOf('{'));
  const unescaped = theirs.replace(/__([a-z_A-Z]+?)__/g, (_, name: string) => ESCAPES[name] ?? name);
  const wordsOf = (text: string): string =>
    text
      .split(/[{},:\\" ]+/)
      .sort()
      .join(' ');
  return unescaped !== theirs && wordsOf(unescaped) === wordsOf(own);
}

/** Reports whether a number or a boolean has a default that is written as in Go, and not as in JSON. */
function hasDefaultOfGo({ objects }: Judged): boolean {
  const schemas = (objects as readonly { spec?: { schema?: unknown } }[]).map(({ spec }) => spec?.schema);
  const isOfGo = (value: unknown): boolean => {
    if (typeof value === 'string')
      return /\b(?:integer|float|boolean)\b.*\bdefault=(?:[+-]?0\d|[+]|-?\.|[A-Z])/.test(value);
    return typeof value === 'object' && value !== null && Object.values(value).some(isOfGo);
  };
  return schemas.some(isOfGo);
}

/** Returns the texts of the quoted defaults in the schemas of RGDs, without quotes and escapes. */
function quotedDefaults({ objects }: Judged): string[] {
  const schemas = (objects as readonly { spec?: { schema?: { spec?: unknown; types?: unknown } } }[]).map(
    ({ spec }) => spec?.schema,
  );
  const found = new Set<string>();
  JSON.stringify(
    schemas.map((schema) => [schema?.spec, schema?.types]),
    (_, value: unknown) => {
      const [, quoted] = typeof value === 'string' ? (/\bdefault="((?:[^"\\]|\\.)*)"/.exec(value) ?? []) : [];
      if (quoted !== undefined) found.add(quoted.replace(/\\(["\\])/g, '$1'));
      return value;
    },
  );
  return [...found];
}

/** Reports whether both sides are equal once the text of each default is read as the inside of a JSON string. */
function isJsonOfDefault({ ours: own, theirs: judged }: Disagreement, input: Judged): boolean {
  const inside = (text: string): string => JSON.stringify(text).slice(1, -1);
  const read = quotedDefaults(input).reduce((text, literal) => {
    try {
      return text.replaceAll(inside(literal), () => inside(JSON.parse(`"${literal}"`) as string));
    } catch {
      return text;
    }
  }, own);
  return read !== own && read === judged.slice(judged.indexOf('{'));
}

/** Returns the package with its instance already applied. */
export function withEarlier({ objects }: GeneratedPackage): GeneratedPackage {
  const instance = objects.find(({ kind }) => kind === 'App') ?? {};
  const metadata = { ...(instance.metadata as GeneratedPackage['objects'][number]), namespace: 'default' };
  return { objects, observed: [{ ...instance, metadata }] };
}

function withSecondInstance({ objects, observed }: GeneratedPackage): GeneratedPackage {
  const instance = objects.find(({ kind }) => kind === 'App') ?? {};
  return { objects: [...objects, { ...instance, metadata: { name: 'two' } }], observed };
}

export const purposes: readonly Purpose[] = [
  {
    reason: 'Two objects of one identity would overwrite each other for ever; kro compares those of one instance only.',
    documented: 'Two rendered objects of one identity are an error',
    // The other side may report other errors first.
    holds: (found) => found.stages[0] === 'collision',
    sample: withSecondInstance(packageWith(configMap('a', 'name: x'))),
  },
  {
    reason: 'The API server would refuse such a name, namespace or label.',
    documented: 'A rendered object needs a `metadata.name`, and one that Kubernetes accepts',
    holds: (found) => found.stages[1] === '' && isRefusedObject(found.code),
    sample: packageWith(configMap('a', "name: '${schema.spec.name}'")),
  },
  {
    reason: 'A computed key with a reserved prefix would pass for one of kro.',
    documented: 'A computed label or annotation with a reserved prefix is rejected like a literal one',
    holds: (found) => isRefusedHere(found, 'computed-reserved-key'),
    sample: packageWith(configMap('a', `name: x, labels: '\${{"kro.run/x": "y"}}'`)),
  },
  {
    reason: 'The author wrote no such default; the instances that set the struct are fine.',
    documented: 'The default `{}` that kro adds to a struct by itself',
    // kro stops before it evaluates anything.
    holds: ({ stages, theirs: refusal }, input) =>
      stages[0] !== 'refused' &&
      stages[1] === 'refused' &&
      /\.default: Invalid value: /.test(refusal) &&
      isWarnedOfDefault(input),
    sample: packageWith(
      configMap('a', 'name: x'),
      'name: string, window: \'Window | validation="self.low <= self.high"\'}, types: {Window: {low: integer, high: "integer | default=5"}',
      'name: Web, window: {low: 1}',
    ),
  },
  {
    reason: 'No instance can set such a field; one that leaves it out gets through an API server.',
    documented: 'not between -2^63 and 2^63',
    holds: ({ stages, code, ours: refusal }) =>
      stages[0] === 'refused' && code === 'crd-refused' && refusal.includes('out of range for an integer of 64 bits'),
    sample: packageWith(configMap('a', 'name: x'), "name: string, n: 'integer | minimum=-9223372036854775808'"),
  },
  {
    reason: 'Nobody reads the status: nothing that is rendered depends on it.',
    documented: 'A status that nothing reads is not evaluated',
    holds: (found, input) => onlyWaits(found) && found.stages[1] === 'expand' && isOfStatus(found.theirs, input),
    sample: packageWith(
      configMap('a', 'name: x, labels: {b: c}'),
      'name: string}, status: {blob: "${bytes(a.metadata.name)}"',
    ),
  },
  {
    reason: 'What one field of a status is wrong about says nothing of the others.',
    documented: 'A field of a status that fails is omitted with a warning',
    holds: ({ stages, theirs: refusal }, { objects, observed = [], gates = [] }) =>
      stages.join() === ',pending' &&
      // Of a list of forEach, kro does not say why it waits.
      /no such key: status|^node \w+: data pending$/.test(refusal) &&
      render(
        { objects: objects as ObjectSource[], observed: observed as ObjectSource[] },
        { namespace: 'default', experimental: gates },
      ).diagnostics.some(({ code }) => code === 'status-failed'),
    sample: withNested(
      `{ready: '\${a.metadata.name}', broken: '\${string(timestamp(a.metadata.name))}'}`,
      '${has(inner.status.broken) ? "x" : "y"}',
    ),
  },
  {
    reason: 'An estimate that is a little too high would refuse what the API server takes.',
    documented: 'the cost of rules that are not below a list or map, are only warnings',
    // kro stops before it evaluates anything.
    holds: ({ stages, theirs: refusal }) =>
      stages[0] !== 'refused' && stages[1] === 'refused' && refusal.includes('estimated rule cost'),
    sample: packageWith(
      configMap('a', 'name: x'),
      'name: string, zones: \'[]string | validation="self.isSorted() && self.all(z, z.size() < 4)"\'',
    ),
  },
  {
    reason: 'A boolean that Go reads as true is true; kro pastes its text into the CRD.',
    documented: '`default=True` and `default=1` on a boolean are true',
    holds: ({ theirs: refusal }) => /\.default: Invalid value: "integer".* must be of type boolean/.test(refusal),
    sample: packageWith(configMap('a', 'name: x'), "name: string, on: 'boolean | default=1'"),
  },
  {
    reason: 'A backslash in a default is a backslash; kro reads the text as the inside of a JSON string.',
    documented: 'String defaults are literal',
    holds: (found, input) => found.stages[0] === found.stages[1] && isJsonOfDefault(found, input),
    sample: packageWith(
      configMap('a', 'name: x', ', data: {a: "${schema.spec.text}"}'),
      `name: string, text: 'string | default="C:\\\\temp"'`,
    ),
  },
  {
    reason: 'A number is what Go reads; kro pastes its text into the CRD, which no API server can read.',
    documented: '`default=010` and `default=.5` are the numbers that Go reads',
    holds: ({ stages, theirs: refusal }, input) =>
      stages[0] !== 'refused' &&
      stages[1] === 'refused' &&
      /MarshalJSON for type \*v1\.JSON: invalid character/.test(refusal) &&
      hasDefaultOfGo(input),
    sample: packageWith(configMap('a', 'name: x'), "name: string, size: 'integer | default=007'"),
  },
  {
    reason: 'Nobody knows what a cluster adds to an object, and it would be written into another one.',
    documented: 'An expression whose value depends on that is pending for an object that is rendered',
    holds: ({ stages, code, ours: waits, theirs: refusal }) =>
      stages[0] === 'pending' &&
      (stages[1] === '' || refusal.includes('unsupported type')) &&
      code === 'pending-value' &&
      /: a cluster (?:adds uid, resourceVersion and more|sets \w+) \(waits for /.test(waits),
    sample: packageWith(
      `${configMap('a', 'name: x')}, ${configMap('b', 'name: z', ", data: {v: '${json.marshal(a)}'}")}`,
    ),
  },
  {
    reason: 'To CEL values of two kinds are not equal; those that were read from an object fail instead.',
    documented: 'Lists, maps, objects and library values are not equal to values of another kind',
    holds: ({ stages, theirs: refusal }) =>
      stages.join() === ',expand' && refusal.endsWith(': no such overload') && comparesAnything(refusal),
    sample: packageWith(configMap('a', "name: x, labels: {b: '${string(dyn(schema.spec) == dyn(schema.spec.name))}'}")),
  },
  {
    reason: 'CEL has keys of four types; kro takes whatever Go can hash.',
    documented: 'A map key is a string, an int, a uint or a bool',
    holds: ({ stages, code, ours: failure }) =>
      stages.join() === 'expand,' && code === 'evaluation' && failure.includes('unsupported key type'),
    sample: packageWith(configMap('a', "name: x, labels: {b: '${string({1.5: 1}.size())}'}")),
  },
  {
    reason: 'Lists compare, in a set as elsewhere; an API server fails on the instance.',
    documented: 'A rule may compare sets of lists',
    holds: ({ stages, theirs: refusal }) => stages.join() === ',refused' && refusal.includes('hash of unhashable type'),
    sample: packageWith(
      configMap('a', 'name: x'),
      `name: string, zones: '[][]string | listType=set validation="self == self"'`,
      'name: Web, zones: [[a]]',
    ),
  },
  {
    reason: 'A set equals itself, also if a whole number is in it; an API server finds no whole number in such a set.',
    documented: 'Sets of numbers compare and merge by value',
    holds: ({ stages, theirs: refusal }, input) =>
      stages[0] !== 'refused' &&
      stages[1] === 'refused' &&
      ruledSetsOfNumbers(input).some((one) => refusal.includes(one)),
    sample: packageWith(
      configMap('a', 'name: x'),
      `name: string, sizes: '[]float | default=[100,0.5] listType=set validation="self == self"'`,
    ),
  },
  {
    reason: 'What is rendered has to be fit for a new cluster too.',
    documented: 'An instance is admitted as a new one',
    holds: ({ stages, code = '' }, input) =>
      stages[0] === 'refused' &&
      stages[1] !== 'refused' &&
      ['instance-type', 'instance-value', 'rule-violated'].includes(code) &&
      observesInstance(input),
    sample: withEarlier(
      packageWith(configMap('a', 'name: x'), "name: string, size: 'integer | maximum=3'", 'name: Web, size: 5'),
    ),
  },
  {
    reason: 'A null is a value like any other.',
    documented: 'An object that contains a null can be iterated and printed',
    holds: ({ stages, theirs: refusal }) =>
      stages.join() === ',expand' &&
      // The second text is for a null in a map or list that the expression returns.
      /(?:invalid data, got null for schema with nullable=false|unsupported type: error)$/.test(refusal),
    sample: withLabels(
      packageWith(configMap('a', 'name: x', ", data: '${schema.metadata.labels.transformMap(k, v, v)}'")),
      {
        team: null,
      },
    ),
  },
  {
    reason: 'Nobody knows here what the instance was before.',
    documented: 'Rules with `oldSelf` do not run',
    holds: ({ stages, theirs: refusal }, input) =>
      stages[0] !== 'refused' &&
      stages[1] === 'refused' &&
      /Invalid value: .*(?:failed|immutable)/.test(refusal) &&
      hasTransitionRule(input) &&
      observesInstance(input),
    sample: withEarlier(packageWith(configMap('a', 'name: x'), 'name: \'string | validation="self != oldSelf"\'')),
  },
  {
    reason: 'A field is called what its author calls it; kro prints the name that it has in CEL.',
    documented:
      'The keys of an object are its field names (`namespace`, `a-b`) when it is iterated, merged or printed.',
    holds: ({ group, ours: own, theirs: judged }) => group === 'objects differ' && isEscaped(own, judged),
    sample: packageWith(
      configMap('a', 'name: x', ', data: {v: \'${"%s".format([dyn(schema.spec.box)])}\'}'),
      'name: string, box: {a-b: string}',
      'name: Web, box: {a-b: c}',
    ),
  },
  {
    reason: 'kro 0.10 rejects what kro 0.9 keeps as text.',
    documented: 'An unclosed `${` stays as text, with a warning',
    // kro may fail later.
    holds: ({ stages, code }) => stages[0] === 'refused' && stages[1] !== 'refused' && code === 'unclosed-expression',
    sample: packageWith(configMap('a', 'name: x', ", data: {b: 'begin ${schema.spec.name'}")),
  },
  {
    reason: 'What selects every object by accident is a mistake.',
    documented: 'A computed selector that yields null or no map is an error',
    holds: (found) => isRefusedHere(found, 'external-selector') && found.ours.includes('must be a LabelSelector'),
    sample: packageWith(
      "{id: a, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {selector: '${dyn(null)}'}}}",
    ),
  },
  {
    reason: 'Its author gave the label no value, and an API server makes an empty text of it.',
    documented: 'A label or annotation whose expression has no value is omitted',
    holds: ({ group }) => group === NULL_METADATA,
    sample: packageWith(configMap('a', 'name: x, labels: {b: \'${schema.metadata.?labels[?"none"]}\'}')),
  },
  {
    reason: 'A label without a value is absent for the nodes that read it too. kro reads the null that it has written.',
    documented: 'A label or annotation whose expression has no value is omitted',
    holds: ({ ours, theirs: refusal }) =>
      /no such key: (?:labels|annotations)/.test(ours) && refusal.includes('unsupported type: error'),
    sample: packageWith(
      `${configMap('a', 'name: x, annotations: {b: \'${schema.metadata.?labels[?"none"]}\'}')}, ${configMap('c', 'name: z', ', data: \'${a.metadata.annotations.deepMerge({"k": "v"})}\'')}`,
    ),
  },
  {
    reason: 'Bytes that kro cannot write are written here, and refused at once with --strict.',
    documented: 'kro after 0.9.3 fails when it writes bytes',
    // kro may find another error before it evaluates the bytes, and does not evaluate a skipped node.
    holds: ({ stages: [here, there], code, ours: told }, input) =>
      here === 'refused' &&
      code === 'bytes-value' &&
      (['expand', 'pending'].includes(there) || (there === '' && isLeftOut(told.split(' ')[1] ?? '', input))),
    sample: withCrd(
      packageWith(
        '{id: a, template: {apiVersion: example.com/v1, kind: Port, metadata: {name: x}, spec: {blob: \'${b"x"}\'}}}',
      ),
      'blob: {type: string, format: byte}',
    ),
  },
  {
    reason: 'Rendering holds no object against the schema of its kind; validate does.',
    documented: 'Rendering does not validate objects against the schemas of their kinds',
    holds: (found, input) => onlyWaits(found) && found.stages[1] === 'refused' && isToldByValidate(found.theirs, input),
    sample: withCrd(
      packageWith(
        "{id: a, template: {apiVersion: example.com/v1, kind: Port, metadata: {name: x}, spec: {port: '${true}'}}}",
      ),
      'port: {x-kubernetes-int-or-string: true}',
    ),
  },
];

/** Returns a package of one Graph with a node without expressions, given its other nodes. */
export const graphWith = (...nodes: string[]): GeneratedPackage => ({
  objects: readPackageText(
    `{apiVersion: kro.run/v1alpha1, kind: Graph, metadata: {name: one}, spec: {nodes: [${['{id: seed, def: {a: b}}', ...nodes].join()}]}}`,
  ) as unknown as GeneratedPackage['objects'],
  observed: [],
});

/**
 * What is different with kro 0.10 only: bugs of the commit that its judge runs, what that commit lacks, and rules of it
 * that later code undoes (`undone` in data/kro-rules.json).
 */
export const nextPurposes: readonly Purpose[] = [
  {
    reason: 'The commit is older than computed selectors, which kro 0.9.4 has.',
    documented: 'selectors as expressions',
    holds: ({ stages, code, ours: own, theirs: refusal }) =>
      code === 'selector-shape' ||
      (code === 'field-type' && own.includes('.externalRef.metadata.selector.')) ||
      (stages[1] === 'refused' &&
        /externalRef\.metadata\.selector[\w.[\]]*(?: in body must be of type|: Required value)|externalRef\.metadata: Invalid/.test(
          refusal,
        )),
    sample: packageWith(
      `{id: a, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {selector: '\${{"matchLabels": {"a": "b"}}}'}}}`,
    ),
  },
  {
    reason: 'The commit publishes plain values over the typed ones of the instance.',
    documented: 'a whole number in a `float` field is an int',
    holds: ({ stages, theirs: refusal }, input) =>
      ['', 'pending'].includes(stages[0]) &&
      stages[1] === 'expand' &&
      /no such overload/.test(refusal) &&
      hasFloat(input),
    sample: packageWith(
      configMap('a', "name: x, labels: {b: '${string(schema.spec.size)}'}"),
      'size: float',
      'size: 2',
    ),
  },
  {
    reason: 'The commit publishes plain values over the typed ones of the instance.',
    documented: 'escaped field names such as `schema.spec.__in__` are pending',
    holds: ({ stages, theirs: refusal }) => stages.join() === ',pending' && /no such key: \w*__/.test(refusal),
    sample: packageWith(configMap('a', 'name: x', ", data: {b: '${schema.spec.__in__}'}"), 'in: string', 'in: Web'),
  },
  {
    reason: 'The documentation of 0.10.0-rc.0 rejects it; the commit is older.',
    documented: 'keeps the text of an unclosed `${`',
    holds: (found) => isRefusedHere(found, 'unclosed-expression'),
    sample: packageWith(configMap('a', 'name: x', ", data: {b: 'begin ${schema.spec.name'}")),
  },
  {
    reason: 'The commit reads what a Graph has as YAML, although it is JSON.',
    documented: 'control characters in a Graph',
    // The line breaks of YAML become spaces, and other control characters are refused.
    holds: ({ stages, group, ours: own, theirs: refusal }) =>
      group === 'objects differ'
        ? /[\u0085\u2028\u2029]/.test(own)
        : stages[1] === 'refused' && /converting YAML to JSON: yaml: /.test(refusal),
    sample: graphWith(String.raw`{id: odd, def: {a: "\u0080"}}`),
  },
  {
    reason: 'The commit declares `each` only for kinds that it knows when it compiles.',
    documented: '`each` in `readyWhen` of a collection with a computed kind',
    holds: ({ stages, theirs: refusal }) =>
      stages[1] === 'refused' && /readyWhen\[\d+\].*undeclared reference to 'each'/s.test(refusal),
    sample: graphWith(
      `{id: odd, forEach: [{x: '\${["a"]}'}], template: {apiVersion: v1, kind: '\${"ConfigMap"}', metadata: {name: '\${x}'}}, readyWhen: ['\${each.metadata.name != ""}']}`,
    ),
  },
  {
    reason: 'The commit seeds the scope of a nested graph with the one around it, and publishes what stands there.',
    documented: 'a node without a value in a nested graph is read as the one of its id around it',
    holds: ({ stages, code }, { objects }) =>
      (stages[0] === 'pending' || code === 'name-not-here') && objects.some((one) => hidesIds((one as ValueMap).spec)),
    sample: graphWith(
      "{id: odd, def: {a: '1'}}",
      "{id: box, graph: {nodes: [{id: odd, includeWhen: ['${1 > 2}'], def: {a: '2'}}]}}",
      "{id: out, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {a: '${box.odd.a}'}}}",
    ),
  },
  {
    reason: 'Such a name is no name of an object: kro waits for it without end.',
    documented: 'a blank `name` of an `externalRef` is an error',
    holds: ({ stages, code, theirs: refusal }) =>
      stages[1] === 'pending' && code === 'external-ref-shape' && /"[^"/]*\/(?:\s|\\[nrt])+" not found/.test(refusal),
    sample: packageWith("{id: a, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: ' '}}}"),
  },
  {
    reason: 'The front end of RGDs renders the instance after the Graph, and computes its status there.',
    documented: 'the status of an instance that a Graph renders is pending',
    holds: ({ stages, code, ours: own }, { objects }) =>
      stages.join() === 'pending,' &&
      code === 'pending-value' &&
      kindsOfGraphs(objects as readonly ValueMap[]).some((kind) =>
        new RegExp(`\\(waits for status\\b.* of ${kind} `).test(own),
      ),
    sample: {
      objects: [
        ...packageWith(
          configMap('a', "name: '${schema.metadata.name}'"),
          "name: string}, status: {name: '${a.metadata.name}'",
        ).objects,
        ...graphWith(
          "{id: odd, def: {a: '1'}}",
          '{id: app, template: {apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: two}, spec: {name: z}}}',
          "{id: out, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: o}, data: {a: '${app.status.name}'}}}",
        ).objects,
      ],
      observed: [],
    },
  },
  {
    reason: 'Later code of the release waits for the list (rule forEachFails).',
    documented: traces.forEachFails.documented,
    holds: ({ stages, outcomes }, { objects }) =>
      stages.join() === 'pending,expand' && isTraced(traces.forEachFails, outcomes, objects),
    sample: packageWith(
      [
        '{id: s, template: {apiVersion: v1, kind: Service, metadata: {name: s}, spec: {ports: [{port: 80}]}}}',
        configMap('a', "name: 'a-${one.ip}'").replace(
          '{id: a,',
          "{id: a, forEach: [{one: '${s.status.loadBalancer.ingress}'}],",
        ),
      ].join(', '),
    ),
  },
  {
    reason: 'Later code of the release takes null for false (rule optionalConditionFails).',
    documented: traces.optionalConditionFails.documented,
    holds: ({ stages, outcomes }, { objects }) =>
      ['', 'pending'].includes(stages[0]) &&
      stages[1] === 'expand' &&
      isTraced(traces.optionalConditionFails, outcomes, objects),
    sample: packageWith(
      configMap('a', 'name: x').replace('{id: a,', "{id: a, includeWhen: ['${schema.spec.?shown}'],"),
      'name: string, shown: boolean',
    ),
  },
  {
    reason: 'Later code of the release writes the other fields (rule statusElementBlocks).',
    documented: traces.statusElementBlocks.documented,
    holds: ({ stages, outcomes }, { objects }) =>
      stages[1] === 'pending' && isTraced(traces.statusElementBlocks, outcomes, objects),
    sample: withNested(
      "{names: ['${a.metadata.name}', '${a.data.z}'], word: '${a.metadata.name}'}",
      '${inner.status.word}',
    ),
  },
  {
    reason: 'Later code of the release leaves such a map out (rule statusWritesEmptyMaps).',
    documented: traces.statusWritesEmptyMaps.documented,
    holds: ({ stages, group, outcomes }, { objects }) =>
      (group === 'objects differ' || stages.join() === 'pending,') &&
      isTraced(traces.statusWritesEmptyMaps, outcomes, objects),
    sample: withNested(
      "{box: {a: '${a.data.z}'}, word: '${a.metadata.name}'}",
      '${string(has(inner.status.box)) + inner.status.word}',
    ),
  },
  {
    reason: 'kro 0.9 leaves such a field out; nobody can run later code of the release.',
    documented: traces.statusNeedsFields.documented,
    holds: ({ stages, outcomes }, { objects }) =>
      ['expand', 'pending'].includes(stages[1]) && isTraced(traces.statusNeedsFields, outcomes, objects),
    sample: withNested("{empty: [], word: '${a.metadata.name}'}", '${inner.status.word}'),
  },
  {
    reason: 'kro 0.9 writes such a list; nobody can run later code of the release.',
    documented: traces.statusNeedsOneType.documented,
    holds: ({ stages, outcomes }, { objects }) =>
      ['expand', 'pending'].includes(stages[1]) && isTraced(traces.statusNeedsOneType, outcomes, objects),
    sample: withNested(
      "{mixed: ['${a.metadata.name}', '${size(a.metadata.name)}'], word: '${a.metadata.name}'}",
      '${string(1)}',
    ),
  },
  {
    reason: 'Later code of the release leaves a collection unbound (rule statusReadsCollectionLeftOut).',
    documented: 'A status field that reads a collection that is omitted reads an empty list in the commit',
    holds: ({ stages, code }, { objects }) =>
      stages.join() === 'pending,' && code === 'pending-value' && objects.some(omitsCollection),
    sample: withNested('{size: "${string(size(c))}"}', '${inner.status.size}', [
      configMap('c', "name: '${one}'").replace(
        '{id: c,',
        "{id: c, includeWhen: ['${1 > 2}'], forEach: [{one: '${[\"x\"]}'}],",
      ),
    ]),
  },
  {
    reason: 'kro deletes the field of the author before it writes the status (rule statusWritesState).',
    documented: 'A field `state` in the status of the author is written by the commit',
    holds: ({ stages, code }, { objects }) =>
      stages.join() === 'pending,' && code === 'pending-value' && objects.some(declaresState),
    sample: withNested("{state: '${a.metadata.name}'}", '${inner.status.state}'),
  },
];

/** Returns the kinds of RGDs that Graphs of a package render. */
function kindsOfGraphs(objects: readonly ValueMap[]): string[] {
  const inNodes = (graph: unknown): string[] => {
    const { nodes = [] } = (graph ?? {}) as { nodes?: { template?: { kind?: string }; graph?: unknown }[] };
    return nodes.flatMap(({ template, graph: inner }) => [template?.kind ?? '', ...inNodes(inner)]);
  };
  const rendered = objects.filter(({ kind }) => kind === 'Graph').flatMap(({ spec }) => inNodes(spec));
  const schemas = objects.map(({ spec }) => (spec as { schema?: { kind?: string } } | undefined)?.schema?.kind);
  return rendered.filter((kind) => kind !== '' && schemas.includes(kind));
}

const statusOf = (rgd: unknown): unknown => (rgd as { spec?: { schema?: { status?: unknown } } }).spec?.schema?.status;

const declaresState = (rgd: unknown): boolean => {
  const status = statusOf(rgd);
  return typeof status === 'object' && status !== null && Object.hasOwn(status, 'state');
};

/** Reports whether an RGD has a collection with a condition. */
function omitsCollection(rgd: unknown): boolean {
  const { resources = [] } = ((rgd as { spec?: unknown }).spec ?? {}) as { resources?: readonly object[] };
  return Array.isArray(resources) && resources.some((node) => 'forEach' in node && 'includeWhen' in node);
}

/** Reports whether a nested graph has an id of a graph around it. */
function hidesIds(graph: unknown, outer: readonly string[] = []): boolean {
  const { nodes = [] } = (graph ?? {}) as { nodes?: { id: string; graph?: unknown }[] };
  const ids = [...outer, ...nodes.map(({ id }) => id)];
  return nodes.some(({ id, graph: inner }) => outer.includes(id) || hidesIds(inner, ids));
}

const hasFloat = ({ objects }: Judged): boolean =>
  JSON.stringify(objects, (_, value) => (typeof value === 'bigint' ? String(value) : value)).includes('float');

/** Returns the entry for a disagreement. */
export const purposeOf = (found: Disagreement, input: Judged, kro?: string): Purpose | undefined =>
  [...purposes, ...(kro === undefined ? [] : nextPurposes)].find((one) => one.holds(found, input));

/**
 * Go starts the iteration of a small map at one of its eight slots, so two keys are reversed once in eight times: so
 * many equal answers by chance occur once in forty thousand packages.
 */
const ANSWERS = 80;

/** Reports whether kro's answers vary, as they do with the order of a map ("Maps iterate in key order"). */
export async function isLeftToChance(judge: Judge, input: GeneratedPackage): Promise<boolean> {
  const verdicts = await judge.ask(
    Array.from({ length: ANSWERS }, () => input),
    { outcomes: true, crds: true },
  );
  return new Set(verdicts.map((verdict) => JSON.stringify(answerOf(verdict, input)))).size > 1;
}

function answerOf(verdict: Verdict, input: GeneratedPackage): unknown {
  const { stage, objects, crds: generated } = theirs(verdict, input);
  return [stage, ...objects, ...(generated ?? []), ...(verdict.outcomes ?? []).map(({ status }) => canonical(status))];
}

/** Returns the errors of the table: entries that no longer occur. */
export async function staleEntries(judge: Judge, table: readonly Purpose[] = purposes): Promise<string[]> {
  const verdicts = await judge.ask(
    table.map(({ sample }) => sample),
    { outcomes: true },
  );
  return table.flatMap(({ documented, sample, holds }, index) => {
    const verdict = verdicts[index];
    const found = verdict && compared(sample, verdict);
    return found !== undefined && holds(found, sample) ? [] : [`no longer different on purpose: ${documented}`];
  });
}
