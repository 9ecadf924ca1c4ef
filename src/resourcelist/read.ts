import type { Problem } from '../diagnostics/diagnostic.ts';
import { type InputObject, isKubeObject, nameOf, type Source } from '../model/object.ts';
import { get, isMap, type Value, type ValueMap } from '../model/value.ts';

/** A KRM ResourceList as it came, taken apart. */
export interface ResourceList {
  value: ValueMap;
  items: readonly Value[];
  functionConfig: Value | undefined;
  /** Tells this rendering from that of another functionConfig over the same items. */
  name: string;
  source: Source;
}

/** The name of a function without a functionConfig. */
const DEFAULT_NAME = 'default';

/** Takes a ResourceList apart. A missing `items` is an empty one. */
export function readResourceList(value: Value, source: Source): ResourceList | Problem {
  const apiVersion = get(value, 'apiVersion');
  const isList = typeof apiVersion === 'string' && apiVersion.startsWith('config.kubernetes.io/');
  if (!isMap(value) || !isList || get(value, 'kind') !== 'ResourceList') {
    const hint = 'to render files or a stream of objects: render-rgd render PATH...';
    return { code: 'resource-list', message: 'standard input must hold one ResourceList', path: [], hint };
  }
  const items = get(value, 'items') ?? [];
  if (!Array.isArray(items)) return { code: 'resource-list', message: 'items must be a list', path: ['items'] };
  const strange = items.findIndex((item) => !isKubeObject(item));
  if (strange >= 0) {
    const message = 'an item must be an object with apiVersion and kind';
    return { code: 'resource-list', message, path: ['items', strange] };
  }
  const functionConfig = get(value, 'functionConfig') ?? undefined;
  const name = (isMap(functionConfig) && nameOf(functionConfig)) || DEFAULT_NAME;
  return { value, items, functionConfig, name, source };
}

/** The item at an index, with its place in the list. */
export function itemAt(list: ResourceList, index: number): InputObject {
  const source = { ...list.source, path: ['items', index] };
  return { object: list.items[index] as InputObject['object'], source };
}
