import { type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import { parseSelector } from '../../core/model/label-selector.ts';
import { apiVersionOf, fullTitleOf, groupKind, identityOf, type KubeObject } from '../../core/model/object.ts';
import { equal, formatPath, get, mergeMaps, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { isAbsent } from '../../kubernetes/front-end/index.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { type CelValue, DYN, EvaluationError, isExhausted, spendSelection, toJson } from '../../languages/cel/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import {
  type CompiledExpression,
  type Evaluation,
  type GraphNode,
  isList,
  nodeSlot,
  setStatusInCluster,
} from '../compile/index.ts';
import { pendingSeverity, settleFailures } from './failures.ts';
import { reportExhausted } from './finish.ts';
import { byNamespaceAndName, identity } from './identity.ts';
import { recordPending, reportAbout, reportNode, shownReason, shownSource } from './report.ts';
import {
  type InstanceRun,
  isSettled,
  type NodeRun,
  type NodeState,
  nodeRun,
  type RenderedItem,
  setValue,
  takeStale,
  type World,
} from './run.ts';
import { hasSecretIdentity, statusReadsSecret } from './secrecy.ts';
import { declaredPart, OWN_STATUS_FIELDS, type StoredStatus, storedStatus, writtenField } from './status.ts';
import { isWithheld } from './withheld.ts';

export function readExternal(at: NodeRun): NodeState {
  const { run, node } = at;
  const { scheduler } = run.world;
  const evaluation: Evaluation = { frame: run.frame, budget: run.budget, failures: [] };
  const reference = node.template(evaluation);
  if (evaluation.failures.length > 0) return settleFailures(evaluation.failures, at);
  const found = findExternal(at, reference);
  if (found === 'failed') return 'failed';
  if ('value' in found) {
    setValue(at, found.value);
    return 'done';
  }
  if (scheduler.waitPolicy !== 'none') {
    scheduler.await(found.waitsFor, at);
    return 'waiting';
  }
  reportNotFound(found.waitsFor, at);
  return 'pending';
}

/** The result of a reference: a value, nothing so far (with the awaited identity), or a reported error. */
type Found = { value: CelValue } | { waitsFor: string } | 'failed';

function findExternal(at: NodeRun, reference: Value): Found {
  const { run, node } = at;
  const metadata = get(reference, 'metadata') as ValueMap;
  const namespace = namespaceFor(node, metadata, run);
  if (node.kind === 'externalCollection') return select(at, metadata, namespace);
  const { name } = metadata;
  if (typeof name !== 'string' || name === '') {
    const message = phrase`the name of an external reference must be a string, got ${{ value: toJsonText(name ?? null) }}`;
    const field = ['metadata', 'name'];
    reportNode(at, { code: 'external-name', message, path: [...node.path, node.contentKey, ...field] }, { field });
    return 'failed';
  }
  const inNamespace = (where: string): Found => lookUp(identity(node.gvk.group, node.gvk.kind, where, name), run.world);
  const found = inNamespace(namespace);
  // Neither the kind nor the reference defines a namespace.
  const isOpen = node.scopeAssumed && namespace !== '' && (metadata.namespace ?? '') === '';
  if (!isOpen || found === 'failed' || 'value' in found) return found;
  const anywhere = inNamespace('');
  return anywhere !== 'failed' && 'value' in anywhere ? anywhere : found;
}

/** Returns the namespace of a reference: a selector without one reads all, as ''. */
export function namespaceFor(node: GraphNode, metadata: ValueMap, run: InstanceRun): string {
  if (!node.namespaced) return '';
  const given = metadata.namespace;
  if (typeof given === 'string' && given !== '') return given;
  return node.kind === 'externalCollection' ? '' : run.namespace;
}

/** Looks up observed objects first, then the package, then objects that other instances render. */
function lookUp(key: string, world: World): Found {
  world.lookups.identities.add(key);
  const observed = world.observed.find(key);
  if (observed !== undefined) return foundOrAbsent(observed, key);
  const instance = world.objects.instance(key);
  if (instance !== undefined) return isReadable(instance) ? { value: nestedView(instance) } : { waitsFor: key };
  return foundOrAbsent(world.plain.get(key) ?? world.objects.object(key), key);
}

const foundOrAbsent = (object: KubeObject | undefined, key: string): Found =>
  isAbsent(object) ? { waitsFor: key } : { value: object as CelValue };

/** The status of an instance is not read before it is complete, as long as others can be rendered first. */
const isReadable = (instance: InstanceRun): boolean =>
  isSettled(instance) || instance.world.scheduler.waitPolicy !== 'full';

/** Returns all matching observed objects and objects of the package, without duplicates, by namespace and name. */
function select(at: NodeRun, metadata: ValueMap, namespace: string): Found {
  const { run, node } = at;
  const { world } = run;
  const path = [...node.path, node.contentKey, 'metadata', 'selector'];
  const { selector, faults } = parseSelector(metadata.selector ?? null);
  if (faults.length > 0) {
    for (const { message, path: inside } of faults) {
      const problem: Problem = { code: 'external-selector', message: phrase`${message}`, path: [...path, ...inside] };
      reportNode(at, problem, { field: ['metadata', 'selector'] });
    }
    return 'failed';
  }
  const { group, kind } = node.gvk;
  world.lookups.kinds.add(groupKind({ group, kind }));
  const possible = world.candidates(group, kind);
  spendSelection(run.budget, possible.size);
  if (isExhausted(run.budget)) {
    reportExhausted(at);
    return 'failed';
  }
  const found = possible.select(selector, namespace).map(({ object }) => object);
  const absent = found.find((one) => isAbsent(one)) as KubeObject | undefined;
  if (absent !== undefined) return { waitsFor: identityOf(absent) };
  const instances: KubeObject[] = [];
  for (const { key, run: instance } of world.instances(group, kind).select(selector, namespace)) {
    if (world.observed.find(key) !== undefined) continue;
    if (!isReadable(instance)) return { waitsFor: key };
    instances.push(nestedView(instance) as KubeObject);
  }
  const all = instances.length === 0 ? found : [...found, ...instances].sort(byNamespaceAndName);
  return { value: all as CelValue[] };
}

function reportNotFound(key: string, at: NodeRun): void {
  const { run, node } = at;
  const [, kind = '', namespace = '', name = ''] = key.split('/');
  const title = fullTitleOf({ kind, namespace, name });
  const supply: Value = {
    apiVersion: apiVersionOf(node.gvk),
    kind: node.gvk.kind,
    metadata: namespace === '' ? { name } : { name, namespace },
  };
  const isHidden = hasSecretIdentity(at);
  const advice = phrase`add the object to the input, or supply it with --observed`;
  const problem: Problem = {
    code: 'pending-reference',
    message: phrase`${{ object: shown(isHidden ? `the ${kind}` : title) }} is neither observed, nor in the input, nor rendered`,
    path: [...node.path, node.contentKey],
    severity: pendingSeverity(run),
    alike: key,
    hint: isHidden ? advice : phrase`${advice}: ${shown(toJsonText(supply))}`,
  };
  recordPending(at, problem, key);
}

/** Returns a rendered object as other nodes see it: merged over its observed state, if there is one. */
export function viewOf(rendered: RenderedItem, world: World): CelValue {
  return rendered.nested === undefined ? seen(rendered.object, world) : nestedView(rendered.nested);
}

function seen(object: KubeObject, world: World): CelValue {
  const observed = world.observed.isEmpty ? undefined : world.observed.find(identityOf(object));
  if (observed !== undefined) return mergeMaps(observed, object) as CelValue;
  return (
    world.options.assumeEmptyStatus && get(object, 'status') === undefined ? { ...object, status: {} } : object
  ) as CelValue;
}

export function refreshViews(run: InstanceRun, nodes: readonly number[]): void {
  for (const node of nodes) {
    if (!takeStale(run, node)) continue;
    const views = (run.rendered[node] ?? []).map((rendered) => viewOf(rendered, run.world));
    const at = nodeRun(run, node);
    setValue(at, at.node.kind === 'collection' ? views : (views[0] as CelValue));
  }
}

/**
 * Returns a nested instance as an API server would store it; kro writes a status even if it is empty. A status that the
 * API server refuses is not there.
 */
export function nestedView(run: InstanceRun): CelValue {
  const status = statusOf(run);
  if (status === undefined) return seen(run.instance, run.world);
  const inCluster = statusInCluster(run);
  if (inCluster === undefined) return seen({ ...run.instance, status }, run.world);
  const observed = get(run.world.observed.find(identityOf(run.instance)), 'status');
  const differing = [...new Set([...Object.keys(status), ...Object.keys(inCluster)])].filter(
    (field) => !equal(get(status, field), get(inCluster, field)),
  );
  // An observed value is the one of the cluster.
  const isKnown = (field: string): boolean => get(observed, field) !== undefined;
  const view = seen({ ...run.instance, status: withoutFields(status, differing.filter(isKnown)) }, run.world);
  const unknown = differing.filter((field) => !isKnown(field));
  if (unknown.length === 0) return view;
  const completed = withoutFields(get(view as Value, 'status') as ValueMap, unknown);
  for (const field of unknown) {
    const value = get(inCluster, field);
    if (value !== undefined) setKey(completed, field, value);
  }
  setStatusInCluster(view, completed);
  return view;
}

const withoutFields = (map: ValueMap, fields: readonly string[]): ValueMap =>
  Object.fromEntries(Object.entries(map).filter(([key]) => !fields.includes(key)));

/** Returns the status with what only a cluster adds to the objects that it reads, if it reads any of that. */
function statusInCluster(run: InstanceRun): ValueMap | undefined {
  if (run.graph.status.readsCluster !== true) return undefined;
  const stored = written({ run, hasFailed: false, isOfCluster: true });
  return 'fields' in stored ? stored.fields : undefined;
}

/**
 * Returns the status as far as it can be computed (kro: softResolve); a failing field is absent, with a warning. The
 * status is `undefined` if the API server refuses it.
 */
export const statusOf = (run: InstanceRun): ValueMap | undefined => computeStatus(run).fields;

/** Returns the status, and whether a field failed: then kro writes none at all. */
export function computeStatus(run: InstanceRun): { fields: ValueMap | undefined; hasFailed: boolean } {
  const writer: StatusWriter = { run, hasFailed: false, isOfCluster: false };
  const stored = written(writer);
  const { hasFailed } = writer;
  if ('fields' in stored) return { fields: stored.fields, hasFailed };
  reportRefused(run, stored.refusal, run.graph.schema.properties?.status);
  return { fields: undefined, hasFailed };
}

/** Returns the status as the API server stores it. */
function written(writer: StatusWriter): StoredStatus {
  const { graph, budget, world } = writer.run;
  const value = writtenField(graph.status.template, {
    valueOf: (expression) => evaluate(expression, writer),
    keepsEmptyItems: world.semantics.statusKeepsEmptyItems,
  });
  if (value === undefined) return { fields: {} };
  const fields = Object.entries(value as ValueMap).filter(([key]) => !OWN_STATUS_FIELDS.includes(key));
  return storedStatus(Object.fromEntries(fields), graph.schema.properties?.status, budget);
}

function reportRefused(run: InstanceRun, { message, path }: Problem, schema: Schema | undefined): void {
  const field = shown(formatPath(['status', ...declaredPart(path, schema)]));
  reportAbout(run, {
    code: 'status-refused',
    message: phrase`the API server refuses the status, so that nothing of it is written: ${{ field }}: ${message}`,
    path: [],
    severity: 'warning',
  });
}

interface StatusWriter {
  readonly run: InstanceRun;
  /** The objects that it reads have what only a cluster adds to them. */
  readonly isOfCluster: boolean;
  hasFailed: boolean;
}

function withoutNodes(absent: readonly number[], { frame, graph, world }: InstanceRun): InstanceRun['frame'] {
  const values = [...frame];
  for (const node of absent) {
    values[nodeSlot(node)] = world.semantics.statusReadsLeftOut ? emptyValueOf(graph.nodes[node]) : undefined;
  }
  return values;
}

function evaluate(expression: CompiledExpression, writer: StatusWriter): Value | undefined {
  const { run } = writer;
  if (isStatusWithheld(expression, run)) return undefined;
  refreshViews(run, expression.nodes);
  // A skipped or waiting node has no value: the field is absent if it reads one. From kro 0.10 on, a single one is empty.
  const absent = expression.nodes.filter((node) => run.states[node] !== 'done');
  const frame = absent.length === 0 ? run.frame : withoutNodes(absent, run);
  const program = writer.isOfCluster ? (expression.inCluster ?? expression.program) : expression.program;
  try {
    return toJson(program.run(frame, run.budget), DYN, run.budget);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    if (error.kind !== 'missing' && !writer.isOfCluster) {
      writer.hasFailed = true;
      const reason = shownReason(expression, error, run.graph, statusReadsSecret(expression, run));
      const message = phrase`status: ${shownSource(expression, run.graph)}: ${{ reason }}`;
      reportAbout(run, { code: 'status-failed', message, path: [], severity: 'warning' });
    }
    return undefined;
  }
}

/** Reports whether a field of the status depends on a value of a Secret, if those are unknown. */
function isStatusWithheld(expression: CompiledExpression, run: InstanceRun): boolean {
  if (run.world.options.unknownSecrets !== 'everywhere') return false;
  return expression.nodes.some((index) => isWithheld(nodeRun(run, index))) || statusReadsSecret(expression, run);
}

const emptyValueOf = (node: GraphNode | undefined): CelValue | undefined =>
  node !== undefined && isList(node) ? undefined : ({} as CelValue);
