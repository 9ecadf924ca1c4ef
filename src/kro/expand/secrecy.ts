import { type HiddenTitle, hiddenTitleOf, hidesName, type Text, titleText } from '../../core/diagnostics/index.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { groupKind, type InputObject, identityOf, type KubeObject } from '../../core/model/object.ts';
import { EACH, type Read } from '../../core/model/read.ts';
import { getAt, type Path, type Value } from '../../core/model/value.ts';
import {
  anyOf,
  either,
  fieldsOf,
  isSecret,
  isSecretKind,
  isSecretListKind,
  membersOf,
  SECRET,
  type Secrecy,
  secretAt,
  within,
  writtenSecrets,
} from '../../core/redaction/index.ts';
import {
  type CompiledExpression,
  type GraphNode,
  isList,
  isReference,
  originOf,
  readsOf,
  statusExpressions,
} from '../compile/index.ts';
import { type InstanceRun, isSettled, type NodeRun, nodeRun, objectsSeen, type World } from './run.ts';

/** Finds where values of Secrets flow: through expressions, references, and inputs and status of nested instances. */
interface Search {
  world: World;
  status: Map<InstanceRun, Secrecy | 'open'>;
  /** How many results are being computed for one another. */
  depth: number;
  /** What is computed first, the latest last, because it was too deep below the others. */
  first: Wanted[];
}

type Part = 'desired' | 'whole';

interface Wanted extends NodeRun {
  part: Part;
}

/** Results that depend on one another in a row: any number of instances can refer to the objects of the next one. */
const MOST_DEPTH = 100;

/** Thrown if a result is too deep below others, which are computed again after it. */
class TooDeep extends Error {
  constructor(readonly wanted: Wanted) {
    super('a result has to be computed first');
  }
}

const IDENTITY: readonly Path[] = [
  ['metadata', 'name'],
  ['metadata', 'namespace'],
];

const KIND: readonly Path[] = [['apiVersion'], ['kind']];

/** Returns which parts of an object of a node, its status included, may be values of a Secret. */
export const secrecyOf = (at: NodeRun): Secrecy => searched(at.run, (search) => wholeOf(at, search));

/** Reports whether the name or the namespace of the objects of a node may be a value of a Secret. */
export function hasSecretIdentity(at: NodeRun): boolean {
  const secrecy = searched(at.run, (search) => desiredOf(at, search));
  return IDENTITY.some((path) => isSecret(secrecy, path));
}

/** Reports whether even the kind of its objects may be one: only a node of a Graph computes it. */
function hasSecretKind(at: NodeRun): boolean {
  if (at.node.layer === undefined) return false;
  const secrecy = searched(at.run, (search) => desiredOf(at, search));
  return KIND.some((path) => isSecret(secrecy, path));
}

/** What of the title of its objects may be a value of a Secret. */
export const hiddenTitleOfNode = (at: NodeRun): HiddenTitle =>
  hasSecretKind(at) ? 'everything' : hasSecretIdentity(at);

/** Reports whether an expression of a node reads a value of a Secret, or is written into one. */
export function handlesSecret(expression: CompiledExpression, at: NodeRun): boolean {
  const { run, node } = at;
  return searched(run, (search) => {
    if (readsSecret(expression, run, node, search)) return true;
    return node.expressions.includes(expression) && isSecret(desiredOf(at, search), fieldOf(expression, node));
  });
}

/** Reports whether anything in a node reads a value of a Secret: whether, where and how often it renders included. */
export function nodeReadsSecret({ run, node }: NodeRun): boolean {
  const iterators = node.forEach.map(({ expression }) => expression);
  const all = [...node.includeWhen, ...iterators, ...node.expressions];
  return searched(run, (search) => all.some((one) => readsSecret(one, run, node, search)));
}

/** Reports whether an expression reads a value of a Secret. */
export const expressionReadsSecret = (expression: CompiledExpression, { run, node }: NodeRun): boolean =>
  searched(run, (search) => readsSecret(expression, run, node, search));

export const statusReadsSecret = (expression: CompiledExpression, run: InstanceRun): boolean =>
  searched(run, (search) => readsSecret(expression, run, undefined, search));

/** Returns what another front end needs to know of a rendered object. */
export function secretOf(object: KubeObject, { objects }: World): InputObject['secret'] {
  const maker = objects.makers.get(identityOf(object));
  if (maker === undefined) return undefined;
  if (hasSecretKind(maker)) return 'everything';
  if (hasSecretIdentity(maker)) return 'name';
  return isSecret(secrecyOf(maker)) ? 'values' : undefined;
}

