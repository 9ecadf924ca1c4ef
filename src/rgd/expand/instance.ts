import { type CelValue, createBudget } from '../../cel/index.ts';
import { instanceId, originLabels } from '../../label/index.ts';
import { withoutBookkeeping } from '../../model/bookkeeping.ts';
import { type InputObject, type KubeObject, nameOf, namespaceOf } from '../../model/object.ts';
import { get, type ValueMap } from '../../model/value.ts';
import { type Graph, SCHEMA_SLOT } from '../compile/index.ts';
import { wholeAgenda } from './agenda.ts';
import { reportAbout } from './report.ts';
import type { InstanceRun } from './run.ts';
import { isSecretlyNamed } from './secrecy.ts';
import type { World } from './world.ts';

/** Starts the expansion of an admitted instance. */
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
  const run: InstanceRun = {
    graph,
    instance,
    input,
    id,
    namespace,
    parent,
    depth: parent === undefined ? 1 : parent.run.depth + 1,
    labels: {},
    frame: new Array<CelValue | undefined>(graph.frameSize),
    states: graph.nodes.map(() => 'open'),
    agenda: wholeAgenda(graph.order.length),
    made: graph.nodes.map(() => []),
    stale: new Set(),
    budget: parent === undefined ? createBudget(world.options) : parent.run.budget,
  };
  run.frame[SCHEMA_SLOT] = instance as CelValue;
  run.labels = originLabels(
    { rgd: { name: graph.name, uid: graph.uid }, instance: { id, version: graph.version, ...identity } },
    (label, value) => {
      const what = isSecretlyNamed(run, world) ? 'its value' : `'${value}'`;
      const message = `the label ${label} is shortened: ${what} has more than 63 characters`;
      reportAbout(run, world, { code: 'label-shortened', message, path: ['metadata', 'name'], severity: 'warning' });
    },
  );
  world.objects.addUid(id);
  return run;
}

/** The instance as an API server would have stored it. */
function stored(admitted: KubeObject, namespace: string, uid: string): KubeObject {
  const clean = withoutBookkeeping(admitted);
  const metadata: ValueMap = { ...(clean.metadata as ValueMap), uid };
  if (namespace === '') delete metadata.namespace;
  else metadata.namespace = namespace;
  return { ...clean, metadata };
}
