import { addressText, composeText, HIDDEN, type Text, trusted } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { KRO_LABEL } from '../../core/model/keys.ts';
import { type Allowance, allowance, spend } from '../../core/model/limits.ts';
import { identityOf, type KubeObject } from '../../core/model/object.ts';
import {
  EACH,
  formatSteps,
  isOptional,
  leadsTo,
  type Read,
  type Step,
  touches,
  upToEach,
} from '../../core/model/read.ts';
import { formatPath, getAt, isMap, type Path, type Value } from '../../core/model/value.ts';
import { isSecret, type Secrecy } from '../../core/redaction/index.ts';
import type { Location } from '../../core/text/line-index.ts';
import {
  type CompiledExpression,
  type GraphNode,
  isList,
  isReference,
  iteratedLists,
  nodeReads,
  originOf,
  readsOf,
  statusExpressions,
} from '../../kro/compile/index.ts';
import {
  hasSecretIdentity,
  hiddenTitleOfNode,
  type InstanceRun,
  inheritedKeys,
  isSecretlyNamed,
  type NodeRun,
  nodeRun,
  objectsSeen,
  secrecyOf,
  titleOfRun,
  withItem,
} from '../../kro/expand/index.ts';
import { children, type Expr, type MapEntry } from '../../languages/cel/index.ts';
import { addressOf } from '../address/index.ts';
import {
  type Expanded,
  type ExplainedExpression,
  type ExpressionRun,
  explainExpression,
  itemIndexes,
  runAtItem,
} from './node.ts';
import { type Explainable, placed } from './package.ts';

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

/** A rendered object, or a nested instance, with its node. */
export interface Rendered extends NodeRun {
  object: KubeObject;
}

/** Returns everything that has an address: rendered objects and nested instances. Names from Secrets have none. */
export const addressable = ({ runs }: Pick<Explainable, 'runs'>): Rendered[] =>
  runs.flatMap((run) =>
    run.rendered.flatMap((items, index) => {
      const at = nodeRun(run, index);
      if (items.length === 0 || hasSecretIdentity(at)) return [];
      return items.map(({ object, nested }) => ({ object: object ?? nested.instance, ...at }));
    }),
  );

export function originOfField({ object, ...at }: Rendered, path: Path, from: Expanded): Origin {
  const hidden = isSecret(secrecyOf(at), path);
  const label = getAt(object, ['metadata', 'labels', KRO_LABEL.collectionIndex]);
  const item = typeof label === 'string' ? Number(label) : 0;
  const origin = ofNode(path, at, { from, depth: 0, origins: allowance(MOST_ORIGINS), hidden, item });
  const { value: _, ...untold } = origin;
  return hidden ? untold : origin;
}

/**
 * Returns the entry of an expression that leaves out a field, `?"replicas": ...`, with what it reads; `undefined` if no
 * entry has its key.
 */
export function originOfLeftOut({ object, ...of }: Rendered, path: Path, from: Expanded): Origin | undefined {
  const { node } = of;
  const at = [...node.path, node.contentKey, ...path];
  const expression = node.expressions.find((one) => leadsTo(one.path, at));
  const entry = expression && entryFor(expression.parsed.root, at.slice(expression.path.length));
  if (expression === undefined || entry === undefined) return undefined;
  const label = getAt(object, ['metadata', 'labels', KRO_LABEL.collectionIndex]);
  const item = typeof label === 'string' ? Number(label) : 0;
  const run = runAtItem(of, item) ?? withItem(of, []);
  const inside = expression.path.slice(node.path.length);
  const hidden = isSecret(secrecyOf(of), path);
  const explained = explainExpression(expression, trusted.field(inside), { run, node }, from, hidden, entry);
  const search: Search = { from, depth: 1, origins: allowance(MOST_ORIGINS), hidden: explained.hidden, item };
  const read = new Set(chainsIn(entry));
  const behind = ofReads(expression, node, run, search, (one) => read.has(`${one.root}.${formatSteps(one.path)}`));
  const there = explained.place && { place: explained.place };
  return { from: 'expression', what: fieldOfNode(node, inside), ...there, expression: explained, behind };
}