/** Reports whether any value in a node may be a value of a Secret. */
export function nodeHandlesSecret(at: NodeRun): boolean {
  const { run, node } = at;
  const conditions = [...node.includeWhen, ...node.forEach.map(({ expression }) => expression)];
  return searched(
    run,
    (search) =>
      isSecret(wholeOf(at, search)) || conditions.some((condition) => readsSecret(condition, run, node, search)),
  );
}

export const isSecretlyNamed = ({ parent, input }: InstanceRun): boolean =>
  parent === undefined ? hidesName(input.secret) : hasSecretIdentity(parent);

/** `Kind/name`, unless the name may be a value of a Secret. */
export function titleOfRun(run: InstanceRun): Text {
  const { parent, input } = run;
  return titleText(run.instance, parent === undefined ? hiddenTitleOf(input.secret) : hiddenTitleOfNode(parent));
}

/** Returns an answer. What is too deep for the stack is computed first, and remembered in the search. */
function searched<T>({ world }: InstanceRun, ask: (search: Search) => T): T {
  const search: Search = { world, status: new Map(), depth: 0, first: [] };
  for (;;) {
    search.depth = 0;
    const wanted = search.first.at(-1);
    try {
      if (wanted === undefined) return ask(search);
      if (wanted.part === 'whole') wholeOf(wanted, search);
      else desiredOf(wanted, search);
      search.first.pop();
    } catch (error) {
      if (!(error instanceof TooDeep)) throw error;
      search.first.push(error.wanted);
    }
  }
}

const isWantedFirst = (part: Part, { run, node }: NodeRun, { first }: Search): boolean =>
  first.some((one) => one.part === part && one.run === run && one.node === node);

/** Returns a cached result: a final one, or one of the same search. */
function knownOf(what: Part, { run, node }: NodeRun, search: Search): Secrecy | 'open' | undefined {
  const known = search.world.caches[what].get(run)?.get(node.index);
  return known?.search === undefined || known.search === search ? known?.secrecy : undefined;
}

/** Computes a result once; one that is being computed is only requested in cycles of references. */
function remembered(what: Part, at: NodeRun, search: Search, find: () => Secrecy): Secrecy {
  const { run, node } = at;
  const before = knownOf(what, at, search);
  if (before !== undefined) return before === 'open' ? true : before;
  if (search.depth === MOST_DEPTH) {
    // It depends on itself.
    if (isWantedFirst(what, at, search)) return true;
    throw new TooDeep({ part: what, run, node });
  }
  search.depth += 1;
  settleBelow(at, search);
  const known = getOrCompute(search.world.caches[what], run, () => new Map());
  known.set(node.index, { secrecy: 'open', search });
  let secrecy: Secrecy;
  try {
    secrecy = find();
  } catch (error) {
    known.delete(node.index);
    throw error;
  }
  search.depth -= 1;
  const lasts = isFinal(run, node.index) || (what === 'desired' && isGiven(at));
  known.set(node.index, lasts ? { secrecy } : { secrecy, search });
  return secrecy;
}

const isFinal = (run: InstanceRun, index: number): boolean =>
  run.states[index] === 'done' &&
  (run.rendered[index] ?? []).every(({ nested }) => nested === undefined || isSettled(nested));

/** Reports whether the inputs of a node's template are final: it may fail in thousands of fields. */
const isGiven = ({ run, node }: NodeRun): boolean =>
  node.dependencies.every((one) => isFinal(run, one)) && (run.parent === undefined || isGiven(run.parent));

/** Computes dependencies first, so that a chain of thousands of nodes does not overflow the stack. */
function settleBelow({ run, node }: NodeRun, search: Search): void {
  const missing = new Set<number>();
  const found = [...node.dependencies];
  for (let next = found.pop(); next !== undefined; next = found.pop()) {
    if (missing.has(next) || knownOf('whole', nodeRun(run, next), search) !== undefined) continue;
    missing.add(next);
    for (const dependency of run.graph.nodes[next]?.dependencies ?? []) found.push(dependency);
  }
  const [only] = missing;
  if (missing.size === 1) wholeOf(nodeRun(run, only as number), search);
  else if (missing.size > 1)
    for (const one of run.graph.order) if (missing.has(one)) wholeOf(nodeRun(run, one), search);
}

