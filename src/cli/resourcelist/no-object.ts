import { type Problem, phrase } from '../../core/diagnostics/index.ts';
import { ITEM_PATH } from '../../core/model/keys.ts';
import { annotationOf, isKubeObject } from '../../core/model/object.ts';
import { getAt, isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import { noObjectProblems } from '../../yaml/parse/index.ts';

/**
 * Returns the errors of items that are not Kubernetes objects; their paths start at the list. An item from a file
 * follows the rules for documents: kustomize fn run passes every map of a folder, including kustomizations and values.
 */
export function itemProblems(items: readonly Value[]): Problem[] {
  return items.flatMap((item, index) => {
    if (isKubeObject(item)) return [];
    const file = isMap(item) ? annotationOf(item, ITEM_PATH) : undefined;
    if (!isMap(item) || file === undefined) return [notAnItem(index)];
    const problems = noObjectProblems(asWritten(item), { file: file.replace(/^.*\//, ''), isItem: false });
    return problems.map((problem) => ({ ...problem, path: ['items', index, ...problem.path] }));
  });
}

const notAnItem = (index: number): Problem => ({
  code: 'resource-list',
  message: phrase`an item must be an object with apiVersion and kind`,
  path: ['items', index],
});

/** Removes the annotations of the runner, for which it adds the metadata. */
function asWritten(item: ValueMap): ValueMap {
  const { metadata, ...rest } = item;
  const annotations = getAt(item, ['metadata', 'annotations']);
  const isAdded =
    isMap(metadata) &&
    isMap(annotations) &&
    Object.keys(metadata).length === 1 &&
    Object.keys(annotations).every((key) => /^(internal\.)?config\.(kubernetes|k8s)\.io\//.test(key));
  return isAdded ? rest : item;
}
