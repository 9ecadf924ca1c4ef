import type { GroupVersionKind } from '../../model/object.ts';
import type { KindRegistry } from '../../schema/index.ts';
import { nearest } from '../../text/nearest.ts';
import type { Graph, Graphs } from '../compile/index.ts';
import { groupKind } from '../definition/index.ts';

/** What an object was probably meant to be an instance of. */
export interface Meant {
  graph: Graph;
  /** The field with the slip. */
  field: 'apiVersion' | 'kind';
  /** Its group has nothing in common with that of the RGD, so it may well be something else. */
  doubtful: boolean;
}

/**
 * Finds the RGD that an object with a slip in its group or kind was meant for. Kinds that a core type, a CRD or the
 * cluster's OpenAPI document describes are what they say.
 */
export function meantFinder(graphs: Graphs, kinds: KindRegistry): (gvk: GroupVersionKind) => Meant | undefined {
  const all = [...graphs.values()];
  const groups = new Set(all.map(({ group }) => group));
  const answers = new Map<string, Meant | undefined>();
  let described: ReadonlySet<string> | undefined;
  const isDescribed = (gvk: GroupVersionKind): boolean => {
    if (kinds.find(gvk) !== undefined) return true;
    described ??= new Set([...kinds.names()].map(withoutVersion));
    return described.has(groupKind(gvk));
  };
  const find = (gvk: GroupVersionKind): Meant | undefined => {
    const sameKind = all.filter(({ kind }) => kind === gvk.kind);
    const related = sameKind.find(({ group }) => areRelated(gvk.group, group));
    const graph = related ?? sameKind[0];
    if (graph !== undefined) {
      return isDescribed(gvk) ? undefined : { graph, field: 'apiVersion', doubtful: related === undefined };
    }
    const [group] = groups.has(gvk.group) ? [gvk.group] : nearest(gvk.group, groups, 1);
    const inGroup = all.filter((one) => one.group === group);
    const [close] = nearest(
      gvk.kind,
      inGroup.map(({ kind }) => kind),
      1,
    );
    const meant = inGroup.find(({ kind }) => kind === close);
    return meant === undefined || isDescribed(gvk) ? undefined : { graph: meant, field: 'kind', doubtful: false };
  };
  return (gvk) => {
    const key = groupKind(gvk);
    if (!answers.has(key)) answers.set(key, find(gvk));
    return answers.get(key);
  };
}

/** `Kind.version.group` as `Kind.group`. */
function withoutVersion(name: string): string {
  const [kind = '', _version, ...group] = name.split('.');
  return `${kind}.${group.join('.')}`;
}

/**
 * Whether one group may be a slip for the other: none at all (`apiVersion: v1alpha1`), kro's own, a few letters away,
 * or of the same domain.
 */
function areRelated(written: string, defined: string): boolean {
  if (written === '' || written === 'kro.run' || nearest(written, [defined]).length > 0) return true;
  const domain = (group: string): string => group.split('.').slice(-2).join('.');
  return domain(written) === domain(defined);
}
