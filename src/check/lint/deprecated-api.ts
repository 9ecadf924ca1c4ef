import { deprecatedKind } from '../../kubernetes/schema/index.ts';
import type { LintProblem, Subject } from './subject.ts';

/** Finds nodes whose kind the release of Kubernetes has deprecated. */
export function* deprecatedApi({ graph, release }: Subject): Iterable<LintProblem> {
  if (release === undefined) return;
  for (const node of graph.nodes) {
    const found = deprecatedKind(node.gvk, release);
    if (found === undefined) continue;
    const { code: _, severity: __, ...problem } = found;
    yield { ...problem, path: [...node.path, node.contentKey, 'apiVersion'], node };
  }
}
