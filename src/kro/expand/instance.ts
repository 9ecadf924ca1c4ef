import {
  composeText,
  phrase,
  type RelatedLocation,
  shown,
  titleText,
  told,
  trusted,
} from '../../core/diagnostics/index.ts';
import { withoutBookkeeping } from '../../core/model/bookkeeping.ts';
import { KRO_LABEL, MANAGED_BY } from '../../core/model/keys.ts';
import { MAX_RENDER_DEPTH } from '../../core/model/limits.ts';
import {
  type InputObject,
  identityOf,
  type KubeObject,
  nameOf,
  namespaceOf,
  titleOf,
} from '../../core/model/object.ts';
import { get, getAt, type ValueMap } from '../../core/model/value.ts';
import { type Item, instanceId, originLabels } from '../../kubernetes/label/index.ts';
import { createBudget, spendValues } from '../../languages/cel/index.ts';
import type { Graph } from '../compile/index.ts';
import { reportAbout, reportNode } from './report.ts';
import { createRun, type InstanceRun, type NodeRun, nodeRun, type World } from './run.ts';
import { hasSecretIdentity, isSecretlyNamed, titleOfRun } from './secrecy.ts';

export function startInstance(
  graph: Graph,
  admitted: KubeObject,
  input: InputObject,
  parent: InstanceRun['parent'],
  world: World,
): InstanceRun {
  const namespace = graph.namespaced ? namespaceOf(admitted) || world.options.namespace : '';
  const identity = { group: graph.group, kind: graph.kind, namespace, name: nameOf(admitted) };
  const given = get(get(admitted, 'metadata'), 'uid');
  const id = typeof given === 'string' && given !== '' ? given : instanceId(identity);
  const instance = stored(admitted, namespace, id);
  const start = {
    world,
    graph,
    instance,
    input,
    id,
    namespace,
    parent,
    depth: parent === undefined ? 1 : parent.run.depth + 1,
    budget: parent === undefined ? createBudget(world.options) : parent.run.budget,
  };
  const origin = { rgd: { name: graph.name, uid: graph.uid }, instance: { id, version: graph.version, ...identity } };
  const run = createRun(start, (started) => {
    // The objects of a Graph name their node only.
    if (graph.nodes.some(({ layer }) => layer !== undefined)) return {};
    return originLabels(origin, (label, value) => {
      const what = isSecretlyNamed(started) ? 'its value' : `'${value}'`;
      const message = phrase`the label ${{ label: shown(label) }} is shortened: ${shown(what)} has more than 63 characters`;
      const path = ['metadata', 'name'];
      reportAbout(started, { code: 'label-shortened', message, path, severity: 'warning' });
    });
  });
  world.objects.uids.add(id);
  return run;
}

function stored(admitted: KubeObject, namespace: string, uid: string): KubeObject {
  const clean = withoutBookkeeping(admitted);
  const metadata: ValueMap = { ...(clean.metadata as ValueMap), uid };
  if (namespace === '') delete metadata.namespace;
  else metadata.namespace = namespace;
  return { ...clean, metadata };
}

export const mayNest = ({ depth }: InstanceRun): boolean => depth < MAX_RENDER_DEPTH;

export function startNested(graph: Graph, object: KubeObject, at: NodeRun): InstanceRun | undefined {
  const { run, node } = at;
  if (!mayNest(run)) {
    const message = phrase`RGDs are nested more than ${{ limit: shown(MAX_RENDER_DEPTH) }} deep`;
    reportNode(at, { code: 'nesting-too-deep', message, path: node.path });
    return undefined;
  }
  const { object: admitted, problems, values } = graph.admission.admit(object, run.budget);
  spendValues(run.budget, values);
  if (problems.length === 0) {
    const child = startInstance(graph, admitted, run.input, at, run.world);
    run.world.objects.nested.set(identityOf(child.instance), child);
    run.world.scheduler.add(child);
    return child;
  }
  const title = titleText(object, hasSecretIdentity(at));
  for (const problem of problems) {
    // The field is one of the nested instance; the position is that of its template.
    const path = [...node.path, 'template', ...problem.path];
    reportNode(at, { ...problem, path }, { field: problem.path }, title);
  }
  return undefined;
}

/** Reports two objects of one identity, whatever their version; one of them may be an object of the package. */
export function claimIdentity(object: KubeObject, key: string, item: Item | undefined, at: NodeRun): boolean {
  const { run, node } = at;
  const { objects, plain: given } = run.world;
  const other = objects.makers.get(key);
  const plain = given.get(key) ?? objects.instances.get(key)?.instance;
  if (other === undefined && plain === undefined) {
    objects.makers.set(key, nodeRun(run, node.index));
    return true;
  }
  run.world.lookups.taken.add(key);
  if (other === undefined && plain !== undefined && isOutput(plain)) {
    reportOutput(key, at);
    return false;
  }
  const by =
    other === undefined
      ? 'the package contains it already'
      : `the node '${other.node.id}' of ${titleOfRun(other.run)} renders it already`;
  const isHidden = hasSecretIdentity(at) || (other !== undefined && hasSecretIdentity(other));
  const hidden = `one ${object.kind}${item === undefined ? '' : ` (item ${item.index})`}`;
  const message = phrase`${{ object: shown(isHidden ? hidden : titleOf(object)) }} is a duplicate: ${{ reason: shown(by) }}`;
  const path = [...node.path, 'template', 'metadata', 'name'];
  const related = relatedTo(key, other, at);
  reportNode(at, { code: 'identity-collision', message, path, related: related && [related] });
  return false;
}

const isOutput = (object: KubeObject): boolean =>
  getAt(object, ['metadata', 'labels', MANAGED_BY]) === 'render-rgd' &&
  getAt(object, ['metadata', 'labels', KRO_LABEL.instanceId]) !== undefined;

/** Reports a file with earlier output once, and not for each of its objects. */
function reportOutput(key: string, { run: { world } }: NodeRun): void {
  const source = world.sourceOf(key);
  const file = source?.file ?? '';
  if (world.outputs.has(file)) return;
  world.outputs.add(file);
  world.reports.add({
    code: 'identity-collision',
    ...told`${{ file: file === '' ? 'the input' : trusted.file(file) }} contains output of render-rgd, as the label ${{ label: MANAGED_BY }} says; it would be rendered twice`,
    path: ['metadata', 'labels', MANAGED_BY],
    source,
    hint: composeText`remove the file, leave it out with --exclude, or write to another folder`,
  });
}

export function reportTwin(run: InstanceRun, first: InstanceRun): void {
  const message = phrase`is a duplicate: the package contains the instance already`;
  const path = ['metadata', 'name'];
  const related = { message: composeText`the other one`, source: first.input.source, path };
  reportAbout(run, { code: 'identity-collision', message, path, related: [related] });
}

function relatedTo(key: string, other: NodeRun | undefined, { run, node }: NodeRun): RelatedLocation | undefined {
  const message = composeText`the other one`;
  if (other === undefined) {
    const source = run.world.objects.instances.get(key)?.input.source ?? run.world.sourceOf(key);
    return { message, source, path: ['metadata', 'name'] };
  }
  if (other.run.graph !== run.graph || other.node.index !== node.index) {
    const path = [...other.node.path, 'template', 'metadata', 'name'];
    return { message, source: other.run.graph.input.source, path };
  }
  // Items of a node, and objects of instances inside one instance, have one location.
  if (other.run.input === run.input) return undefined;
  return { message, source: other.run.input.source, path: ['metadata', 'name'] };
}
