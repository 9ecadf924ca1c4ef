import { groupVersionKind, type InputObject, isKubeObject } from '../model/object.ts';
import { get, getAt } from '../model/value.ts';
import { definedKind } from '../rerender/index.ts';

/**
 * The kinds, as `Kind.group`, that nodes with these ids render when they are kinds of RGDs themselves, and what those
 * render in turn. Objects of such nested instances name only the nearest instance, and while a node waits nobody knows
 * which instances it would have made.
 */
export function kindsOfWaitingNodes(ids: ReadonlySet<string>, inputs: readonly InputObject[]): Set<string> {
  const rgds = inputs.filter(({ object }) => object.kind === 'ResourceGraphDefinition');
  const rendersOf = new Map<string, string[]>();
  const found = new Set<string>();
  for (const { object } of rgds) {
    const nodes = nodesOf(object);
    rendersOf.set(
      definedKind(object),
      nodes.map(({ kind }) => kind),
    );
    for (const { id, kind } of nodes) if (ids.has(id)) found.add(kind);
  }
  // A Set yields what is added while it is walked.
  for (const kind of found) for (const inner of rendersOf.get(kind) ?? []) found.add(inner);
  return new Set([...found].filter((kind) => rendersOf.has(kind)));
}

function nodesOf(rgd: InputObject['object']): { id: string; kind: string }[] {
  const resources = getAt(rgd, ['spec', 'resources']);
  if (!Array.isArray(resources)) return [];
  return resources.flatMap((resource) => {
    const id = get(resource, 'id');
    const template = get(resource, 'template');
    if (typeof id !== 'string' || !isKubeObject(template)) return [];
    const { group, kind } = groupVersionKind(template);
    return [{ id, kind: `${kind}.${group}` }];
  });
}
