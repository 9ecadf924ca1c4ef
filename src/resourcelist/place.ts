import { annotationOf, identityOf, type KubeObject } from '../model/object.ts';
import type { Entry } from '../model/render.ts';
import { isMap, type Path, type Value } from '../model/value.ts';
import { marked, unmarked } from '../print/local-config.ts';
import { groupBy } from './group-by.ts';
import type { ResourceList } from './read.ts';

/** kustomize tells its transformers by this what it called an item. */
const KUSTOMIZE_ID = 'kustomize.config.k8s.io/id';

/**
 * The items to answer with: every item in its place, rendered objects after their instance, earlier ones gone unless
 * `kept` has their index.
 */
export function placeItems(
  list: ResourceList,
  entries: readonly Entry[],
  earlier: ReadonlyMap<number, KubeObject>,
  kept: ReadonlySet<number>,
): Value[] {
  const rendered = new Set(entries.flatMap((entry) => entry.rendered.map(({ object }) => identityOf(object))));
  const byItem = groupBy(entries, (entry) => entry.input.source?.path[1] as number);
  return list.items.flatMap((item, index) => {
    if (earlier.has(index)) return kept.has(index) ? [item] : [];
    const own = byItem.get(index) ?? [];
    if (own.some((entry) => isTwinInKustomize(entry, rendered))) return [];
    const placed = own.reduce((value, entry) => replaceAt(value, pathInItem(entry), markOf(entry)), item);
    return [placed, ...own.flatMap(({ rendered }) => rendered.map(({ object }) => object))];
  });
}

/**
 * kustomize refuses two items of one identity, local-config or not, so the live object that supplied a value cannot
 * stay beside the rendered one. Nothing is lost: what kustomize reads it never writes back.
 */
const isTwinInKustomize = ({ role, input: { object } }: Entry, rendered: ReadonlySet<string>): boolean =>
  role === 'observed' && annotationOf(object, KUSTOMIZE_ID) !== undefined && rendered.has(identityOf(object));

/** Members of a `List` item are deeper than the item itself. */
const pathInItem = (entry: Entry): Path => entry.input.source?.path.slice(2) ?? [];

/** What an entry does to its item: input of the rendering is for the package only, not for the cluster. */
function markOf({ role, passedThrough }: Entry): (object: KubeObject) => KubeObject {
  if (passedThrough) return unmarked;
  return role === 'rgd' || role === 'instance' || role === 'observed' ? marked : (object) => object;
}

function replaceAt(value: Value, path: Path, change: (object: KubeObject) => KubeObject): Value {
  const [step, ...rest] = path;
  if (step === undefined) return change(value as KubeObject);
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? replaceAt(item, rest, change) : item));
  if (!isMap(value)) return value;
  return { ...value, [step]: replaceAt(value[step] as Value, rest, change) };
}
