import {
  advise,
  fullTitle,
  type Message,
  type Problem,
  phrase,
  type Severity,
  shown,
} from '../../core/diagnostics/index.ts';
import { attempt } from '../../core/model/attempt.ts';
import { groupVersionKind, isKubeObject, type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import { isOptional, leadsTo, upToEach } from '../../core/model/read.ts';
import { formatPath, getAt, isMap, mergeMaps, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { isAbsent, type PendingValue } from '../../kubernetes/front-end/index.ts';
import { type Schema, schemaAt } from '../../kubernetes/schema/index.ts';
import {
  type CelValue,
  createBudget,
  EvaluationError,
  isExhausted,
  offsetOf,
  toJson,
} from '../../languages/cel/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import {
  type CompiledExpression,
  type EvaluationFailure,
  type Graph,
  type GraphNode,
  nodeSlot,
  type Origin,
  originOf,
  readsOf,
  SCHEMA_SLOT,
} from '../compile/index.ts';
import { withDefault } from '../simpleschema/index.ts';
import { reasonOf, recordPending, reportNode, shownSource } from './report.ts';
import { evaluate, type InstanceRun, type NodeRun } from './run.ts';
import { hasSecretIdentity } from './secrecy.ts';

/** Reports whether the expression has a valid value if each object has a status, even an empty one. */
function hasFallback({ expression, expected, frame }: EvaluationFailure, run: InstanceRun): boolean {
  const values = (frame ?? run.frame).slice();
  for (const slot of slotsOf(expression, run.graph)) {
    const value = values[slot];
    values[slot] = Array.isArray(value)
      ? (value.map((item) => withStatus(item as CelValue)) as CelValue)
      : withStatus(value);
  }
  const value = evaluate(expression, { frame: values, budget: createBudget(run.world.options) });
  if (value instanceof EvaluationError) return false;
  return attempt(() => toJson(value, expected), EvaluationError) !== undefined;
}

/** Returns the slots that an expression may read: the instance, its nodes and the iterators, which come last. */
function slotsOf({ nodes }: CompiledExpression, graph: Graph): number[] {
  const slots = [SCHEMA_SLOT, ...nodes.map(nodeSlot)];
  for (let slot = nodeSlot(graph.nodes.length); slot < graph.frameSize; slot += 1) slots.push(slot);
  return slots;
}

const withStatus = (value: CelValue | undefined): CelValue | undefined =>
  isMap(value) && typeof value.kind === 'string' && !Object.hasOwn(value, 'status')
    ? ({ ...(value as ValueMap), status: {} } as CelValue)
    : value;

interface ObjectField {
  node: GraphNode;
  object: KubeObject;
  path: Path;
}

/** Returns the field that the evaluator missed, with the rest of the expression; else the first absent field. */
function missedField({ expression, error }: EvaluationFailure, { run, node }: NodeRun): ObjectField | undefined {
  const { variable = '', path = [] } = error.read ?? {};
  const root = node.aliases?.get(variable) ?? variable;
  const missed = originOf({ root, path, needed: path.length, whole: true }, run.graph);
  const fields = [...readsOf(expression, node)]
    // Optional reads are pending only if no required one is.
    .sort((a, b) => Number(isOptional(a)) - Number(isOptional(b)) || a.offset - b.offset)
    .flatMap((read): ObjectField[] => {
      const { node: of, path, item } = originOf(read, run.graph) ?? {};
      const seen = of && item === undefined ? run.frame[nodeSlot(of.index)] : undefined;
      // A collection is a list, and the value of a variable is no object.
      return of === undefined || path === undefined || !isKubeObject(seen as Value)
        ? []
        : [{ node: of, object: seen as KubeObject, path: upToEach(path) }];
    });
  const isMissed = ({ node: of, path }: ObjectField): boolean => of === missed?.node && leadsTo(missed.path, path);
  return (
    fields.find(isMissed) ?? fields.find(({ object, path }) => isAbsent(object, path)) ?? addedByCluster(missed, run)
  );
}

/** Returns the field that only a cluster adds, which the expression reads as a part of something else. */
function addedByCluster(missed: Origin | undefined, run: InstanceRun): ObjectField | undefined {
  if (missed?.node === undefined) return undefined;
  const seen = run.frame[nodeSlot(missed.node.index)];
  const object = (Array.isArray(seen) ? seen[missed.item ?? 0] : seen) as Value | undefined;
  return isKubeObject(object) ? { node: missed.node, object, path: upToEach(missed.path) } : undefined;
}

const elementAt = (index: number, element: Value): Value[] =>
  index > 0 && index < 10 ? [...Array<Value>(index).fill('...'), element] : [element];

function skeleton(object: KubeObject, path: Path): Value {
  const metadata: ValueMap = { name: nameOf(object) };
  if (namespaceOf(object) !== '') metadata.namespace = namespaceOf(object);
  const value = path.reduceRight<Value>(
    (inner, step) => (typeof step === 'number' ? elementAt(step, inner) : { [step]: inner }),
    '...',
  );
  const { apiVersion, kind } = object;
  return mergeMaps({ apiVersion, kind, metadata }, isMap(value) ? value : {});
}

/** An expression that reads a node is retried, as in kro, whatever is missing: the instance may depend on the node. */
export const isRetried = ({ expression, error, waits }: EvaluationFailure, { world }: InstanceRun): boolean =>
  error.kind === 'missing' && (waits ?? (expression.nodes.length > 0 || world.options.waitsForInstance === true));

/** Reports failed expressions of one node and returns its state: `pending` if all of them are pending. */
export function settleFailures(failures: readonly EvaluationFailure[], at: NodeRun): 'pending' | 'failed' {
  const { run } = at;
  const fatal = failures.filter((failure) => !isRetried(failure, run));
  for (const failure of fatal) {
    if (run.world.reports.limitReached) break;
    if (!repeatsBudget(failure, run)) reportNode(at, fatalProblem(failure, at));
  }
  if (fatal.length > 0) return 'failed';
  if (run.graph.readsPending && isAnyPending(run, at.node.dependencies)) return followPending(at);
  for (const failure of failures) reportPending(failure, at, pendingSeverity(run));
  return 'pending';
}

/** After the budget of an instance is exhausted every expression fails: only the first is reported. */
function repeatsBudget({ error }: EvaluationFailure, { budget, world }: InstanceRun): boolean {
  if (error.kind !== 'budget' || !isExhausted(budget)) return false;
  const repeats = world.exhausted.has(budget);
  world.exhausted.add(budget);
  return repeats;
}

const isAnyPending = ({ states }: InstanceRun, nodes: readonly number[]): boolean =>
  nodes.some((node) => states[node] === 'pending');

/**
 * Returns `pending` for what reads a pending node; `nodes` are those that it reads. As in kro 0.9 it is not evaluated, even
 * if its value does not depend on that node. kro 0.10 evaluates it (`readsPending`).
 */
export function followUnevaluated(at: NodeRun, nodes: readonly number[]): 'pending' | undefined {
  return !at.run.graph.readsPending && isAnyPending(at.run, nodes) ? followPending(at) : undefined;
}

/** Marks a reader of a pending node as pending. By default only the first cause is reported. */
function followPending(at: NodeRun): 'pending' {
  const { run, node } = at;
  if (pendingSeverity(run) !== 'error') {
    const cause = node.dependencies.find((dependency) => run.states[dependency] === 'pending') as number;
    const message = phrase`omitted: it reads '${{ cause: shown(run.graph.nodes[cause]?.id ?? '') }}', which is pending`;
    reportNode(at, { code: 'pending-reader', message, path: node.path, severity: 'warning' });
  }
  return 'pending';
}

/** A pending node is skipped or passed through on request; a placeholder works for strings only. */
export const pendingSeverity = ({ world: { options } }: InstanceRun): 'error' | 'warning' =>
  options.onPending === 'fail' || options.onPending === 'placeholder' ? 'error' : 'warning';

function fatalProblem(failure: EvaluationFailure, at: NodeRun): Problem {
  const { run } = at;
  const { expression, error } = failure;
  const source = shownSource(expression, run.graph);
  const reason = reasonOf(failure, at);
  const place = placeOf(expression, error);
  if (error.kind === 'budget') {
    const hint = phrase`shorten the lists that it iterates over, or raise --max-steps or --max-size`;
    return { ...place, code: 'budget-exceeded', message: phrase`${source}: ${{ reason }}`, hint };
  }
  if (error.kind === 'missing') {
    const message = phrase`${source}: ${{ reason }}; the instance does not have the value`;
    return { ...place, code: 'missing-in-instance', message, hint: missingHint(failure, run), args: readArgs(failure) };
  }
  return { ...place, code: 'evaluation', message: phrase`${source}: ${{ reason }}` };
}

function placeOf(expression: CompiledExpression, error: EvaluationError): { path: Path; offset: number } {
  const inside = offsetOf(expression.parsed, error.nodeId) ?? 0;
  return { path: expression.path, offset: expression.offset + inside };
}

function declaration(variable: string | undefined, path: Path, example: string): Message {
  const read = [variable, ...path].join('.');
  return advise(phrase`, ${path.at(-1) ?? ''}: ${example},`, {
    kind: 'declare-default',
    read: phrase`${read}`,
    declaration: phrase`${example}`,
  });
}

/** The read that has no value. The namespace of an instance is a field of every schema. */
function readArgs({ error }: EvaluationFailure): Problem['args'] {
  const { variable, path = [] } = error.read ?? {};
  const read = [variable, ...path].join('.');
  return { read: read === 'schema.metadata.namespace' ? shown(read) : phrase`${read}` };
}

function missingHint({ error }: EvaluationFailure, run: InstanceRun): Message {
  const { variable, path = [] } = error.read ?? {};
  if (variable === 'schema' && path.join('.') === 'metadata.namespace' && run.namespace === '') {
    return phrase`give the instance a metadata.namespace, or use --namespace`;
  }
  const declared = getAt(run.graph.input.object, ['spec', 'schema', ...path]);
  const example = typeof declared === 'string' ? withDefault(declared) : undefined;
  const form = example === undefined ? phrase`,` : declaration(variable, path, example);
  return phrase`set the value in the instance, declare a default${form} or guard the read with has(...) or .?field.orValue(...)`;
}

export function reportPending(failure: EvaluationFailure, at: NodeRun, severity: Severity): void {
  const { run } = at;
  if (run.world.options.omitsPending === true) return;
  const { expression, error } = failure;
  const awaited = missedField(failure, at);
  const isHidden = awaited !== undefined && hasSecretIdentity({ run, node: awaited.node });
  const problem: Problem = {
    code: 'pending-value',
    message: phrase`${shownSource(expression, run.graph)}: ${{ reason: reasonOf(failure, at) }}${awaited === undefined ? phrase`` : waitsFor(awaited, isHidden)}`,
    ...placeOf(expression, error),
    severity,
    alike: `${run.graph.name} ${expression.path.join('.')} ${expression.offset}`,
    hint: expression.nodes.length === 0 ? missingHint(failure, run) : supplyHint(failure, awaited, isHidden, at),
  };
  recordPending(at, problem);
}

function waitsFor({ node, object, path }: ObjectField, isHidden: boolean): Message {
  const title = isHidden ? `the ${object.kind} of node '${node.id}'` : fullTitle(object, false);
  const field = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return phrase` (waits for ${{ field: shown(field.replace(/^\./, '')) }} of ${{ object: shown(title) }})`;
}

/** Returns the observed object that would supply the value, the fallback, and the reference that the kind supports. */
function supplyHint(
  failure: EvaluationFailure,
  awaited: ObjectField | undefined,
  isHidden: boolean,
  { run, node }: NodeRun,
): Message {
  const observe = phrase`supply it with --observed`;
  if (awaited === undefined) return observe;
  const { object, path } = awaited;
  const isFallback = path[0] === 'status' && !Object.hasOwn(object, 'status') && hasFallback(failure, run);
  const fallback = isFallback ? phrase`render the fallback with --assume-empty-status, or ` : phrase``;
  const supply = isHidden ? observe : phrase`${observe}: ${shown(toJsonText(skeleton(object, path)))}`;
  const instead = referenceInstead(failure.expression, node, awaited, run.graph);
  const other = instead && phrase`\nor do not wait: set ${shown(instead.field)}: ${shown(instead.value)} instead`;
  return phrase`${fallback}${supply}${other ?? phrase``}`;
}

export type Alternative = NonNullable<PendingValue['alternative']>;

/**
 * Returns the reference that a kind supports beside a field, so that nothing is pending: `vpcRef.from.name` beside
 * `vpcID` (AWS Controllers for Kubernetes), `networkRef.name` beside `networkRef.external` (Config Connector). Only for
 * an expression that only reads the status of one object, of the same family of groups.
 */
export function referenceInstead(
  expression: CompiledExpression,
  node: GraphNode,
  awaited: AwaitedField,
  graph: Graph,
): Alternative | undefined {
  const text = getAt(graph.input.object, expression.path);
  const isWhole = typeof text === 'string' && text.trim() === `\${${expression.source}}`;
  const field = expression.path.slice(node.path.length + 1);
  if (!isWhole || !isChain(expression) || awaited.path[0] !== 'status' || node.schema === undefined) return undefined;
  if (familyOf(groupVersionKind(awaited.object).group) !== familyOf(node.gvk.group)) return undefined;
  const sibling = siblingOf(field, node.schema);
  return sibling && { field: formatPath(sibling), value: `\${${awaited.node.id}.metadata.name}` };
}

/** The pending value of an expression: the node that it names, the object and the path of the value. */
export interface AwaitedField {
  node: Pick<GraphNode, 'id'>;
  object: { apiVersion: string; kind: string };
  path: readonly unknown[];
}

/** Reports whether an expression is only a read: no function, no operator. */
const isChain = ({ parsed }: CompiledExpression): boolean => parsed.root.kind === 'select';

/** The groups of one cloud's controllers differ in their first label. */
const familyOf = (group: string): string => group.slice(group.indexOf('.') + 1);

function siblingOf(field: Path, root: Schema): Path | undefined {
  const index = field.at(-1);
  const inList = typeof index === 'number';
  const named = inList ? field.slice(0, -1) : field;
  const key = named.at(-1);
  const parent = named.slice(0, -1);
  const siblings = schemaAt(root, parent)?.properties;
  if (typeof key !== 'string' || siblings === undefined) return undefined;
  if (key === 'external' && !inList && siblings.name?.type === 'string') return [...parent, 'name'];
  const stem = stemOf(key);
  const reference = Object.keys(siblings).find(
    (other) => /Refs?$/.test(other) && other.endsWith('s') === inList && stemOf(other) === stem,
  );
  if (reference === undefined || isShadowed(key, siblings)) return undefined;
  const at = [...parent, reference, ...(inList ? [index] : [])];
  const target = schemaAt(root, [...at, 'from', 'name']);
  return target?.type === 'string' ? [...at, 'from', 'name'] : undefined;
}

/** A reference does not stand for the name of an object if its id can be given too. */
const isShadowed = (key: string, siblings: Readonly<Record<string, Schema>>): boolean =>
  /Names?$/.test(key) &&
  Object.keys(siblings).some((other) => /(ID|ARN)s?$/.test(other) && stemOf(other) === stemOf(key));

/** `subnetIDs`, `subnets` and `subnetRefs` are about a subnet, `policies` and `policyRefs` about a policy. */
function stemOf(key: string): string {
  const bare = key.replace(/(IDs?|ARNs?|Names?|Refs?)$/, '');
  return bare.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
}
