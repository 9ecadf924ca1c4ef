import { composeText, HIDDEN, type Report, type Text, trusted } from '../../core/diagnostics/index.ts';
import {
  type Document,
  groupVersionKind,
  type InputObject,
  isKubeObject,
  type KubeObject,
} from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { getAt, isMap, listOf, ownValue, type Path, type Value } from '../../core/model/value.ts';
import { isSecret, type Secrecy, writtenSecrets } from '../../core/redaction/index.ts';
import { didYouMean } from '../../core/text/nearest.ts';
import { isGraph } from '../../graph/index.ts';
import { isRgd, outlineOf } from '../../kro/definition/index.ts';
import { type InstanceRun, secrecyOf, titleOfRun } from '../../kro/expand/index.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { type Addressable, addressableRun, addressableSet, addressOf, onlyAt, parseAddress } from '../address/index.ts';
import { addressable, faultOf, type Origin, originOfField, originOfLeftOut } from './field.ts';
import {
  type ExplainedExpression,
  type ExplainedInstance,
  type ExplainedNode,
  explainInstance,
  explainNode,
  isGraphRun,
} from './node.ts';
import { type Explainable, explainable } from './package.ts';
import { resolvePath, type WrittenPath } from './path.ts';
import { type ExplainedSet, explainOther, explainSet, originInOther, originInSet } from './set.ts';

/** What to explain of an object, which is named as `KIND/NAME` or `KIND/NAMESPACE/NAME`. */
export type Question =
  | { object: string }
  | { object: string; expression: string }
  | { object: string; node: string }
  | { object: string; field: WrittenPath };

export interface ExplainedField {
  object: Text;
  field: Text;
  /** Absent if the field is left out: its origin is the entry of an expression, which has no value. */
  value?: Value;
  origin: Origin;
}

/** The value of an expression in an instance, part by part. */
export interface ExplainedValue {
  instance: Text;
  /** `skipped` if it reads a skipped node, `pending` if it is pending. */
  verdict: ExplainedNode['verdict'];
  why: Text;
  expression?: ExplainedExpression;
}

export type Explanation =
  | { about: 'instance'; details: ExplainedInstance }
  | { about: 'set'; details: ExplainedSet }
  | { about: 'node'; details: ExplainedNode }
  | { about: 'field'; details: ExplainedField }
  | { about: 'expression'; details: ExplainedValue };

/** After an error that prevents the expansion there is neither an explanation nor a fault. */
interface Answer {
  explanation?: Explanation;
  /** Why the subject cannot be explained. */
  fault?: Text;
  reports: readonly Report[];
}

/** Expands a package, and explains an instance, a node of it, or a field of a rendered object. Pure. */
export function explainPackage(
  input: RenderInput,
  question: Question,
  options: RenderOptions,
  frontEnds = FRONT_ENDS,
): Answer {
  if ('expression' in question) return evaluateIn(input, question, options);
  const { package: pack, reports } = explainable(input, options, frontEnds);
  if (pack === undefined) return { reports };
  const isField = 'field' in question;
  return answered(isField ? explainField(question.object, question.field, pack) : ofInstance(question, pack), reports);
}

type Outcome = Explanation | { fault: Text };

const answered = (outcome: Outcome, reports: readonly Report[]): Answer =>
  'fault' in outcome ? { fault: outcome.fault, reports } : { explanation: outcome, reports };

function ofInstance(question: { object: string; node?: string }, pack: Explainable): Outcome {
  const all = [...pack.runs.map(addressableRun), ...pack.sets.map(addressableSet), ...pack.others];
  const found = onlyAt(all, question.object, 'instance');
  if ('fault' in found) {
    const rendered = onlyAt(renderedIn(pack), question.object, 'rendered object');
    if ('fault' in rendered) return found;
    const keys = Object.keys(rendered.found.object);
    const field = keys.find((key) => key === question.node) ?? keys.find((key) => !HEAD.includes(key)) ?? 'metadata';
    const there = composeText`${trusted.argument(question.object)} is a rendered object and no instance`;
    return { fault: composeText`${there}: name a field of it, such as .${trusted.definition(field)}` };
  }
  const { node: id } = question;
  if ('run' in found.found) return ofRun(found.found.run, id, pack);
  if (id !== undefined) {
    const kind = trusted.definition(found.found.object.kind);
    const written = trusted.argument(id);
    return { fault: composeText`a ${kind} has no nodes, and so no ${written}; a folder is ./${written}` };
  }
  const details = 'set' in found.found ? explainSet(found.found.set, pack) : explainOther(found.found, pack);
  return { about: 'set', details };
}

function ofRun(run: InstanceRun, id: string | undefined, pack: Explainable): Outcome {
  if (id === undefined) return { about: 'instance', details: explainInstance(run, pack) };
  const node = run.graph.nodeById.get(id);
  if (node !== undefined) return { about: 'node', details: explainNode(node, run, pack) };
  const ids = run.graph.nodes.map((one) => one.id);
  const hint = trusted.definition(didYouMean(id, ids) ?? `the nodes are ${ids.join(', ')}; a folder is ./${id}`);
  const title = composeText`the ${isGraphRun(run) ? 'Graph' : 'RGD'} ${trusted.definition(run.graph.name)}`;
  return { fault: composeText`${title} has no node ${trusted.argument(id)}; ${hint}` };
}

const HEAD = ['apiVersion', 'kind', 'metadata'];

/** An object that any front end rendered, and where its fields come from. Those without a public name are omitted. */
interface Traceable extends Pick<Addressable, 'object'> {
  secrecy(): Secrecy;
  originOf(path: Path): Origin;
  /** Returns the entry of an expression that leaves out a field; `undefined` if no entry declares it. */
  leftOutBy?(path: Path): Origin | undefined;
}

