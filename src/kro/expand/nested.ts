import { phrase, shown, titleText } from '../../core/diagnostics/index.ts';
import { MAX_RENDER_DEPTH } from '../../core/model/limits.ts';
import { identityOf, type KubeObject } from '../../core/model/object.ts';
import { spendValues } from '../../languages/cel/index.ts';
import type { Graph } from '../compile/index.ts';
import { startInstance } from './instance.ts';
import type { NodeRun } from './node-run.ts';
import { reportNode } from './report.ts';
import type { InstanceRun } from './run.ts';
import { hasSecretIdentity } from './secrecy.ts';

/** Reports whether an instance may render instances. */
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
