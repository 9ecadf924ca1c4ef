import { type ObjectSource, validate } from '../../src/api/index.ts';
import { children, type Expr, parse } from '../../src/cel/index.ts';
import { readPackageText } from '../cluster/documents.ts';
import { compared, type Disagreement, isRefusedObject, theirs, type Verdict } from './compare.ts';
import type { Judge } from './judge.ts';
import type { GeneratedPackage } from './packages.ts';

/** What was judged: a package, generated or of a case. */
interface Judged {
  objects: readonly unknown[];
  observed?: readonly unknown[];
}

/** Where this renderer does something else than kro on purpose. */
export interface Purpose {
  reason: string;
  /** A part of the sentence in docs/differences.md that says so. */
  documented: string;
  holds(found: Disagreement, input: Judged): boolean;
  /** A package that shows it: once that is rendered alike, the entry has to go. */
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

/** Whether nothing is wrong here but what waits for kro, which therefore tells what else there is. */
const onlyWaits = ({ stages: [here], code }: Disagreement): boolean =>
  ['', 'pending'].includes(here) || code === 'missing-in-instance';

/** The expression that failed, as Go quotes it. */
const FAILED = /^(?:node "[^"]*": )?eval "((?:[^"\\]|\\.)*)"/;

/** Whether a failure is told of an expression that compares values whose types only the evaluation knows. */
function comparesAnything(refusal: string): boolean {
  const [, quoted] = FAILED.exec(refusal) ?? [];
  const parsed = quoted === undefined ? undefined : parse(JSON.parse(`"${quoted}"`) as string);
  const isDyn = (part: Expr): boolean => part.kind === 'call' && part.name === 'dyn';
  const compares = (part: Expr): boolean =>
    (part.kind === 'call' && ['_==_', '_!=_'].includes(part.name) && part.args.some(isDyn)) ||
    children(part).some(compares);
  return parsed?.ok === true && compares(parsed.expression.root);
}

/** Whether a failure is told of an expression that stands in the status of an RGD and in none of its templates. */
function isOfStatus(refusal: string, { objects }: Judged): boolean {
  if (refusal.includes('cannot be used directly in a resource template or status field')) return true;
  const [, expression] = FAILED.exec(refusal) ?? [];
  if (expression === undefined) return false;
  const stands = (part: unknown): boolean => part !== undefined && JSON.stringify(part).includes(expression);
  const specs = (objects as readonly { spec?: unknown }[]).map(
    ({ spec }) => spec as { schema?: { status?: unknown }; resources?: unknown } | undefined,
  );
  return specs.some((spec) => stands(spec?.schema?.status)) && !specs.some((spec) => stands(spec?.resources));
}

/** Whether `validate` refuses a field of a rendered object that a refusal names too. */
export function isToldByValidate(refusal: string, { objects, observed = [] }: Judged): boolean {
  const input = { objects: objects as ObjectSource[], observed: observed as ObjectSource[] };
  const fields = validate(input, { strict: true, namespace: 'default' })
    .diagnostics.filter(({ code }) => code.startsWith('rendered-'))
    .map(({ field = '' }) => field.split('.template.')[1] ?? '');
  return fields.some((field) => field !== '' && refusal.includes(field));
}

export const purposes: readonly Purpose[] = [
  {
    reason: 'Two objects of one identity would overwrite each other for ever.',
    documented: 'Two rendered objects of one identity are an error',
    // Other errors may come first on the other side.
    holds: (found) => found.stages[0] === 'collision',
    sample: packageWith([configMap('a', 'name: x'), configMap('b', 'name: x')].join(', ')),
  },
  {
    reason: 'The API server would refuse such a name, namespace or label.',
    documented: 'A rendered object needs a `metadata.name`, and one that Kubernetes accepts',
    holds: (found) => found.stages[1] === '' && isRefusedObject(found.code),
    sample: packageWith(configMap('a', "name: '${schema.spec.name}'")),
  },
  {
    reason: 'A computed key with a reserved prefix would pass for one of kro.',
    documented: 'A computed label or annotation with a reserved prefix is refused like a literal one',
    holds: (found) => isRefusedHere(found, 'computed-reserved-key'),
    sample: packageWith(configMap('a', `name: x, labels: '\${{"kro.run/x": "y"}}'`)),
  },
  {
    reason: 'The author wrote no such default; the instances that set the struct are fine.',
    documented: 'The default `{}` that kro adds to a struct by itself',
    holds: ({ stages, theirs: refusal }) => stages[0] === '' && /\.default: Invalid value: "object"/.test(refusal),
    sample: packageWith(
      configMap('a', 'name: x'),
      'name: string, window: \'Window | validation="self.low <= self.high"\'}, types: {Window: {low: integer, high: "integer | default=5"}',
      'name: Web, window: {low: 1}',
    ),
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
    reason: 'An estimate that is a little too high would refuse what the API server takes.',
    documented: 'the cost of rules that are not below a list or map, are only warned of',
    holds: ({ stages, theirs: refusal }) => stages.join() === ',refused' && refusal.includes('estimated rule cost'),
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
    reason: 'Rendering holds no object against the schema of its kind; validate does.',
    documented: 'Rendering does not hold objects against the schemas of their kinds',
    holds: (found, input) => onlyWaits(found) && found.stages[1] === 'refused' && isToldByValidate(found.theirs, input),
    sample: withCrd(
      packageWith(
        "{id: a, template: {apiVersion: example.com/v1, kind: Port, metadata: {name: x}, spec: {port: '${true}'}}}",
      ),
      'port: {x-kubernetes-int-or-string: true}',
    ),
  },
];

/** The entry that a disagreement falls under. */
export const purposeOf = (found: Disagreement, input: Judged): Purpose | undefined =>
  purposes.find((one) => one.holds(found, input));

/**
 * Go goes through a small map from one of its eight slots on, so that two keys come in their other order once in eight
 * times: this many answers are alike once in forty thousand packages.
 */
const ANSWERS = 80;

/** Whether kro answers now this, now that, as it does where the order of a map shows ("Maps iterate in key order"). */
export async function isLeftToChance(judge: Judge, input: GeneratedPackage): Promise<boolean> {
  const verdicts = await judge.ask(Array.from({ length: ANSWERS }, () => input));
  return new Set(verdicts.map((verdict) => JSON.stringify(answerOf(verdict, input)))).size > 1;
}

function answerOf(verdict: Verdict, input: GeneratedPackage): unknown {
  const { stage, objects } = theirs(verdict, input);
  return [stage, ...objects];
}

/** What is wrong with the table: entries that no longer occur. */
export async function staleEntries(judge: Judge): Promise<string[]> {
  const verdicts = await judge.ask(purposes.map(({ sample }) => sample));
  return purposes.flatMap(({ documented, sample, holds }, index) => {
    const verdict = verdicts[index];
    const found = verdict && compared(sample, verdict);
    return found !== undefined && holds(found, sample) ? [] : [`no longer different on purpose: ${documented}`];
  });
}
