import { addressText, Collector, composeText, HIDDEN, type Text, trusted } from '../../core/diagnostics/index.ts';
import { KRO_LABEL } from '../../core/model/keys.ts';
import { identityOf, type KubeObject } from '../../core/model/object.ts';
import { formatPath, type Step, upToEach } from '../../core/model/path.ts';
import { formatSteps, isOptional, leadsTo, touches } from '../../core/model/read.ts';
import { getAt, isMap, type Path, type Value } from '../../core/model/value.ts';
import { isSecret, type Secrecy } from '../../core/redaction/index.ts';
import type { Location } from '../../core/text/line-index.ts';
import {
  type CompiledExpression,
  contentKeyOf,
  type GraphNode,
  isList,
  isReference,
  originOf,
  readsOf,
  statusExpressions,
} from '../../kro/compile/index.ts';
import {
  hasSecretIdentity,
  type InstanceRun,
  inheritedKeys,
  isSecretlyNamed,
  nestedRuns,
  objectsSeen,
  secrecyOf,
  titleOfRun,
  withItem,
} from '../../kro/expand/index.ts';
import { addressOf } from '../address/index.ts';
import type { Explainable } from './package.ts';
import { placed } from './place.ts';
import { type ExplainedExpression, explainExpression, runAtItem } from './value.ts';

/** The origin of a value: where it is written, or what computed it from other values. */
export interface Origin {
  /**
   * `instance`: written in an instance. `default`: of the schema of an RGD. `literal`: written in a template.
   * `expression`: an expression of a template. `observed`: of an object that a reference found. `renderer`: written by
   * render-rgd. `inherited`: of the instance of the object. `template`: a template of a ResourceSet. `input`: an input
   * of a ResourceSet.
   */
  from:
    | 'instance'
    | 'default'
    | 'literal'
    | 'expression'
    | 'observed'
    | 'renderer'
    | 'inherited'
    | 'template'
    | 'input';
  /** Its name there: a field of an instance, a node and a field of its template. */
  what: Text;
  place?: Location;
  value?: Value;
  expression?: ExplainedExpression;
  /** The origins of the values that the expression reads. */
  behind: readonly Origin[];
}

/** The origin of a field with its value, or why there is none. */
export type Traced = { origin: Origin; value: Value } | { fault: Text };

/** A rendered object, or a nested instance, with its node. */
export interface Rendered {
  object: KubeObject;
  run: InstanceRun;
  node: number;
}

/** Returns everything that has an address: rendered objects and nested instances. Names from Secrets have none. */
export function addressable({ expansion: { runs, world } }: Explainable): Rendered[] {
  const found: Rendered[] = [];
  const collect = (run: InstanceRun): void => {
    run.rendered.forEach((items, node) => {
      if (hasSecretIdentity(run, node, world)) return;
      for (const rendered of items)
        found.push({ object: rendered.nested?.instance ?? (rendered.object as KubeObject), run, node });
    });
    for (const nested of nestedRuns(run)) collect(nested);
  };
  for (const run of runs) collect(run);
  return found;
}

/** Returns the origin of a field of a rendered object, or why there is none. */
export function explainField({ object, run, node: index }: Rendered, path: Path, from: Explainable): Traced {
  const value = getAt(object, path);
  const secrecy = secrecyOf(run, index, from.expansion.world);
  if (value === undefined) return { fault: faultOf(object, path, secrecy) };
  const isHidden = isSecret(secrecy, path);
  const label = getAt(object, ['metadata', 'labels', KRO_LABEL.collectionIndex]);
  const item = typeof label === 'string' ? Number(label) : 0;
  const origin = ofNode(path, index, run, { from, depth: 0, hidden: isHidden, item });
  const { value: _, ...untold } = origin;
  return isHidden ? { origin: untold, value: HIDDEN } : { origin, value };
}

/** Returns why an object has no such field. */
export function faultOf(object: KubeObject, path: Path, secrecy: Secrecy): Text {
  let at = 0;
  while (at < path.length && getAt(object, path.slice(0, at + 1)) !== undefined) at += 1;
  const parent = isSecret(secrecy, path.slice(0, at)) && at > 0 ? undefined : getAt(object, path.slice(0, at));
  const there = isMap(parent)
    ? composeText`; there is ${trusted.redacted(Object.keys(parent).slice(0, 20).join(', '))}`
    : Array.isArray(parent)
      ? composeText`; there are ${parent.length} items`
      : '';
  const where = at === 0 ? addressOf(object) : trusted.field(path.slice(0, at));
  return composeText`${addressOf(object)} has no field ${trusted.field(path)}: there is no ${trusted.field(path.slice(at, at + 1))} in ${where}${there}`;
}

