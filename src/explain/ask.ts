import { addressOf, onlyAt } from '../address/index.ts';
import type { Report } from '../diagnostics/index.ts';
import { formatPath } from '../model/path.ts';
import type { RenderInput, RenderOptions } from '../model/render.ts';
import type { Path, Value } from '../model/value.ts';
import { type InstanceRun, isSecretlyNamed, withNested } from '../rgd/expand/index.ts';
import { didYouMean } from '../text/nearest.ts';
import { addressable, explainField, type Origin } from './field.ts';
import { type ExplainedInstance, type ExplainedNode, explainInstance, explainNode } from './node.ts';
import { type Explainable, explainable } from './package.ts';
import { type ExplainedSet, explainMade, explainSet, madeBySets } from './set.ts';

/** What is to be explained of an object, which is named as `KIND/NAME` or `KIND/NAMESPACE/NAME`. */
export type Question = { object: string } | { object: string; node: string } | { object: string; field: Path };

/** Where a field of a rendered object comes from. */
export interface ExplainedField {
  object: string;
  field: string;
  value: Value;
  origin: Origin;
}

/** An answer, by what it is about. */
export type Explanation =
  | { about: 'instance'; told: ExplainedInstance }
  | { about: 'set'; told: ExplainedSet }
  | { about: 'node'; told: ExplainedNode }
  | { about: 'field'; told: ExplainedField };

/** With an error that keeps a package from being expanded there is neither an explanation nor a fault. */
export interface Answer {
  explanation?: Explanation;
  /** Why what was asked for cannot be explained. */
  fault?: string;
  reports: readonly Report[];
}

/** Expands a package, and explains an instance, a node of it, or a field of a rendered object. Pure. */
export function explainPackage(input: RenderInput, question: Question, options: RenderOptions): Answer {
  const { package: pack, reports } = explainable(input, options);
  if (pack === undefined) return { reports };
  const told = 'field' in question ? ofField(question.object, question.field, pack) : ofInstance(question, pack);
  return 'fault' in told ? { fault: told.fault, reports } : { explanation: told, reports };
}

type Told = Explanation | { fault: string };

/** An instance of an RGD, or a ResourceSet. */
function ofInstance(question: { object: string; node?: string }, pack: Explainable): Told {
  const { runs, world } = pack.expansion;
  const all = [
    ...runs.flatMap(withNested).flatMap((run) => (isSecretlyNamed(run, world) ? [] : { object: run.instance, run })),
    ...pack.sets.flatMap((set) => (set.input.secret === 'name' ? [] : { object: set.input.object, set })),
  ];
  const found = onlyAt(all, ({ object }) => object, question.object, 'instance');
  if ('fault' in found) return found;
  const { node: id } = question;
  if ('run' in found.found) return ofRun(found.found.run, id, pack);
  if (id === undefined) return { about: 'set', told: explainSet(found.found.set, pack) };
  return { fault: `a ResourceSet has no nodes, and so no ${id}; a folder is ./${id}` };
}

function ofRun(run: InstanceRun, id: string | undefined, pack: Explainable): Told {
  if (id === undefined) return { about: 'instance', told: explainInstance(run, pack) };
  const node = run.graph.nodes.find((one) => one.id === id);
  if (node !== undefined) return { about: 'node', told: explainNode(node, run, pack) };
  const ids = run.graph.nodes.map((one) => one.id);
  const hint = didYouMean(id, ids) ?? `the nodes are ${ids.join(', ')}; a folder is ./${id}`;
  return { fault: `the RGD ${run.graph.name} has no node ${id}; ${hint}` };
}

function ofField(address: string, path: Path, pack: Explainable): Told {
  const all = [...addressable(pack), ...madeBySets(pack.sets)];
  const found = onlyAt(all, ({ object }) => object, address, 'rendered object');
  if ('fault' in found) return found;
  const one = found.found;
  const explained = 'set' in one ? explainMade(one, path, pack) : explainField(one, path, pack);
  if ('fault' in explained) return explained;
  return { about: 'field', told: { object: addressOf(one.object), field: formatPath(path), ...explained } };
}
