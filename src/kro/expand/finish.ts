import { type Message, type Problem, phrase, quote, shown } from '../../core/diagnostics/index.ts';
import { DELETION_POLICY, FLUX_PRUNE, KPT_DELETION, SYNC_OPTIONS } from '../../core/model/keys.ts';
import { entryFault, isNewServiceName, nameFault, namespaceFault } from '../../core/model/names.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { get, getAt, isMap, ownValue, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { isSecret } from '../../core/redaction/index.ts';
import { type Item, isOwnLabel, nodeLabels } from '../../kubernetes/label/index.ts';
import { isExhausted, spendObject } from '../../languages/cel/index.ts';
import { type GraphNode, isOrchestratorKey, isReservedKey } from '../compile/index.ts';
import { reportNode } from './report.ts';
import type { InstanceRun, NodeRun } from './run.ts';
import { secrecyOf } from './secrecy.ts';

export function reportExhausted(at: NodeRun): undefined {
  const { exhausted } = at.run.world;
  if (exhausted.has(at.run.budget)) return;
  exhausted.add(at.run.budget);
  reportNode(at, {
    code: 'budget-exceeded',
    message: phrase`with this node, the instance takes more than its budget: it reads or renders too many objects, or too large ones`,
    path: at.node.path,
    hint: phrase`read and render fewer or smaller objects, or raise --max-steps or --max-size`,
  });
}

/** Returns an object that Kubernetes accepts, `undefined` after an error; the labels of the renderer win. */
export function finishObject(raw: Value, at: NodeRun, item: Item | undefined): KubeObject | undefined {
  const { run, node } = at;
  spendObject(run.budget, node.literal);
  if (isExhausted(run.budget)) return reportExhausted(at);
  let whole = true;
  const fault = (problem: Problem): void => {
    whole = false;
    if (run.world.reports.limitReached) return;
    const path = [...node.path, 'template', ...problem.path];
    const which = item === undefined ? phrase`` : phrase` (item ${{ item: shown(item.index) }})`;
    const message = phrase`${problem.message}${which}`;
    reportNode(at, { ...problem, message, path }, { field: problem.path });
  };
  const object = raw as ValueMap;
  const metadata: ValueMap = isMap(object.metadata) ? { ...object.metadata } : {};
  checkNamespace(placeInNamespace(metadata, at), at, fault);
  checkName(metadata, node, fault);
  const isOfGraph = node.layer !== undefined;
  const labels = plainEntries(metadata, 'labels', run, fault, isOfGraph);
  const annotations = plainEntries(metadata, 'annotations', run, fault, isOfGraph);
  for (const key in annotations) {
    if (isOrchestratorKey(key)) fault(reservedProblem('annotations', key));
  }
  // A nested instance is not printed, but its readers see the labels that kro adds.
  metadata.labels = nodeLabels(run.labels, node.id, item, labels);
  const kept = node.isOrphaned ? { ...annotations, ...orphaned(annotations) } : annotations;
  if (isOfGraph) metadata.annotations = { ...annotations, [APPLY_ORDER]: String(node.layer) };
  else if (kept !== undefined && Object.keys(kept).length > 0) metadata.annotations = kept;
  else if (metadata.annotations !== undefined) delete metadata.annotations;
  return whole ? { ...(object as KubeObject), metadata } : undefined;
}

/**
 * Returns the annotations of an object that is left in the cluster in place of being deleted: that of kro 0.10, and those
 * of the tools that prune. Other sync options of the author stay.
 */
function orphaned(annotations: ValueMap | undefined): ValueMap {
  const written = annotations === undefined ? undefined : ownValue(annotations, SYNC_OPTIONS);
  const options = (typeof written === 'string' ? written.split(',') : []).map((option) => option.trim());
  const others = options.filter((option) => option !== '' && !/^(?:Prune|Delete)=/.test(option));
  return {
    [DELETION_POLICY]: 'Orphaned',
    [SYNC_OPTIONS]: [...others, 'Prune=false', 'Delete=false'].join(','),
    [FLUX_PRUNE]: 'disabled',
    [KPT_DELETION]: 'detach',
  };
}

