import { groupBy } from '../../core/model/group-by.ts';
import { type Application, applicationKey } from './application.ts';

/** The two versions of an application; one of them is missing if it is added or removed. */
export interface Pair {
  old: Application | undefined;
  newer: Application | undefined;
}

/**
 * Pairs the applications of two versions of a repository. Those with the same kind, namespace and name are distinguished
 * by their place: none hides another one. One that is unique in both versions may move.
 */
export function pairsOf(before: readonly Application[], after: readonly Application[]): Pair[] {
  const [old, newer] = [groupBy(before, applicationKey), groupBy(after, applicationKey)];
  const keys = [...new Set([...old.keys(), ...newer.keys()])].sort();
  return keys.flatMap((key) => pairGroup(old.get(key) ?? [], newer.get(key) ?? []));
}

function pairGroup(old: readonly Application[], newer: readonly Application[]): Pair[] {
  const left = [...newer];
  const pairs = old.map((one): Pair => {
    const at = left.findIndex(({ place }) => place === one.place);
    return { old: one, newer: at < 0 ? undefined : left.splice(at, 1)[0] };
  });
  const [gone, second] = pairs.filter((pair) => pair.newer === undefined);
  if (gone !== undefined && second === undefined && left.length === 1) gone.newer = left.pop();
  const all = [...pairs, ...left.map((one): Pair => ({ old: undefined, newer: one }))];
  return all.length === 1 ? all : all.map(qualified);
}

/** Names what distinguishes an application from its namesakes. */
function qualified({ old, newer }: Pair): Pair {
  const named = (one: Application | undefined): Application | undefined =>
    one === undefined ? undefined : { ...one, qualifier: one.place || one.path };
  return { old: named(old), newer: named(newer) };
}