/** Returns the value of the entry of a literal that a path leads to, or what chooses between two such literals. */
function entryFor(expr: Expr, path: Path): Expr | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return expr;
  if (expr.kind === 'map') {
    const isAt = ({ key }: MapEntry): boolean => key.kind === 'literal' && key.literal.value === step;
    const entry = expr.entries.find(isAt);
    return entry && entryFor(entry.value, rest);
  }
  if (expr.kind === 'list' && typeof step === 'number') {
    const element = expr.elements[step];
    return element && entryFor(element.value, rest);
  }
  if (expr.kind !== 'call' || expr.name !== '_?_:_') return undefined;
  return expr.args.slice(1).some((arm) => entryFor(arm, path) !== undefined) ? expr : undefined;
}

/** Returns the chains of fields in an expression, `schema.spec.limits`, whether or not a part is optional. */
function chainsIn(expr: Expr): string[] {
  const chain = chainText(expr);
  return [...(chain === undefined ? [] : [chain]), ...children(expr).flatMap(chainsIn)];
}

function chainText(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select') return undefined;
  const before = chainText(expr.operand);
  return before === undefined ? undefined : `${before}.${expr.field}`;
}

/** Returns the origins of what an expression reads, of a node or without one of the status. */
export function originsOfReads(expression: CompiledExpression, at: ExpressionRun, from: Expanded): Origin[] {
  const hidden = explainExpression(expression, trusted.field([]), at, from).hidden;
  const search: Search = { from, depth: 1, origins: allowance(MOST_ORIGINS), hidden, item: 0 };
  const found = ofReads(expression, at.node, at.run, search);
  // A value and a part of it may have one place.
  const keyOf = ({ what, place }: Origin): string => JSON.stringify([what, place]);
  return found.filter((one, index) => found.findIndex((other) => keyOf(other) === keyOf(one)) === index);
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
/** The maximum number of origins of one explanation: each expression may read the same values as others. */
const MOST_ORIGINS = 1000;

interface Search {
  from: Expanded;
  depth: number;
  /** What is left of `MOST_ORIGINS`. */
  origins: Allowance;
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

function ofNode(path: readonly Step[], at: NodeRun, search: Search): Origin {
  const known = upToEach(path);
  if (isReference(at.node) && !(known[0] === 'metadata' && known[1] === 'name')) return ofReference(known, at, search);
  return ofTemplate(known, at, search) ?? ofNothing(known, at, search);
}

/** Returns the origin of a field in the template of a node, or of an expression around it; `undefined` if there is none. */
function ofTemplate(path: Path, of: NodeRun, search: Search): Origin | undefined {
  const { run, node } = of;
  const at = [...node.path, node.contentKey, ...path];
  for (let end = at.length - path.length; end <= at.length; end += 1) {
    const here = formatPath(at.slice(0, end));
    const expressions = node.expressions.filter((one) => formatPath(one.path) === here);
    if (expressions.length > 0) return ofExpressions(expressions, of, search);
  }
  const written = getAt(run.graph.input.object, at);
  if (written === undefined) return undefined;
  const secrecy = secrecyOf(of);
  const inner = node.expressions.filter(({ path: where }) => leadsTo(at, where));
  const behind = inner.slice(0, MOST_READS).map((one) => ofExpressions([one], of, deeper(search)));
  const value = search.hidden || isSecret(secrecy, path) ? HIDDEN : inner.length > 0 ? undefined : written;
  const what = fieldOfNode(node, at.slice(node.path.length));
  return { from: 'literal', what, ...placed(run.graph.input, at, search.from, value), behind };
}

const fieldOfNode = ({ id }: GraphNode, path: Path): Text =>
  composeText`node ${trusted.definition(id)}, ${trusted.field(path)}`;

function ofExpressions(expressions: readonly CompiledExpression[], of: NodeRun, search: Search): Origin {
  const { node } = of;
  const inside = (expressions[0]?.path ?? []).slice(node.path.length);
  const origin = { from: 'expression', what: fieldOfNode(node, inside) } as const;
  const seen = runAtItem(of, search.item) ?? withItem(of, []);
  const at = { run: seen, node };
  const explained = expressions.map((one) =>
    explainExpression(one, trusted.field(inside), at, search.from, search.hidden),
  );
  const behind =
    search.depth >= MOST_DEPTH
      ? []
      : expressions.flatMap((one, at) => ofReads(one, node, seen, deeper(search, explained[at]?.hidden)));
  const [only] = explained;
  if (only === undefined) return { ...origin, behind };
  const { value: _, missing: __, ...step } = only;
  const source = composeText`a text with ${explained.length} expressions`;
  const parts = explained.map(({ field: _, place: __, hidden: ___, ...part }) => part);
  const expression = explained.length === 1 ? only : { ...step, source, parts };
  return { ...origin, ...(only.place && { place: only.place }), expression, behind };
}

function ofReads(
  expression: CompiledExpression,
  node: GraphNode | undefined,
  run: InstanceRun,
  search: Search,
  isWanted: (read: Read) => boolean = () => true,
): Origin[] {
  const all = node === undefined ? readsOf(expression, node) : readsOfItem(expression, { run, node }, search.item);
  const chosen = all.filter(isWanted);
  const reads = groupBy(chosen, ({ root, path }) => `${root}.${formatSteps(path)}`);
  return [...reads.values()].slice(0, MOST_READS).flatMap(([read]) => {
    const origin = read && originOf(read, run.graph);
    if (origin === undefined || !spend(search.origins, 1)) return [];
    if (origin.node === undefined) return [ofInstance(origin.path, isOptional(origin), run, search)];
    const item = origin.item ?? (isList(origin.node) ? 0 : search.item);
    return [ofNode(origin.path, { run, node: origin.node }, { ...search, item })];
  });
}

/**
 * Returns what an expression reads for one item of a collection. If the list of an iterator is a value as it is written,
 * the item has its own place, and the list as a whole is not read for it.
 */
function readsOfItem(expression: CompiledExpression, { run, node }: NodeRun, item: number): readonly Read[] {
  const reads = readsOf(expression, node);
  const lists = iteratedLists(node);
  if (lists.length === 0) return reads;
  const indexes = itemIndexes({ run, node }, item);
  const keyOf = ({ root, path }: Pick<Read, 'root' | 'path'>): string => `${root}.${formatSteps(path)}`;
  const itemReads = reads.flatMap((read) => {
    const list = lists.find((one) => one.root === read.root && isItemOf(read.path, one.path));
    const index = list && indexes[list.dimension];
    if (list === undefined || index === undefined) return [];
    const at = list.path.length;
    return [{ list, read, path: [...read.path.slice(0, at), index, ...read.path.slice(at + 1)] }];
  });
  const resolved = new Map(itemReads.map(({ read, path }) => [read, path]));
  const own = nodeReads(node).find((one) => one.expression === expression)?.reads ?? reads;
  const ownKeys = new Set(own.map(keyOf));
  const whole = new Set(itemReads.map(({ list }) => keyOf(list)).filter((key) => !ownKeys.has(key)));
  return reads
    .filter((read) => !whole.has(keyOf(read)))
    .map((read) => ({ ...read, path: resolved.get(read) ?? read.path }));
}

const isItemOf = (path: readonly Step[], list: readonly Step[]): boolean =>
  path[list.length] === EACH && list.every((step, index) => step === path[index]);

/** Returns the origin of a field of the instance: its file, the schema's default, or the template of another RGD. */
function ofInstance(steps: readonly Step[], mayMiss: boolean, run: InstanceRun, search: Search): Origin {
  const path = upToEach(steps);
  const what = composeText`${titleOfRun(run)}, ${trusted.field(path)}`;
  const isNamed = isSecretlyNamed(run) && path[0] === 'metadata';
  const value = search.hidden || isNamed ? HIDDEN : getAt(run.instance, path);
  const given = run.parent === undefined ? getAt(run.input.object, path) : undefined;
  if (given !== undefined)
    return { from: 'instance', what, ...placed(run.input, path, search.from, value), behind: [] };
  if (run.parent !== undefined && search.depth < MOST_DEPTH) {
    const written = ofTemplate(path, run.parent, deeper(search));
    if (written !== undefined) return written;
  }
  const set = value === undefined ? undefined : setByOthers(path, value, what, run, search);
  if (set !== undefined) return set;
  return { from: mayMiss ? 'default' : 'instance', what: composeText`${what}, which is not there`, behind: [] };
}

/** Returns the origin of a value that no author of the instance wrote: a file of defaults, the schema, or the renderer. */
function setByOthers(path: Path, value: Value, what: Text, run: InstanceRun, search: Search): Origin | undefined {
  const { defaults } = run.graph;
  if (defaults !== undefined && getAt(defaults.object, path) !== undefined) {
    const where = composeText`${trusted.definition(run.graph.kind)} in the file of --defaults, ${trusted.field(path)}`;
    return { from: 'default', what: where, ...placed(defaults, path, search.from, value), behind: [] };
  }
  if (path[0] === 'spec') {
    const isHidden = search.hidden || (run.parent !== undefined && isSecret(secrecyOf(run.parent), path));
    const there = placed(run.graph.input, ['spec', 'schema', ...path], search.from, isHidden ? HIDDEN : value);
    return { from: 'default', what, ...there, behind: [] };
  }
  return path[0] === 'metadata' ? { from: 'renderer', what, value, behind: [] } : undefined;
}

/** Returns the origin of a field that is in no template: the renderer, or the cluster. */
function ofNothing(path: Path, { run, node }: NodeRun, search: Search): Origin {
  const what = fieldOfNode(node, path);
  const [part, where, key] = path;
  const ofMap = (where === 'labels' || where === 'annotations') && path.length === 3 ? where : undefined;
  const isInherited =
    part === 'metadata' &&
    (where === 'namespace' || (ofMap !== undefined && inheritedKeys(ofMap, run).includes(String(key))));
  if (isInherited) return { from: 'inherited', what, behind: [ofInstance(path, false, run, deeper(search))] };
  if (part !== 'status') return { from: 'renderer', what, behind: [] };
  const { nested } = run.rendered[node.index]?.[search.item] ?? {};
  return ofStatus(path.slice(1), nested, search) ?? { from: 'observed', what, behind: [] };
}

/** Returns the origin of a field of the status of an instance that its RGD computes. */
function ofStatus(path: Path, run: InstanceRun | undefined, search: Search): Origin | undefined {
  if (run === undefined || search.depth >= MOST_DEPTH) return undefined;
  const computed = statusExpressions(run.graph).filter((one) => touches(one.path, path));
  const [first] = computed;
  if (first === undefined) return undefined;
  const behind = computed
    .slice(0, MOST_READS)
    .flatMap(({ expression }) => ofReads(expression, undefined, run, deeper(search)));
  const what = composeText`${titleOfRun(run)}, ${trusted.field(['status', ...path])}`;
  const there = computed.length === 1 && placed(run.graph.input, first.expression.path, search.from);
  return { from: 'expression', what, ...there, behind };
}

/** Returns the object that a reference found: a live one, one of the package, or one that a node renders. */
function ofReference(path: Path, at: NodeRun, search: Search): Origin {
  const { run, node } = at;
  const [object] = objectsSeen(at);
  const maker = object === undefined ? undefined : run.world.objects.makers.get(identityOf(object));
  if (maker !== undefined && search.depth < MOST_DEPTH) return ofNode(path, maker, deeper(search));
  const isHidden = search.hidden || isSecret(secrecyOf(at), path);
  const name = object === undefined ? 'nothing' : addressText(object, hiddenTitleOfNode(at));
  const value = object === undefined ? undefined : isHidden ? HIDDEN : getAt(object, path);
  const what = composeText`${name}, ${trusted.field(path)}, found by node ${trusted.definition(node.id)}`;
  return { from: 'observed', what, ...placed(run.graph.input, node.path, search.from, value), behind: [] };
}
