import { matches, parseSelector, type Selector } from '../../../core/model/label-selector.ts';
import { groupVersionKind, type KubeObject, namespaceOf } from '../../../core/model/object.ts';
import { get, getAt, isMap, type ValueMap } from '../../../core/model/value.ts';
import { createBudget } from '../../../languages/cel/index.ts';
import { type InstanceRun, namespaceFor } from '../../expand/index.ts';
import { type ReadTarget, referencedReadTarget, type Survey, type SurveyedNode } from '../reads/index.ts';

/** The objects that a reference finds, and the labels of its selector. */
interface Referenced {
  targets: readonly ReadTarget[];
  labels: readonly string[];
}

/** Returns the objects of the reference of a node; none for a node that renders its objects. */
export function referencedBy(surveyed: SurveyedNode, run: InstanceRun, survey: Survey): Referenced {
  const { node, targets = [], isPending } = surveyed;
  if (node.kind === 'external') return { targets, labels: [] };
  if (node.kind !== 'externalCollection' || isPending) return { targets: [], labels: [] };
  const reference = node.template({ frame: run.frame, budget: createBudget(survey.world.options), failures: [] });
  const metadata = get(reference, 'metadata') as ValueMap;
  const { selector, faults } = parseSelector(metadata.selector ?? null);
  if (faults.length > 0) return { targets: [], labels: [] };
  const labels = selector.map(({ key }) => key);
  return { targets: [...targets, ...hidden(node, selector, namespaceFor(node, metadata, run), survey)], labels };
}

/** Returns observed objects that are not selected, but replace objects of the package that would be. */
function hidden({ gvk }: SurveyedNode['node'], selector: Selector, namespace: string, survey: Survey): ReadTarget[] {
  const { plain, observed } = survey.world;
  return [...plain].flatMap(([key, object]) => {
    const seen = observed.find(key);
    const { group, kind } = groupVersionKind(object);
    const isSelected =
      group === gvk.group &&
      kind === gvk.kind &&
      (namespace === '' || namespaceOf(object) === namespace) &&
      matches(selector, labelsOf(object));
    return seen === undefined || !isSelected ? [] : [referencedReadTarget(seen, gvk, survey.world)];
  });
}

function labelsOf(object: KubeObject): ValueMap {
  const labels = getAt(object, ['metadata', 'labels']);
  return isMap(labels) ? labels : {};
}
