import { groupVersionKind, isKubeObject, type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import type { Read, Step } from '../../core/model/read.ts';
import { equal, get, isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import { instanceId } from '../../kubernetes/label/index.ts';
import {
  type Budget,
  type CelValue,
  chainOf,
  children,
  EvaluationError,
  type Expr,
  missing,
  outcomeOf,
  type Program,
  toJson,
} from '../../languages/cel/index.ts';
import {
  type Graph,
  type GraphNode,
  isList,
  nodeReads,
  nodeSlot,
  originOf,
  readsOf,
  statusExpressions,
} from './graph.ts';

/*
 * What only a cluster adds to an object: an expression may read it without naming it (`json.marshal(a)`, `a.metadata`),
 * or with a fallback (`has(a.metadata.uid)`). A rendered object has nothing there, so the value would silently be another
 * one than in a cluster.
 */

/** Metadata that an API server sets, with values of the right type. */
const OF_SERVER: Readonly<ValueMap> = {
  uid: '00000000-0000-4000-8000-000000000000',
  resourceVersion: '0',
  creationTimestamp: '1970-01-01T00:00:01Z',
  generation: 0n,
  managedFields: [{ manager: '?' }],
};

/** The status that kro itself writes to an instance. */
const OF_KRO: Readonly<ValueMap> = { state: '?', conditions: [{ type: '?' }] };

/** `author` is the part of the status of an instance that its author declares. */
type Part = 'metadata' | 'status' | 'author';

/** A value that an expression reads, of which a cluster has more. */
interface ClusterRead {
  variable: string;
  node: GraphNode;
  /** The slots of the node, and of a nested Graph that it is in. */
  slots: readonly number[];
  part: Part;
  /** A field of the part; without it the whole part is read. */
  field: string | undefined;
}

/** Makes the expressions of a graph fail as missing if their value depends on what only a cluster adds. */
export function guardClusterReads(graph: Graph): void {
  for (const node of graph.nodes) {
    const all = [...node.forEach.map(({ expression }) => expression), ...node.includeWhen, ...node.expressions];
    if (!all.some(({ parsed }) => mayRead(parsed.root))) continue;
    for (const { part, expression, reads } of nodeReads(node)) {
      if (!mayRead(expression.parsed.root)) continue;
      const ofCluster = clusterReadsOf(reads, graph);
      if (ofCluster.length === 0) continue;
      // The objects of a list are read where its iterator is.
      const isSame = part === 'forEach' ? hasSameSize : writesSame;
      expression.program = guarded(expression.program, ofCluster, node, isSame);
    }
  }
  guardStatus(graph);
}

/** Gives the expressions of the status that depend on what only a cluster adds the values that they have there. */
function guardStatus(graph: Graph): void {
  for (const { expression } of statusExpressions(graph)) {
    if (!mayRead(expression.parsed.root)) continue;
    const reads = clusterReadsOf(readsOf(expression, undefined), graph, 'always');
    if (reads.length === 0) continue;
    const { program } = expression;
    graph.status.readsCluster = true;
    expression.inCluster = {
      run(frame, budget) {
        const completed = reads.reduce((before: Frame, read) => withPart(before, read, []) ?? before, frame);
        return program.run(completed, budget);
      },
    };
  }
}

/** The status of instances as a cluster has it, where an author's field has another value there. */
const statusInCluster = new WeakMap<object, ValueMap>();

export const setStatusInCluster = (view: CelValue, status: ValueMap): void =>
  void statusInCluster.set(view as object, status);

/** Reports quickly whether an expression may read a whole object or what a cluster adds to it. */
function mayRead(expr: Expr): boolean {
  const { start, path } = chainOf(expr);
  if (start.kind === 'ident') return isPartOfCluster(path.filter((step) => typeof step === 'string'));
  return (start === expr ? children(expr) : [start, ...children(expr)]).some(mayRead);
}

function isPartOfCluster([part, field]: readonly Step[]): boolean {
  if (part === undefined) return true;
  if (part === 'metadata') return field === undefined || Object.hasOwn(OF_SERVER, field);
  return part === 'status';
}

/** Returns the reads of what only a cluster adds; by default without those that fail here if it is missing. */
function clusterReadsOf(reads: readonly Read[], graph: Graph, which?: 'always'): ClusterRead[] {
  return reads.flatMap((read): ClusterRead[] => {
    const { node, path, needed, whole } = originOf(read, graph) ?? {};
    if (node === undefined || path === undefined || node.kind === 'frame') return [];
    if (!isPartOfCluster(path)) return [];
    const [part = 'metadata', field] = path as readonly [Part?, string?];
    const around = graph.nodeById.get(read.root) ?? node;
    const slots = [...new Set([nodeSlot(node.index), nodeSlot(around.index)])];
    const found = { variable: read.root, node, slots, field };
    if (part === 'status') {
      const isOwn = field !== undefined && Object.hasOwn(OF_KRO, field);
      // The whole status of an instance is a warning: kro's own fields are not looked at.
      if (!isOwn) return field !== undefined || whole === true ? [{ ...found, part: 'author' }] : [];
    }
    const isRead = field === undefined ? whole === true : which === 'always' || (needed ?? 0) < 2;
    return isRead ? [{ ...found, part }] : [];
  });
}

type Compares = (one: CelValue, other: CelValue, budget: Budget) => boolean;

/** Runs an expression also with what a cluster adds, and fails if the value is another one. */
function guarded(program: Program, reads: readonly ClusterRead[], { forEach }: GraphNode, isSame: Compares): Program {
  const differs = (frame: Frame, read: ClusterRead, value: CelValue, budget: Budget): boolean => {
    const inCluster = withPart(frame, read, forEach);
    if (inCluster === undefined) return false;
    const other = outcomeOf(() => program.run(inCluster, budget));
    return other instanceof EvaluationError ? other.kind !== 'budget' : !isSame(value, other, budget);
  };
  return {
    run(frame, budget) {
      const value = program.run(frame, budget);
      const read = reads.find((one) => differs(frame, one, value, budget));
      if (read !== undefined) throw unknown(read);
      return value;
    },
  };
}

const hasSameSize: Compares = (one, other) => Array.isArray(one) && Array.isArray(other) && one.length === other.length;

const writesSame: Compares = (one, other, budget) => {
  const [a, b] = [one, other].map((value) => outcomeOf(() => toJson(value, undefined, budget)));
  if (a instanceof EvaluationError || b instanceof EvaluationError) return a instanceof EvaluationError;
  return equal(a as Value, b as Value);
};

type Frame = readonly (CelValue | undefined)[];

/** Returns a frame in which the objects of a node, and the iterators that stand for one, are as in a cluster. */
function withPart(frame: Frame, read: ClusterRead, forEach: GraphNode['forEach']): Frame | undefined {
  const slots = [...read.slots, ...forEach.map(({ slot }) => slot)];
  const completed = slots.map((slot) => completedValue(frame[slot], read));
  if (completed.every((value, index) => value === frame[slots[index] as number])) return undefined;
  const copy = [...frame];
  slots.forEach((slot, index) => {
    copy[slot] = completed[index];
  });
  return copy;
}

/** Returns an object, or those of a collection or of a nested Graph, with what a cluster adds to a part of it. */
function completedValue(seen: CelValue | undefined, read: ClusterRead): CelValue | undefined {
  if (isKubeObject(seen as Value)) return completed(seen as KubeObject, read);
  if (Array.isArray(seen)) {
    const items = seen.map((item) => completedValue(item as CelValue, read));
    return items.some((item, index) => item !== seen[index]) ? (items as CelValue) : seen;
  }
  if (!isMap(seen) || read.slots.length < 2) return seen;
  const members = Object.entries(seen).map(([id, member]) => [id, completedValue(member as CelValue, read)] as const);
  const isSame = members.every(([id, member]) => member === get(seen as Value, id));
  return isSame ? seen : (Object.fromEntries(members) as CelValue);
}

function completed(object: KubeObject, { part }: ClusterRead): CelValue {
  if (part === 'author') return withAuthorStatus(object);
  if (isLive(object)) return object as CelValue;
  const given = get(object, part);
  if (part === 'metadata') return { ...object, metadata: { ...OF_SERVER, ...(given as ValueMap) } } as CelValue;
  return (isInstance(object) && isMap(given) ? { ...object, status: { ...OF_KRO, ...given } } : object) as CelValue;
}

function withAuthorStatus(object: KubeObject): CelValue {
  const status = statusInCluster.get(object);
  return (status === undefined ? object : { ...object, status }) as CelValue;
}

/** Reports whether an object was observed, at least in its identity. */
function isLive(object: KubeObject): boolean {
  const { uid, resourceVersion, creationTimestamp } = object.metadata as ValueMap;
  if (resourceVersion !== undefined || creationTimestamp !== undefined) return true;
  return uid !== undefined && uid !== ownUid(object);
}

/** Reports whether an object is a nested instance: it has the uid that is computed here. */
const isInstance = (object: KubeObject): boolean => get(object.metadata, 'uid') === ownUid(object);

function ownUid(object: KubeObject): string {
  const { group, kind } = groupVersionKind(object);
  return instanceId({ group, kind, namespace: namespaceOf(object), name: nameOf(object) });
}

function unknown({ variable, node, part, field }: ClusterRead): EvaluationError {
  const isSet = part !== 'author' && field !== undefined;
  const message = isSet ? `a cluster sets ${field}` : 'a cluster adds uid, resourceVersion and more';
  const path = unknownPath(part, field);
  const error = missing(message, { what: 'key', key: path.at(-1) ?? '' });
  error.read = { variable, path: isList(node) ? [0, ...path] : path };
  return error;
}

function unknownPath(part: Part, field: string | undefined): string[] {
  if (part !== 'author') return [part, field ?? 'resourceVersion'];
  return field === undefined ? ['status'] : ['status', field];
}
