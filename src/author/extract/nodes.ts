import { groupVersionKind, type KubeObject, namespaceOf } from '../../core/model/object.ts';
import { get, isMap, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import type { KindRegistry } from '../../kubernetes/schema/index.ts';
import type { Aligned } from './align.ts';
import type { Generaliser } from './generalise.ts';
import {
  copyOf,
  type Each,
  type Identity,
  type MapPattern,
  membersOf,
  type Node,
  type Place,
  type Rows,
} from './model.ts';

/** Returns the nodes of aligned objects, with their patterns. */
export function nodesOf(
  aligned: readonly Aligned[],
  ids: readonly string[],
  generaliser: Generaliser,
  identities: readonly Identity[],
  kinds: KindRegistry,
): Node[] {
  return aligned.map((one, index) => {
    const id = ids[index] as string;
    const { apiVersion, kind, rows, outer, inputs } = one;
    const objects = completed(one, identities);
    const schema = kinds.find(groupVersionKind(one))?.schema;
    const isOfOneCopy = rows.size > 1 && objects.filter((object) => object !== undefined).length === 1;
    const place: Place = isOfOneCopy ? { node: id, steps: [], schema, isOfOneCopy } : { node: id, steps: [], schema };
    const pattern = generaliser.generalise(objects, place, rows) as MapPattern;
    const node: Node = { id, apiVersion, kind, rows, inputs, objects, pattern };
    if (outer !== undefined) node.list = listOf(node, outer, place);
    else if (objects.includes(undefined)) {
      const present = objects.map((object) => object !== undefined);
      node.condition = { rows, present, place, part: pattern };
    }
    return node;
  });
}

/** The order in which people write metadata. */
const FIRST: readonly string[] = ['name', 'namespace', 'labels', 'annotations'];

/** Returns the list of which a collection has an object for each item. */
function listOf({ rows, pattern, objects }: Node, outer: Rows, place: Place): Each {
  const members = membersOf(rows);
  const cells = Array.from({ length: outer.size }, (_, row) =>
    (members.get(row) ?? []).map((at) => objects[at] as Value),
  );
  return { type: 'each', rows: outer, inner: rows, item: pattern, place, cells, isBetween: false };
}

/**
 * Returns objects whose metadata have the same maps: no expression can leave out labels, and empty ones are equal to
 * none. The namespace is left out where it is that of the instance.
 */
function completed({ rows, inputs }: Aligned, identities: readonly Identity[]): (KubeObject | undefined)[] {
  const objects = inputs.map((input) => input?.object);
  const isOwn = objects.every((object, row) => {
    if (object === undefined) return true;
    return namespaceOf(object) === identities[copyOf(rows, row)]?.namespace;
  });
  const keys = ['labels', 'annotations'].filter((key) => objects.some((object) => isMap(get(object?.metadata, key))));
  return objects.map((object) => {
    if (object === undefined || !isMap(object.metadata)) return object;
    const metadata: ValueMap = {};
    const written = Object.entries(object.metadata);
    const first = FIRST.flatMap((key) => written.filter(([name]) => name === key));
    for (const [key, value] of [...first, ...written]) if (key !== 'namespace' || !isOwn) setKey(metadata, key, value);
    for (const key of keys) if (!Object.hasOwn(metadata, key)) setKey(metadata, key, {});
    return { ...object, metadata };
  });
}