function desiredOf(at: NodeRun, search: Search): Secrecy {
  return remembered('desired', at, search, () => {
    const { run, node } = at;
    // A Graph that a node rendered: any text in it may be such a value.
    if (run.graph.input === run.input && run.input.secret !== undefined) return true;
    const template = getAt(run.graph.input.object, [...node.path, node.contentKey]);
    const computed = node.expressions
      .filter((expression) => readsSecret(expression, run, node, search))
      .map((expression) => secretAt(fieldOf(expression, node), true));
    return anyOf([ofKind(node), writtenIn(template ?? null, search), ...computed, inheritedOf(run, search)]);
  });
}

const fieldOf = ({ path }: CompiledExpression, node: GraphNode): Path => path.slice(node.path.length + 1);

function ofKind({ gvk: { kind } }: GraphNode): Secrecy {
  if (isSecretKind(kind)) return SECRET;
  return isSecretListKind(kind) || kind === 'List' ? fieldsOf({ items: true }) : false;
}

/** The namespace of an instance is inherited by its objects, and its uid is derived from both names. */
function inheritedOf(run: InstanceRun, search: Search): Secrecy {
  const isInherited = isSecret(schemaOf(run, search), ['metadata', 'namespace']);
  return isInherited ? secretAt(['metadata', 'namespace'], true) : false;
}

/** Returns the secrecy of `schema` for the expressions of a run: an instance may contain a Secret. */
function schemaOf({ parent, instance, input }: InstanceRun, search: Search): Secrecy {
  if (parent === undefined && input.secret !== undefined) return true;
  const written = writtenIn(instance, search);
  if (parent === undefined) return written;
  const given = either(written, desiredOf(parent, search));
  return IDENTITY.some((path) => isSecret(given, path)) ? either(given, secretAt(['metadata', 'uid'], true)) : given;
}

function wholeOf(at: NodeRun, search: Search): Secrecy {
  return remembered('whole', at, search, () => {
    const { run, node } = at;
    const desired = desiredOf(at, search);
    if (node.members !== undefined) {
      const inside = [...node.members].map(([name, index]) => {
        const member = nodeRun(run, index);
        const secrecy = wholeOf(member, search);
        return secretAt([name], isList(member.node) ? membersOf(secrecy) : secrecy);
      });
      return anyOf(inside);
    }
    const seen = objectsSeen(at);
    const known = either(desired, anyOf(seen.map((one) => writtenIn(one, search))));
    if (isReference(node)) return either(known, anyOf(seen.map((one) => objectOf(one, search))));
    if (search.world.graphs.get(groupKind(node.gvk)) === undefined) return known;
    const nested = (run.rendered[node.index] ?? []).flatMap((rendered) => rendered.nested ?? []);
    // Its content is unknown.
    const status = nested.length === 0 ? true : anyOf(nested.map((child) => statusOf(child, search)));
    return either(known, secretAt(['status'], status));
  });
}

/** The Secrets that are written out in a template or an object, neither of which changes. */
function writtenIn(value: Value, { world: { caches } }: Search): Secrecy {
  if (typeof value !== 'object' || value === null) return false;
  return getOrCompute(caches.written, value, () => writtenSecrets(value, 'object'));
}

function objectOf(object: KubeObject, search: Search): Secrecy {
  const key = identityOf(object);
  const maker = search.world.objects.makers.get(key);
  const instance = search.world.objects.instances.get(key);
  return either(
    maker === undefined ? false : wholeOf(maker, search),
    instance === undefined ? false : secretAt(['status'], statusOf(instance, search)),
  );
}

function statusOf(run: InstanceRun, search: Search): Secrecy {
  const before = search.status.get(run);
  if (before !== undefined) return before === 'open' ? true : before;
  search.status.set(run, 'open');
  try {
    const found = anyOf(
      statusExpressions(run.graph)
        .filter(({ expression }) => readsSecret(expression, run, undefined, search))
        .map(({ path }) => secretAt(path, true)),
    );
    search.status.set(run, found);
    return found;
  } catch (error) {
    search.status.delete(run);
    throw error;
  }
}

function readsSecret(
  expression: CompiledExpression,
  run: InstanceRun,
  node: GraphNode | undefined,
  search: Search,
): boolean {
  return readsOf(expression, node).some((read) => isSecretRead(read, run, search));
}

function isSecretRead(read: Read, run: InstanceRun, search: Search): boolean {
  const origin = originOf(read, run.graph);
  if (origin === undefined) return false;
  const { node, path } = origin;
  const secrecy = node === undefined ? schemaOf(run, search) : wholeOf({ run, node }, search);
  // Iterating a list shows only its length; the keys of a map may be values too.
  const isCount = !read.whole && read.path.at(-1) === EACH;
  return isCount ? path.length > 0 && within(secrecy, path.slice(0, -1)) === true : isSecret(secrecy, path);
}
