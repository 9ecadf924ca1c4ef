import type { Problem, Report } from '../diagnostics/index.ts';
import { type DocumentText, jsonEvents } from '../edit/index.ts';
import { type InputObject, isKubeObject, nameOf, type Source } from '../model/object.ts';
import { get, isMap, type Value, type ValueMap } from '../model/value.ts';
import type { StreamDocument } from '../parse/index.ts';

/** A KRM ResourceList as it came, taken apart. */
export interface ResourceList {
  value: ValueMap;
  items: readonly Value[];
  functionConfig: Value | undefined;
  /** Tells this rendering from that of another functionConfig over the same items. */
  name: string;
  source: Source;
  /** What is wrong with it as YAML and yet does not hide the rest; their paths start at the list. */
  faults: readonly Report[];
  /** Where everything stands in the text of `source`. */
  written: DocumentText;
}

/** The name of a function without a functionConfig. */
const DEFAULT_NAME = 'default';

/** Takes a ResourceList apart that was read with its positions. A missing `items` is an empty one. */
export function readResourceList(
  document: StreamDocument,
  source: Source,
  faults: readonly Report[] = [],
): ResourceList | Problem {
  const { value } = document;
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
  return { value, items, functionConfig, name, source, faults, written: writtenIn(source.text, document) };
}

function writtenIn(text: string, { written }: StreamDocument): DocumentText {
  const { start, parsed } = written ?? { start: 0, parsed: undefined };
  const { source, events, original } = parsed ?? jsonDocument(text.slice(start));
  return { text, source, events, original: (offset) => Math.min(start + original(offset), text.length) };
}

const jsonDocument = (source: string): Omit<DocumentText, 'text'> => ({
  source,
  events: jsonEvents(source),
  original: (offset) => offset,
});

/** The item at an index, with its place in the list. */
export function itemAt(list: ResourceList, index: number): InputObject {
  const source = { ...list.source, path: ['items', index], item: index };
  return { object: list.items[index] as InputObject['object'], source };
}
