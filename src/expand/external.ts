import type { CelValue } from '../cel/values.ts';
import type { GraphNode } from '../compile/graph.ts';
import type { Problem } from '../diagnostics/diagnostic.ts';
import { toJsonText } from '../emit/json.ts';
import { matches, parseSelector } from '../model/label-selector.ts';
import { groupVersionKind, identityOf, type KubeObject, nameOf, namespaceOf } from '../model/object.ts';
import { get, isMap, type Value, type ValueMap } from '../model/value.ts';
import { waitingSeverity } from './failures.ts';
import { identity } from './identity.ts';
import type { InstanceRun } from './instance.ts';
import { isSettled } from './instance.ts';
import { reportNode, reportWait } from './report.ts';
import { hasSecretIdentity } from './secrecy.ts';
import { nestedView } from './view.ts';
import type { World } from './world.ts';

/** What a reference found: a value, nothing so far (with what it waits for), or an error that was reported. */
export type Found = { value: CelValue } | { waitsFor: string } | 'failed';

/** Looks up an external reference: `reference` is its rendered `{apiVersion, kind, metadata}`. */
export function findExternal(node: GraphNode, reference: Value, run: InstanceRun, world: World): Found {
  const metadata = get(reference, 'metadata') as ValueMap;
  const namespace = namespaceFor(node, metadata, run);
  if (node.kind === 'externalCollection') return select(node, metadata, namespace, run, world);
  const { name } = metadata;
  if (typeof name !== 'string' || name === '') {
    const message = `the name of an external reference must be a string, got ${toJsonText(name ?? null)}`;
    reportNode(
      run,
      node.index,
      world,
      {
        code: 'external-name',
        message,
        path: [...node.path, 'externalRef', 'metadata', 'name'],
      },
      { field: ['metadata', 'name'] },
    );
    return 'failed';
  }
  const at = (where: string): Found => lookUp(identity(node.gvk.group, node.gvk.kind, where, name), world);
  const found = at(namespace);
  // Nothing says that the kind is namespaced, neither does the reference.
  const isOpen = node.scopeAssumed && namespace !== '' && (metadata.namespace ?? '') === '';
  if (!isOpen || found === 'failed' || 'value' in found) return found;
  const anywhere = at('');
  return anywhere !== 'failed' && 'value' in anywhere ? anywhere : found;
}

/** The namespace that a reference looks in: a selector that names none looks in all, which '' stands for. */
export function namespaceFor(node: GraphNode, metadata: ValueMap, run: InstanceRun): string {
  if (!node.namespaced) return '';
  const given = metadata.namespace;
  if (typeof given === 'string' && given !== '') return given;
  return node.kind === 'externalCollection' ? '' : run.namespace;
}

/** Observed objects first, then the package, then what other instances render. */
function lookUp(key: string, world: World): Found {
  const observed = world.observed.find(key);
  if (observed !== undefined) return { value: observed as CelValue };
  const instance = world.instances.get(key) ?? world.nested.get(key);
  if (instance !== undefined) {
    return isSettled(instance) || world.patience !== 'full'
      ? { value: nestedView(instance, world) }
      : { waitsFor: key };
  }
  const plain = world.plain.get(key);
  if (plain !== undefined) return { value: plain as CelValue };
  const rendered = world.rendered.get(key);
  return rendered === undefined ? { waitsFor: key } : { value: rendered as CelValue };
}

/** All observed objects and package items that match, each once, by namespace and name. */
function select(node: GraphNode, metadata: ValueMap, namespace: string, run: InstanceRun, world: World): Found {
  const path = [...node.path, 'externalRef', 'metadata', 'selector'];
  const { selector, faults } = parseSelector(metadata.selector ?? null);
  if (faults.length > 0) {
    for (const { message, path: inside } of faults) {
      const problem: Problem = { code: 'external-selector', message, path: [...path, ...inside] };
      reportNode(run, node.index, world, problem, { field: ['metadata', 'selector'] });
    }
    return 'failed';
  }
  const found = new Map<string, KubeObject>();
  const fits = (object: KubeObject): boolean => {
    const { group, kind } = groupVersionKind(object);
    const isOfKind = group === node.gvk.group && kind === node.gvk.kind;
    return isOfKind && (namespace === '' || namespaceOf(object) === namespace) && matches(selector, labelsOf(object));
  };
  const add = (object: KubeObject): void => {
    const key = identityOf(object);
    if (fits(object) && !found.has(key)) found.set(key, object);
  };
  for (const object of world.observed.all()) add(object);
  for (const [key, object] of world.plain) if (world.observed.find(key) === undefined) add(object);
  for (const [key, instance] of world.instances) {
    if (world.observed.find(key) !== undefined || !fits(instance.instance)) continue;
    if (world.patience === 'full' && !isSettled(instance)) return { waitsFor: key };
    add(nestedView(instance, world) as KubeObject);
  }
  return { value: [...found.values()].sort(byNamespaceAndName) as CelValue[] };
}

function labelsOf(object: KubeObject): ValueMap {
  const labels = get(get(object, 'metadata'), 'labels');
  return isMap(labels) ? labels : {};
}

function byNamespaceAndName(a: KubeObject, b: KubeObject): number {
  return compare(namespaceOf(a), namespaceOf(b)) || compare(nameOf(a), nameOf(b));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Says that nothing supplies what a reference names; `key` is its identity. */
export function reportNotFound(key: string, run: InstanceRun, node: GraphNode, world: World): void {
  const [, kind, namespace = '', name = ''] = key.split('/');
  const title = `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
  const { group, version } = node.gvk;
  const supply: Value = {
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind: node.gvk.kind,
    metadata: namespace === '' ? { name } : { name, namespace },
  };
  const isHidden = hasSecretIdentity(run, node.index, world);
  const advice = 'add the object to the input, or supply it with --observed';
  const problem: Problem = {
    code: 'pending-reference',
    message: `${isHidden ? `the ${kind}` : title} is neither observed, nor in the input, nor rendered`,
    path: [...node.path, 'externalRef'],
    severity: waitingSeverity(world),
    hint: isHidden ? advice : `${advice}: ${toJsonText(supply)}`,
  };
  reportWait(run, node.index, world, problem, key);
}
