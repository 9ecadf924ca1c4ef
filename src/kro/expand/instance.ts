import { phrase, shown, titleText } from '../../core/diagnostics/index.ts';
import { withoutBookkeeping } from '../../core/model/bookkeeping.ts';
import { MAX_RENDER_DEPTH } from '../../core/model/limits.ts';
import { type InputObject, identityOf, type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import { get, type ValueMap } from '../../core/model/value.ts';
import { instanceId, originLabels } from '../../kubernetes/label/index.ts';
import { createBudget, spendValues } from '../../languages/cel/index.ts';
import type { Graph } from '../compile/index.ts';
import type { NodeRun } from './node-run.ts';
import { reportAbout, reportNode } from './report.ts';
import { createRun, type InstanceRun } from './run.ts';
import { hasSecretIdentity, isSecretlyNamed } from './secrecy.ts';
import type { World } from './world.ts';

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
    ...{ graph, instance, input, id, namespace, parent },
    depth: parent === undefined ? 1 : parent.run.depth + 1,
    budget: parent === undefined ? createBudget(world.options) : parent.run.budget,
  };
  const origin = { rgd: { name: graph.name, uid: graph.uid }, instance: { id, version: graph.version, ...identity } };
  const run = createRun(start, (started) => {
    // The objects of a Graph name their node only.
    if (graph.nodes.some(({ layer }) => layer !== undefined)) return {};
    return originLabels(origin, (label, value) => {
      const what = isSecretlyNamed(started, world) ? 'its value' : `'${value}'`;
      const message = phrase`the label ${shown(label)} is shortened: ${shown(what)} has more than 63 characters`;
      const path = ['metadata', 'name'];
      reportAbout(started, world, { code: 'label-shortened', message, path, severity: 'warning' });
    });
  });
  world.objects.addUid(id);
  return run;
}

/** Returns the instance as an API server would have stored it. */
function stored(admitted: KubeObject, namespace: string, uid: string): KubeObject {
  const clean = withoutBookkeeping(admitted);
  const metadata: ValueMap = { ...(clean.metadata as ValueMap), uid };
  if (namespace === '') delete metadata.namespace;
  else metadata.namespace = namespace;
  return { ...clean, metadata };
}

export const mayNest = ({ depth }: InstanceRun): boolean => depth < MAX_RENDER_DEPTH;

/** Admits a rendered object that is an instance of an RGD and starts its expansion. */
export function startNested(graph: Graph, object: KubeObject, at: NodeRun): InstanceRun | undefined {
  const { run, node, world } = at;
  if (!mayNest(run)) {
    const message = phrase`RGDs are nested more than ${shown(MAX_RENDER_DEPTH)} deep`;
    reportNode(at, { code: 'nesting-too-deep', message, path: node.path });
    return undefined;
  }
  const { object: admitted, problems, values } = graph.admission.admit(object, run.budget);
  spendValues(run.budget, values);
  if (problems.length === 0) {
    const child = startInstance(graph, admitted, run.input, { run, node: node.index }, world);
    world.objects.addNested(identityOf(child.instance), child);
    world.scheduler.add(child);
    return child;
  }
  const title = titleText(object, hasSecretIdentity(run, node.index, world));
  for (const problem of problems) {
    // The field is one of the nested instance; the position is that of its template.
    const path = [...node.path, 'template', ...problem.path];
    reportNode(at, { ...problem, path }, { field: problem.path }, title);
  }
  return undefined;
}