/** Sets the namespace (kro: normalizeNamespaces). Blanks are a namespace too, an invalid one. */
export function placeInNamespace(metadata: ValueMap, { run, node }: NodeRun): string | undefined {
  const given = metadata.namespace;
  if (typeof given === 'string' && given !== '') return given;
  if (given !== undefined) delete metadata.namespace;
  if (!node.namespaced) return undefined;
  if (run.namespace !== '') metadata.namespace = run.namespace;
  return undefined;
}

function checkNamespace(
  given: string | undefined,
  { run: { graph, namespace }, node }: NodeRun,
  fault: (problem: Problem) => void,
): void {
  if (!node.namespaced) return;
  const path = ['metadata', 'namespace'];
  const reason = given === undefined ? undefined : namespaceFault(given);
  if (reason !== undefined) {
    fault({
      code: 'object-namespace',
      message: phrase`${quote(`'${given}' is not a valid namespace`, `the namespace, ${INVALID}`)}: ${{ reason: shown(reason) }}`,
      path,
    });
  }
  if (given !== undefined || namespace !== '' || graph.namespaced || node.scopeAssumed) return;
  const message = phrase`${{ kind: node.gvk.kind }} is namespaced and ${graph.kind} is not: the namespace may not be empty`;
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
    const hint = phrase`add it to the template: name: \${schema.metadata.name}`;
    fault({ code: 'object-name', message: phrase`the object has no metadata.name${shown(generated)}`, path, hint });
    return;
  }
  const reason = nameFault(node.gvk, name);
  if (reason === undefined) return;
  const code = isNewServiceName(node.gvk, name) ? 'service-name' : 'object-name';
  const message = phrase`${quote(`'${name}' is not a valid name`, `the name, ${INVALID}`)}: ${{ reason: shown(reason) }}`;
  fault({ code, message, path });
}

/** Returns valid labels or annotations without nulls, and with those of the instance; `undefined` if there are none. */
function plainEntries(
  metadata: ValueMap,
  where: 'labels' | 'annotations',
  run: InstanceRun,
  fault: (problem: Problem) => void,
  keepsReserved: boolean,
): ValueMap | undefined {
  const map = withInherited(metadata[where], where, run);
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
  if (typeof value !== 'string') return phrase`the value of '${{ key }}' must be a string`;
  const reason = entryFault(where, key, value);
  if (reason === undefined) return undefined;
  const entry = where === 'labels' ? phrase`${{ key }}: ${{ value }}` : phrase`${{ key }}`;
  return phrase`'${entry}': ${{ reason: shown(reason) }}`;
}

const reservedProblem = (where: string, key: string): Problem => ({
  code: 'computed-reserved-key',
  message: phrase`'${{ key }}' is reserved for the renderer and its runners`,
  path: ['metadata', where, key],
});

export type MetadataMap = 'labels' | 'annotations';

/** Adds the labels or annotations that an object inherits of its instance; those of the template win, null included. */
export function withInherited(own: Value | undefined, where: MetadataMap, run: InstanceRun): Value | undefined {
  const all = inheritedKeys(where, run);
  const inherited = all.length === 0 ? all : all.filter((key) => !isMap(own) || !Object.hasOwn(own, key));
  if (inherited.length === 0) return own;
  const result: ValueMap = isMap(own) ? { ...own } : {};
  for (const key of inherited) setKey(result, key, getAt(run.instance, ['metadata', where, key]) as Value);
  return result;
}

export function inheritedKeys(where: MetadataMap, run: InstanceRun): readonly string[] {
  const { propagateLabels, propagateAnnotations } = run.world.options;
  const wanted = where === 'labels' ? propagateLabels : propagateAnnotations;
  if (wanted.length === 0) return wanted;
  const given = get(get(run.instance, 'metadata'), where);
  return wanted
    .flatMap((keys) => keys.split(','))
    .filter((key) => isMap(given) && typeof get(given, key) === 'string')
    .filter((key) => !isOwnLabel(key) && !isReservedKey(key) && !isOrchestratorKey(key))
    .filter((key) => !isHidden(['metadata', where, key], run));
}

/** Reports whether a value of an instance may come from a Secret: other objects would not hide it. */
function isHidden(path: readonly string[], { input, parent }: InstanceRun): boolean {
  if (input.secret !== undefined) return true;
  return parent !== undefined && isSecret(secrecyOf(parent), path);
}