/** The maximum number of expressions through which a value is traced. */
const MOST_DEPTH = 8;
const MOST_READS = 20;

interface Search {
  from: Explainable;
  depth: number;
  /** The traced value flows into a Secret, or comes from one. */
  hidden: boolean;
  /** The index of the item of a collection. */
  item: number;
}

const deeper = (search: Search, hidden = false): Search => ({
  ...search,
  depth: search.depth + 1,
  hidden: search.hidden || hidden,
});

/** Returns the origin of a field of a node's object. */
function ofNode(path: readonly Step[], index: number, run: InstanceRun, search: Search): Origin {
  const node = run.graph.nodes[index] as GraphNode;
  const known = upToEach(path);
  const root: Path = [...node.path, contentKeyOf(node)];
  if (isReference(node) && !(known[0] === 'metadata' && known[1] === 'name'))
    return ofReference(known, node, run, search);
  for (let length = 0; length <= known.length; length += 1) {
    const at = [...root, ...known.slice(0, length)];
    const written = getAt(run.graph.input.object, at);
    const what = fieldOfNode(node, at.slice(node.path.length));
    const expressions = node.expressions.filter((one) => formatPath(one.path) === formatPath(at));
    if (expressions.length > 0) return ofExpressions(expressions, what, node, run, search);
    if (written === undefined) return ofNothing(known, node, run, search);
    if (length === known.length) {
      const secrecy = secrecyOf(run, index, search.from.expansion.world);
      const inner = node.expressions.filter(({ path: where }) => leadsTo(at, where));
      const behind = inner
        .slice(0, MOST_READS)
        .map((one) =>
          ofExpressions([one], fieldOfNode(node, one.path.slice(node.path.length)), node, run, deeper(search)),
        );
      const value = search.hidden || isSecret(secrecy, known) ? HIDDEN : inner.length > 0 ? undefined : written;
      return { from: 'literal', what, ...placed(run.graph.input, at, search.from, value), behind };
    }
  }
  return ofNothing(known, node, run, search);
}

const fieldOfNode = ({ id }: GraphNode, path: Path): Text =>
  composeText`node ${trusted.definition(id)}, ${trusted.field(path)}`;

/** Returns the origins of the expressions of one scalar. */
function ofExpressions(
  expressions: readonly CompiledExpression[],
  what: Text,
  node: GraphNode,
  run: InstanceRun,
  search: Search,
): Origin {
  const { expansion, details, locator } = search.from;
  const world = { ...expansion.world, reports: new Collector(), pending: [] };
  const [first] = expressions;
  const field = trusted.field((first?.path ?? []).slice(node.path.length));
  const seen = runAtItem(node, run, world, search.item) ?? withItem(run, node, []);
  const explained = expressions.map((one) =>
    explainExpression(one, field, { run: seen, node: node.index, world, details, locator, hidden: search.hidden }),
  );
  const behind =
    search.depth >= MOST_DEPTH
      ? []
      : expressions.flatMap((one, at) => ofReads(one, node, seen, deeper(search, explained[at]?.hidden)));
  const [only] = explained;
  if (only === undefined) return { from: 'expression', what, behind };
  const { value: _, missing: __, ...step } = only;
  const source = composeText`a text with ${explained.length} expressions`;
  const parts = explained.map((one) => ({
    source: one.source,
    ...(one.value !== undefined && { value: one.value }),
    ...(one.missing !== undefined && { missing: one.missing }),
    parts: one.parts,
  }));
  const expression = explained.length === 1 ? only : { ...step, source, parts };
  return { from: 'expression', what, ...(only.place && { place: only.place }), expression, behind };
}

function ofReads(
  expression: CompiledExpression,
  node: GraphNode | undefined,
  run: InstanceRun,
  search: Search,
): Origin[] {
  const seen = new Set<string>();
  const reads = readsOf(expression, node).filter((read) => {
    const key = `${read.root}.${formatSteps(read.path)}`;
    return !seen.has(key) && seen.add(key);
  });
  return reads.slice(0, MOST_READS).flatMap((read) => {
    const origin = originOf(read, run.graph);
    if (origin === undefined) return [];
    if (origin.node === undefined) return [ofInstance(origin.path, isOptional(origin), run, search)];
    const item = origin.item ?? (isList(origin.node) ? 0 : search.item);
    return [ofNode(origin.path, origin.node.index, run, { ...search, item })];
  });
}

