import { type Collector, type Problem, redact, reporterFor } from '../core/diagnostics/index.ts';
import { groupBy } from '../core/model/group-by.ts';
import { type InputObject, identityOf, type KubeObject, withNamespace } from '../core/model/object.ts';
import { get, isMap, listOf, type Value } from '../core/model/value.ts';
import type { Group, Ordered } from '../kubernetes/label/index.ts';
import type { ExpandedSet } from './expand.ts';
import { isResourceSet } from './kinds.ts';

/**
 * Returns the order of objects of ResourceSets: step by step, and after the objects of `spec.dependsOn`, as the Flux
 * operator applies them. Names that are neither in the package nor rendered have no effect.
 * @param known the objects of the package
 * @param reported earlier reports: the errors of each template are reported once
 */
export function orderOfSets(
  sets: readonly ExpandedSet[],
  known: readonly InputObject[],
  reported: Set<string>,
  reports: Collector,
): { objects: readonly Ordered[]; groups: readonly Group[] } {
  const plain = new Map(known.map(({ object }) => [identityOf(object), object]));
  for (const { input, place } of sets)
    plain.set(identityOf(withNamespace(input.object, place.namespace)), input.object);
  const own = new WeakSet<Ordered>();
  const objects: Ordered[] = [];
  const groups: Group[] = [];
  for (const set of sets) {
    if (set.passedThrough) continue;
    const reporter = reporterFor(set.input, reports);
    const reportOnce = (problem: Problem): void => {
      const key = JSON.stringify([set.id, problem.code, problem.path]);
      if (!reported.has(key)) reporter.report(problem);
      reported.add(key);
    };
    for (const { object, path } of set.rendered) {
      const reportOrder: Ordered['reportOrder'] = (_, problem, other) => {
        const about = { ...problem, path: [...path, ...problem.path] };
        // The name of an object that an RGD renders may be secret.
        reportOnce(other === undefined || own.has(other) ? about : redact(about));
      };
      const ordered: Ordered = { object: object as KubeObject, dependencies: [], reportOrder };
      own.add(ordered);
      objects.push(ordered);
    }
    const dependencies = dependsOn(set).map((one) => plain.get(identityOf(one)) ?? one);
    groups.push({ object: set.input.object, steps: stepsOf(set), dependencies, report: reportOnce });
  }
  return { objects, groups };
}

/** Returns the objects of `spec.dependsOn`, without contents. A ResourceSet without a namespace is in the same one. */
function dependsOn({ input, place }: ExpandedSet): KubeObject[] {
  const entries = get(get(input.object, 'spec'), 'dependsOn');
  return listOf(entries).flatMap((entry: Value): KubeObject[] => {
    if (!isMap(entry)) return [];
    const { apiVersion, kind, name, namespace } = entry;
    if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof name !== 'string') return [];
    const object: KubeObject = { apiVersion, kind, metadata: { name } };
    if (typeof namespace === 'string' && namespace !== '') return [withNamespace(object, namespace)];
    return [isResourceSet(object) ? withNamespace(object, place.namespace) : object];
  });
}

const stepsOf = ({ rendered }: ExpandedSet): KubeObject[][] =>
  [...groupBy(rendered, ({ step }) => step).values()].map((all) => all.map(({ object }) => object as KubeObject));
