import { groupBy } from '../../core/model/group-by.ts';
import { type Application, applicationKey, titleOfApplication } from './application.ts';

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
  const pairs = keys.flatMap((key) => pairGroup(old.get(key) ?? [], newer.get(key) ?? []));
  const titles = groupBy(pairs, titleOf);
  return pairs.map((pair) => qualified(pair, titles.get(titleOf(pair)) ?? []));
}

const titleOf = ({ old, newer }: Pair): string => titleOfApplication((newer ?? old) as Application);

function pairGroup(old: readonly Application[], newer: readonly Application[]): Pair[] {
  const left = [...newer];
  const pairs = old.map((one): Pair => {
    const at = left.findIndex(({ place }) => place === one.place);
    return { old: one, newer: at < 0 ? undefined : left.splice(at, 1)[0] };
  });
  const [gone, second] = pairs.filter((pair) => pair.newer === undefined);
  if (gone !== undefined && second === undefined && left.length === 1) gone.newer = left.pop();
  return [...pairs, ...left.map((one): Pair => ({ old: undefined, newer: one }))];
}

/** Names what distinguishes an application from others of its kind and name: its place, and its namespace if that is not enough. */
function qualified(pair: Pair, alike: readonly Pair[]): Pair {
  if (alike.length === 1) return pair;
  const placeIn = ({ old, newer }: Pair): string => {
    const { place, path } = (newer ?? old) as Application;
    return place || path;
  };
  const isEnough = alike.filter((one) => placeIn(one) === placeIn(pair)).length === 1;
  const named = (one: Application | undefined): Application | undefined => {
    if (one === undefined) return undefined;
    const place = one.place || one.path;
    return { ...one, qualifier: isEnough || one.namespace === '' ? place : `${one.namespace}, ${place}` };
  };
  return { old: named(pair.old), newer: named(pair.newer) };
}