/** Returns the origin of a field of the instance: its file, the schema's default, or the template of another RGD. */
function ofInstance(steps: readonly Step[], mayMiss: boolean, run: InstanceRun, search: Search): Origin {
  const path = upToEach(steps);
  const { world } = search.from.expansion;
  const what = composeText`${titleOfRun(run, world)}, ${trusted.field(path)}`;
  const isNamed = isSecretlyNamed(run, world) && path[0] === 'metadata';
  const value = search.hidden || isNamed ? HIDDEN : getAt(run.instance, path);
  const given = run.parent === undefined ? getAt(run.input.object, path) : undefined;
  if (given !== undefined)
    return { from: 'instance', what, ...placed(run.input, path, search.from, value), behind: [] };
  if (run.parent !== undefined && search.depth < MOST_DEPTH) {
    const { parent } = run;
    const template = [...(parent.run.graph.nodes[parent.node]?.path ?? []), 'template'];
    const isWritten = writtenUpTo(parent.run.graph.input.object, template, path);
    if (isWritten) return ofNode(path, parent.node, parent.run, deeper(search));
  }
  const { defaults } = run.graph;
  if (defaults !== undefined && value !== undefined && getAt(defaults.object, path) !== undefined) {
    const where = composeText`${trusted.definition(run.graph.kind)} in the file of --defaults, ${trusted.field(path)}`;
    return { from: 'default', what: where, ...placed(defaults, path, search.from, value), behind: [] };
  }
  if (path[0] === 'spec' && value !== undefined) {
    const isHidden =
      search.hidden || (run.parent !== undefined && isSecret(secrecyOf(run.parent.run, run.parent.node, world), path));
    const there = placed(run.graph.input, ['spec', 'schema', ...path], search.from, isHidden ? HIDDEN : value);
    return { from: 'default', what, ...there, behind: [] };
  }
  if (path[0] === 'metadata' && value !== undefined) return { from: 'renderer', what, value, behind: [] };
  return { from: mayMiss ? 'default' : 'instance', what: composeText`${what}, which is not there`, behind: [] };
}

/** Reports whether a template has a value at a path, or an expression above it. */
function writtenUpTo(rgd: Value, template: Path, path: Path): boolean {
  for (let length = 1; length <= path.length; length += 1) {
    const written = getAt(rgd, [...template, ...path.slice(0, length)]);
    if (written === undefined) return false;
    if (typeof written === 'string') return true;
  }
  return true;
}

/** Returns the origin of a field that is in no template: the renderer, or the cluster. */
function ofNothing(path: Path, node: GraphNode, run: InstanceRun, search: Search): Origin {
  const what = fieldOfNode(node, path);
  const [part, where, key] = path;
  const ofMap = (where === 'labels' || where === 'annotations') && path.length === 3 ? where : undefined;
  const isInherited =
    part === 'metadata' &&
    (where === 'namespace' ||
      (ofMap !== undefined && inheritedKeys(ofMap, run, search.from.expansion.world).includes(String(key))));
  if (isInherited) return { from: 'inherited', what, behind: [ofInstance(path, false, run, deeper(search))] };
  if (part !== 'status') return { from: 'renderer', what, behind: [] };
  const { nested } = run.rendered[node.index]?.[search.item] ?? {};
  return ofStatus(path.slice(1), nested, search) ?? { from: 'observed', what, behind: [] };
}

/** Returns the origin of a field of the status of an instance that its RGD computes. */
function ofStatus(path: Path, run: InstanceRun | undefined, search: Search): Origin | undefined {
  if (run === undefined || search.depth >= MOST_DEPTH) return undefined;
  const computed = statusExpressions(run.graph.status.template).filter((one) => touches(one.path, path));
  const [first] = computed;
  if (first === undefined) return undefined;
  const behind = computed
    .slice(0, MOST_READS)
    .flatMap(({ expression }) => ofReads(expression, undefined, run, deeper(search)));
  const what = composeText`${titleOfRun(run, search.from.expansion.world)}, ${trusted.field(['status', ...path])}`;
  const there = computed.length === 1 && placed(run.graph.input, first.expression.path, search.from);
  return { from: 'expression', what, ...there, behind };
}

/** Returns the object that a reference found: a live one, one of the package, or one that a node renders. */
function ofReference(path: Path, node: GraphNode, run: InstanceRun, search: Search): Origin {
  const { world } = search.from.expansion;
  const [object] = objectsSeen(run, node.index);
  const maker = object === undefined ? undefined : world.objects.maker(identityOf(object));
  if (maker !== undefined && search.depth < MOST_DEPTH) return ofNode(path, maker.node, maker.run, deeper(search));
  const isHidden = search.hidden || isSecret(secrecyOf(run, node.index, world), path);
  const name = object === undefined ? 'nothing' : addressText(object, hasSecretIdentity(run, node.index, world));
  const value = object === undefined ? undefined : isHidden ? HIDDEN : getAt(object, path);
  const what = composeText`${name}, ${trusted.field(path)}, found by node ${trusted.definition(node.id)}`;
  return { from: 'observed', what, ...placed(run.graph.input, node.path, search.from, value), behind: [] };
}
