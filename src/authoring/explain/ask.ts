import { composeText, HIDDEN, type Report, type Text, trusted } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { groupVersionKind, isKubeObject, type KubeObject } from '../../core/model/object.ts';
import type { Rendered, RenderInput, RenderOptions } from '../../core/model/render.ts';
import { getAt, type Path, type Value } from '../../core/model/value.ts';
import { isSecret, type Secrecy, writtenSecrets } from '../../core/redaction/index.ts';
import { didYouMean } from '../../core/text/nearest.ts';
import { type InstanceRun, secrecyOf } from '../../kro/expand/index.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import { type Addressable, addressableRun, addressableSet, addressOf, onlyAt } from '../address/index.ts';
import { type ExplainedValue, evaluateIn } from './evaluate.ts';
import { addressable, faultOf, type Origin, originOfField } from './field.ts';
import { type ExplainedInstance, type ExplainedNode, explainInstance, explainNode, isGraphRun } from './node.ts';
import { type Explainable, explainable, type Located, type Other, placed } from './package.ts';
import { resolvePath, type WrittenPath } from './path.ts';
import { type ExplainedSet, explainSet, originInSet } from './set.ts';

function explainOther({ object, outcome: { input, rendered, passedThrough } }: Other, located: Located): ExplainedSet {
  const templates = groupBy(rendered, ({ node }) => node);
  return {
    set: addressOf(object),
    verdict: passedThrough ? 'skipped' : 'included',
    inputs: [],
    providers: [],
    templates: [...templates].map(([field, template]) => ({
      field: trusted.definition(field),
      ...placed(input, template[0]?.template?.path ?? [], located),
      objects: template.map((one) => ({ object: addressOf(one.object), inputs: composeText`` })),
    })),
  };
}

/** Returns the origin of a field: the template, as far as it can be traced. */
function originInOther({ object, outcome }: Other, { template }: Rendered, path: Path, located: Located): Origin {
  const { input, path: root } = template ?? { input: outcome.input, path: [] };
  const written = [...root, ...path];
  const isWritten = getAt(input.object, written) !== undefined;
  const place = placed(input, isWritten ? written : root, located);
  return { from: 'template', what: addressOf(object), ...place, behind: [] };
}

/** What to explain of an object, which is named as `KIND/NAME` or `KIND/NAMESPACE/NAME`. */
export type Question =
  | { object: string }
  | { object: string; expression: string }
  | { object: string; node: string }
  | { object: string; field: WrittenPath };

/** The origin of a field of a rendered object. */
export interface ExplainedField {
  object: Text;
  field: Text;
  value: Value;
  origin: Origin;
}

/** An answer, by its subject. */
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
  const answered = (outcome: Outcome, reports: readonly Report[]): Answer =>
    'fault' in outcome ? { fault: outcome.fault, reports } : { explanation: outcome, reports };
  if ('expression' in question) {
    const { answer, reports } = evaluateIn(input, question, options);
    return answer === undefined ? { reports } : answered(answer, reports);
  }
  const { package: pack, reports } = explainable(input, options, frontEnds);
  if (pack === undefined) return { reports };
  const isField = 'field' in question;
  return answered(isField ? explainField(question.object, question.field, pack) : ofInstance(question, pack), reports);
}

type Outcome = Explanation | { fault: Text };

/** Explains an instance of an RGD, or a ResourceSet. */
function ofInstance(question: { object: string; node?: string }, pack: Explainable): Outcome {
  const all = [...pack.runs.map(addressableRun), ...pack.sets.map(addressableSet), ...pack.others];
  const found = onlyAt(all, question.object, 'instance');
  if ('fault' in found) {
    const rendered = onlyAt(renderedIn(pack), question.object, 'rendered object');
    if ('fault' in rendered) return found;
    const keys = Object.keys(rendered.found.object);
    const field = keys.find((key) => key === question.node) ?? keys.find((key) => !HEAD.includes(key)) ?? 'metadata';
    return {
      fault: composeText`${trusted.argument(question.object)} is a rendered object and no instance: name a field of it, such as .${trusted.definition(field)}`,
    };
  }
  const { node: id } = question;
  if ('run' in found.found) return ofRun(found.found.run, id, pack);
  if (id !== undefined)
    return {
      fault: composeText`a ${trusted.definition(found.found.object.kind)} has no nodes, and so no ${trusted.argument(id)}; a folder is ./${trusted.argument(id)}`,
    };
  const details = 'set' in found.found ? explainSet(found.found.set, pack) : explainOther(found.found, pack);
  return { about: 'set', details };
}

function ofRun(run: InstanceRun, id: string | undefined, pack: Explainable): Outcome {
  if (id === undefined) return { about: 'instance', details: explainInstance(run, pack) };
  const node = run.graph.nodeById.get(id);
  if (node !== undefined) return { about: 'node', details: explainNode(node, run, pack) };
  const ids = run.graph.nodes.map((one) => one.id);
  const hint = didYouMean(id, ids) ?? `the nodes are ${ids.join(', ')}; a folder is ./${id}`;
  return {
    fault: composeText`the ${isGraphRun(run) ? 'Graph' : 'RGD'} ${trusted.definition(run.graph.name)} has no node ${trusted.argument(id)}; ${trusted.definition(hint)}`,
  };
}

/** The fields of any object. */
const HEAD = ['apiVersion', 'kind', 'metadata'];

/** An object that any front end rendered, and where its fields come from. Those without a public name are omitted. */
interface Traceable extends Pick<Addressable, 'object'> {
  secrecy(): Secrecy;
  originOf(path: Path): Origin;
}

/** Returns all of them; objects whose names may be values of Secrets have no address. */
function renderedIn(pack: Explainable): Traceable[] {
  const alone = (object: KubeObject, originOf: Traceable['originOf']): Traceable => ({
    object,
    secrecy: () => writtenSecrets(object, 'object'),
    originOf,
  });
  return [
    ...addressable(pack).map((one) => ({
      object: one.object,
      secrecy: () => secrecyOf(one),
      originOf: (path: Path) => originOfField(one, path, pack),
    })),
    ...pack.sets.flatMap((set) =>
      (set.input.secret === undefined ? set.rendered : []).flatMap((one) =>
        isKubeObject(one.object) ? alone(one.object, (path) => originInSet(set, one, path, pack)) : [],
      ),
    ),
    ...pack.others.flatMap((other) =>
      other.outcome.rendered.map((one) => alone(one.object, (path) => originInOther(other, one, path, pack))),
    ),
  ];
}

/** Explains a field of a rendered object. */
export function explainField(address: string, written: WrittenPath, pack: Explainable): Outcome {
  const found = onlyAt(renderedIn(pack), address, 'rendered object');
  if ('fault' in found) return found;
  const { object, originOf, ...one } = found.found;
  const kind = pack.kinds.find(groupVersionKind(object));
  const schema = kind?.written?.() ?? kind?.schema;
  const secrecy = one.secrecy();
  const resolved = resolvePath(object, written, { schema, secrecy });
  if ('fault' in resolved) return { fault: composeText`${addressOf(object)}: ${resolved.fault}` };
  const { path } = resolved;
  const value = getAt(object, path);
  if (value === undefined) return { fault: faultOf(object, path, secrecy) };
  const details = { object: addressOf(object), field: trusted.field(path), origin: originOf(path) };
  return { about: 'field', details: { ...details, value: isSecret(secrecy, path) ? HIDDEN : value } };
}
