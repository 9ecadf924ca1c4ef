import type { Problem, Report } from '../diagnostics/diagnostic.ts';
import { titleOf } from '../model/object.ts';
import type { InstanceRun } from './instance.ts';
import { withoutSecretValues } from './secrecy.ts';
import type { World } from './world.ts';

/** Reports about an instance: `problem.path` is a path in the instance. */
export function reportAbout(run: InstanceRun, world: World, problem: Problem): void {
  const report: Report = { ...problem, object: titleOf(run.instance) };
  // A nested instance stands in no file; its outermost one does, but paths would not fit it.
  if (run.parent === undefined && run.input.source !== undefined) report.source = run.input.source;
  world.reports.push(report);
}

/** Reports about a node of an instance: `problem.path` is a path in the RGD. */
export function reportNode(run: InstanceRun, index: number, world: World, problem: Problem): void {
  const node = run.graph.nodes[index];
  const shown = node === undefined ? problem : withoutSecretValues(problem, node, run.graph);
  const report: Report = { ...shown, object: titleOf(run.instance), node: node?.id ?? '' };
  if (run.graph.input.source !== undefined) report.source = run.graph.input.source;
  world.reports.push(report);
}
