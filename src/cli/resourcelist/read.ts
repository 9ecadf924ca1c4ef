import { isError, type Problem, phrase, type Report, toReport } from '../../core/diagnostics/index.ts';
import { ITEM_PATH } from '../../core/model/keys.ts';
import { annotationOf, type InputObject, isKubeObject, nameOf, type Source } from '../../core/model/object.ts';
import { get, getAt, isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import { functionName } from '../../render/rerender/index.ts';
import { noObjectProblems, type StreamDocument } from '../../yaml/parse/index.ts';
import { readJsonTree, type SyntaxTree } from '../../yaml/tree/index.ts';

/**
 * Returns the errors of items that are not Kubernetes objects; their paths start at the list. An item from a file
 * follows the rules for documents: kustomize fn run passes every map of a folder, including kustomizations and values.
 */
function itemProblems(items: readonly Value[]): Problem[] {
  return items.flatMap((item, index) => {
    if (isKubeObject(item)) return [];
    const file = isMap(item) ? annotationOf(item, ITEM_PATH) : undefined;
    if (!isMap(item) || file === undefined) {
      const message = phrase`an item must be an object with apiVersion and kind`;
      return [{ code: 'resource-list', message, path: ['items', index] }];
    }
    const problems = noObjectProblems(asWritten(item), { file: file.replace(/^.*\//, ''), isItem: false });
    return problems.map((problem) => ({ ...problem, path: ['items', index, ...problem.path] }));
  });
}

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

/** A KRM ResourceList with its parts. */
export interface ResourceList {
  value: ValueMap;
  /** Some may not be objects. */
  items: readonly Value[];
  functionConfig: Value | undefined;
  /** The name of the functionConfig, which distinguishes several ones over the same items. */
  name: string;
  source: Source;
  /** Its YAML errors, and those of its items, that do not prevent reading; their paths start at the list. */
  faults: readonly Report[];
  /** Its tree in the text of `source`. */
  tree: SyntaxTree;
}

/** Decodes a ResourceList that was read with positions. Missing `items` are empty. */
export function readResourceList(
  document: StreamDocument,
  source: Source,
  faults: readonly Report[] = [],
): ResourceList | Problem {
  const { value } = document;
  const apiVersion = get(value, 'apiVersion');
  const isList = typeof apiVersion === 'string' && apiVersion.startsWith('config.kubernetes.io/');
  if (!isMap(value) || !isList || get(value, 'kind') !== 'ResourceList') {
    const hint = phrase`to render files or a stream of objects: render-rgd render PATH...`;
    return { code: 'resource-list', message: phrase`standard input must hold one ResourceList`, path: [], hint };
  }
  const items = get(value, 'items') ?? [];
  if (!Array.isArray(items)) return { code: 'resource-list', message: phrase`items must be a list`, path: ['items'] };
  const strange = itemProblems(items);
  const wrong = strange.find(isError);
  if (wrong !== undefined) return wrong;
  const functionConfig = get(value, 'functionConfig') ?? undefined;
  const name = functionName(isMap(functionConfig) ? nameOf(functionConfig) : '');
  const tree = document.written?.tree() ?? readJsonTree(source.text, 0);
  const all = [...faults, ...strange.map((problem) => ({ ...toReport(problem), source }))];
  return { value, items, functionConfig, name, source, faults: all, tree };
}

interface ListItem extends InputObject {
  source: Source & { item: number };
}

/** Returns the items that are objects, with their indexes. */
export const objectsAmong = (list: ResourceList): ListItem[] =>
  list.items.flatMap((item, index) => (isKubeObject(item) ? [itemAt(list, index)] : []));

/** Returns the object at an index, with its location in the list. */
export function itemAt(list: ResourceList, index: number): ListItem {
  const source = { ...list.source, path: ['items', index], item: index };
  return { object: list.items[index] as InputObject['object'], source };
}
