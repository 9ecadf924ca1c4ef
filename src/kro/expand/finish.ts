import { type Message, type Problem, phrase, quote, shown } from '../../core/diagnostics/index.ts';
import { entryFault, isNewServiceName, nameFault, namespaceFault } from '../../core/model/names.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { isMap, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { type Item, isOwnLabel, nodeLabels } from '../../kubernetes/label/index.ts';
import { isExhausted, spendObject } from '../../languages/cel/index.ts';
import { type GraphNode, isOrchestratorKey, isReservedKey } from '../compile/index.ts';
import { withInherited } from './inherit.ts';
import type { NodeRun } from './node-run.ts';
import { reportNode } from './report.ts';
import type { InstanceRun } from './run.ts';

/** Reports an exhausted budget once, at the node that exceeded it. */
export function reportExhausted(at: NodeRun): undefined {
  const { run, node, world } = at;
  if (world.exhausted.has(run.budget)) return;
  world.exhausted.add(run.budget);
  reportNode(at, {
    code: 'budget-exceeded',
    message: phrase`with this node, the instance takes more than its budget: it reads or renders too many objects, or too large ones`,
    path: node.path,
    hint: phrase`read and render fewer or smaller objects, or raise --max-steps or --max-size`,
  });
}

/**
 * Converts the result of a template to an object that Kubernetes accepts: namespace inherited, null labels removed,
 * name and labels valid. The labels of the renderer come last and win. Returns `undefined` after an error, which is
 * reported.
 */
export function finishObject(raw: Value, at: NodeRun, item: Item | undefined): KubeObject | undefined {
  const { run, node, world } = at;
  spendObject(run.budget, node.literal);
  if (isExhausted(run.budget)) return reportExhausted(at);
  let whole = true;
  const fault = (problem: Problem): void => {
    whole = false;
    if (world.reports.limitReached) return;
    const path = [...node.path, 'template', ...problem.path];
    const which = item === undefined ? phrase`` : phrase` (item ${shown(item.index)})`;
    const message = phrase`${problem.message}${which}`;
    reportNode(at, { ...problem, message, path }, { field: problem.path });
  };
  const object = raw as ValueMap;
  const metadata: ValueMap = isMap(object.metadata) ? { ...object.metadata } : {};
  checkNamespace(placeInNamespace(metadata, node, run), node, run, fault);
  checkName(metadata, node, fault);
  const isOfGraph = node.layer !== undefined;
  const labels = plainEntries(withInherited(metadata.labels, 'labels', run, world), 'labels', fault, isOfGraph);
  const annotations = plainEntries(
    withInherited(metadata.annotations, 'annotations', run, world),
    'annotations',
    fault,
    isOfGraph,
  );
  for (const key in annotations) {
    if (isOrchestratorKey(key)) fault(reservedProblem('annotations', key));
  }
  // A nested instance is not printed, but its readers see the labels that kro adds.
  metadata.labels = nodeLabels(run.labels, node.id, item, labels);
  if (isOfGraph) metadata.annotations = { ...annotations, [APPLY_ORDER]: String(node.layer) };
  else if (annotations !== undefined && Object.keys(annotations).length > 0) metadata.annotations = annotations;
  else if (metadata.annotations !== undefined) delete metadata.annotations;
  return whole ? { ...(object as KubeObject), metadata } : undefined;
}

/**
 * Sets the namespace (kro: normalizeNamespaces). An empty namespace is absent, and a namespaced object without one
 * inherits the instance's. Returns the object's own namespace.
 */
export function placeInNamespace(metadata: ValueMap, node: GraphNode, run: InstanceRun): string | undefined {
  const given = metadata.namespace;
  if (typeof given === 'string' && given.trim() !== '') return given;
  if (given !== undefined) delete metadata.namespace;
  if (!node.namespaced) return undefined;
  if (run.namespace !== '') metadata.namespace = run.namespace;
  return undefined;
}

function checkNamespace(
  given: string | undefined,
  node: GraphNode,
  { graph, namespace }: InstanceRun,
  fault: (problem: Problem) => void,
): void {
  if (!node.namespaced) return;
  const path = ['metadata', 'namespace'];
  const reason = given === undefined ? undefined : namespaceFault(given);
  if (reason !== undefined) {
    fault({
      code: 'object-namespace',
      message: phrase`${quote(`'${given}' is not a valid namespace`, `the namespace, ${INVALID}`)}: ${shown(reason)}`,
      path,
    });
  }
  if (given !== undefined || namespace !== '' || graph.namespaced || node.scopeAssumed) return;
  const message = phrase`${node.gvk.kind} is namespaced and ${graph.kind} is not: the namespace may not be empty`;
  fault({ code: 'object-namespace', message, path });
}

/** The annotation of the order in which kro deletes the objects of a Graph. */
const APPLY_ORDER = 'internal.kro.run/apply-order';

const INVALID = 'which comes from a Secret, is not valid';

function checkName(metadata: ValueMap, node: GraphNode, fault: (problem: Problem) => void): void {
  const { name } = metadata;
  const path = ['metadata', 'name'];
  if (typeof name !== 'string' || name === '') {
    const generated = typeof metadata.generateName === 'string' ? ' (generateName gives another name each time)' : '';
    fault({ code: 'object-name', message: phrase`the object has no metadata.name${shown(generated)}`, path });
    return;
  }
  const reason = nameFault(node.gvk, name);
  if (reason === undefined) return;
  const code = isNewServiceName(node.gvk, name) ? 'service-name' : 'object-name';
  const message = phrase`${quote(`'${name}' is not a valid name`, `the name, ${INVALID}`)}: ${shown(reason)}`;
  fault({ code, message, path });
}

/** Returns valid labels or annotations without nulls; `undefined` if there are none. */
function plainEntries(
  map: Value | undefined,
  where: 'labels' | 'annotations',
  fault: (problem: Problem) => void,
  keepsReserved: boolean,
): ValueMap | undefined {
  if (!isMap(map)) return undefined;
  const plain: ValueMap = {};
  for (const key of Object.keys(map)) {
    const value = map[key] as Value;
    // Labels copied from a rendered object include those of the renderer; they are removed and set again.
    if (value === null || (where === 'labels' && isOwnLabel(key) && !keepsReserved)) continue;
    const path = ['metadata', where, key];
    const reason = entryProblem(where, key, value);
    if (where === 'labels' && isReservedKey(key) && !keepsReserved) fault(reservedProblem(where, key));
    else if (reason !== undefined) fault({ code: 'object-label', message: reason, path });
    else setKey(plain, key, value);
  }
  return plain;
}

function entryProblem(where: 'labels' | 'annotations', key: string, value: Value): Message | undefined {
  if (typeof value !== 'string') return phrase`the value of '${key}' must be a string`;
  const reason = entryFault(where, key, value);
  if (reason === undefined) return undefined;
  const entry = where === 'labels' ? phrase`${key}: ${value}` : phrase`${key}`;
  return phrase`'${entry}': ${shown(reason)}`;
}

const reservedProblem = (where: string, key: string): Problem => ({
  code: 'computed-reserved-key',
  message: phrase`'${key}' is reserved for the renderer and its runners`,
  path: ['metadata', where, key],
});