/** Returns all of them; objects whose names may be values of Secrets have no address. */
function renderedIn(pack: Explainable): Traceable[] {
  const alone = (object: Value, originOf: Traceable['originOf']): Traceable[] =>
    isKubeObject(object) ? [{ object, secrecy: () => writtenSecrets(object, 'object'), originOf }] : [];
  return [
    ...addressable(pack).map((one) => ({
      object: one.object,
      secrecy: () => secrecyOf(one),
      originOf: (path: Path) => originOfField(one, path, pack),
      leftOutBy: (path: Path) => originOfLeftOut(one, path, pack),
    })),
    ...pack.sets.flatMap((set) =>
      (set.input.secret === undefined ? set.rendered : []).flatMap((one) =>
        alone(one.object, (path) => originInSet(set, one, path, pack)),
      ),
    ),
    ...pack.others.flatMap((other) =>
      other.outcome.rendered.flatMap((one) => alone(one.object, (path) => originInOther(other, one, path, pack))),
    ),
  ];
}

export function explainField(address: string, written: WrittenPath, pack: Explainable): Outcome {
  const found = onlyAt(renderedIn(pack), address, 'rendered object');
  if ('fault' in found) return found;
  const { object, originOf, leftOutBy, ...one } = found.found;
  const kind = pack.kinds.find(groupVersionKind(object));
  const schema = kind?.written?.() ?? kind?.schema;
  const secrecy = one.secrecy();
  const resolved = resolvePath(object, written, { schema, secrecy });
  if ('fault' in resolved) return { fault: composeText`${addressOf(object)}: ${resolved.fault}` };
  const { path } = resolved;
  const value = getAt(object, path);
  if (value === undefined) {
    const leftOut = leftOutBy?.(path);
    return leftOut === undefined
      ? { fault: faultOf(object, path, secrecy) }
      : { about: 'field', details: { object: addressOf(object), field: trusted.field(path), origin: leftOut } };
  }
  const details = { object: addressOf(object), field: trusted.field(path), origin: originOf(path) };
  return { about: 'field', details: { ...details, value: isSecret(secrecy, path) ? HIDDEN : value } };
}

/** The id of the added node, and the kind of its object: any instance may render one, named by its uid. */
const NODE = 'renderRgdEval';
const GROUP = 'eval.render-rgd.dev';
const KIND = 'Eval';
const ANY_SPEC = { type: 'object', properties: { spec: { 'x-kubernetes-preserve-unknown-fields': true } } };
const CRD: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `evals.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Cluster',
    names: { kind: KIND, plural: 'evals' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: ANY_SPEC } }],
  },
};

/** Evaluates an expression as an added node of the RGD, so that all rules of expressions in templates apply. */
function evaluateIn(
  input: RenderInput,
  { object, expression }: { object: string; expression: string },
  options: RenderOptions,
): Answer {
  const kind = parseAddress(object)?.kind ?? '';
  const probed = (all: readonly Document[] = []): InputObject[] =>
    objectsIn(all).map((one) => withProbe(one, kind, expression));
  const definitions = [...probed(input.definitions), { object: CRD }];
  const changed = { ...input, objects: probed(input.objects), definitions };
  // An expression that reads a value of a Secret is answered before it is evaluated.
  const unknownSecrets = options.unknownSecrets ?? { node: NODE };
  const { package: pack, reports } = explainable(changed, { ...options, unknownSecrets });
  if (pack === undefined) return { reports: reports.map(withoutPlace) };
  const found = onlyAt(pack.runs.map(addressableRun), object, 'instance');
  return answered('fault' in found ? found : valueIn(found.found.run, pack), []);
}

function valueIn(run: InstanceRun, pack: Explainable): Outcome {
  const node = run.graph.nodes.find(({ id }) => id === NODE);
  if (node === undefined)
    return { fault: composeText`${trusted.definition(run.instance.kind)} is defined by no RGD that could be read` };
  const { verdict, why, expressions } = explainNode(node, run, pack);
  // sentence: a path of the definition, which has no words
  const expression = expressions.find(({ field }) => field === 'template.spec' || field === 'def.spec');
  const details = { instance: titleOfRun(run), verdict, why };
  if (expression === undefined) return { about: 'expression', details };
  // It is not in a file.
  const { place: _, ...shown } = expression;
  return { about: 'expression', details: { ...details, expression: { ...shown, field: composeText`--eval` } } };
}

/** Removes the position of an error of the expression, which is not in a file. */
function withoutPlace(report: Report): Report {
  if (report.node !== NODE) return report;
  const { source: _, object: __, node: ___, offset: ____, field: _____, ...rest } = report;
  return { ...rest, path: [] };
}

function withProbe(input: InputObject, kind: string, expression: string): InputObject {
  const { object } = input;
  const text = `\${${expression}}`;
  const metadata = { name: '${schema.metadata.uid}' };
  const template = { apiVersion: `${GROUP}/v1`, kind: KIND, metadata, spec: text };
  const isNodes = kind === 'Graph' && isGraph(object);
  if (!isMap(object.spec) || !(isNodes || (isRgd(object) && outlineOf(object).kind === kind))) return input;
  const [list, probe] = isNodes ? ['nodes', { def: { spec: text } }] : ['resources', { template }];
  const spec = { ...object.spec, [list]: [...listOf(ownValue(object.spec, list)), { id: NODE, ...probe }] };
  return { ...input, object: { ...object, spec } };
}
