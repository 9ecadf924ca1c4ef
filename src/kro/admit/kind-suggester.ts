import domains from '../../../data/project-domains.json';
import { getOrCompute, lazily } from '../../core/model/lazily.ts';
import { type GroupVersionKind, groupKind } from '../../core/model/object.ts';
import { nearest } from '../../core/text/nearest.ts';
import { type KindRegistry, readKindName } from '../../kubernetes/schema/index.ts';
import type { Graph, Graphs } from '../compile/index.ts';

/**
 * The domains of API groups of widely used projects. Objects in them are correct: their kinds have common names, such
 * as `Application`, `Cluster` or `Service`, which an RGD may define in its own group.
 */
const DOMAINS: ReadonlySet<string> = new Set(domains);

/** Reports whether a group, or a parent domain, belongs to such a project. */
export function isOfProject(group: string): boolean {
  const labels = group.split('.');
  return labels.some((_, index) => DOMAINS.has(labels.slice(index).join('.')));
}

export interface SuggestedKind {
  graph: Graph;
  field: 'apiVersion' | 'kind';
  /** Its group is unrelated to that of the RGD, so it may be something else. */
  doubtful: boolean;
}

/**
 * Finds the RGD for an object with a misspelled group or kind. Kinds that a core type, a CRD or the cluster's OpenAPI
 * document describes are correct.
 */
export function createKindSuggester(
  graphs: Graphs,
  isDescribed: (gvk: GroupVersionKind) => boolean,
): (gvk: GroupVersionKind) => SuggestedKind | undefined {
  const all = [...graphs.values()];
  const groups = new Set(all.map(({ group }) => group));
  const answers = new Map<string, SuggestedKind | undefined>();
  const find = (gvk: GroupVersionKind): SuggestedKind | undefined => {
    const sameKind = all.filter(({ kind }) => kind === gvk.kind);
    const related = sameKind.find(({ group }) => areRelated(gvk.group, group));
    const graph = related ?? (isOfProject(gvk.group) ? undefined : sameKind[0]);
    if (graph !== undefined) {
      return isDescribed(gvk) ? undefined : { graph, field: 'apiVersion', doubtful: related === undefined };
    }
    if (sameKind.length > 0 && graph === undefined) return undefined;
    const [group] = groups.has(gvk.group) ? [gvk.group] : nearest(gvk.group, groups, 1);
    const inGroup = all.filter((one) => one.group === group);
    const kindsOfGroup = inGroup.map(({ kind }) => kind);
    const [close] = nearest(gvk.kind, kindsOfGroup, 1);
    // A group of an RGD has few kinds, so a less similar one is probable too.
    const likely = close ?? (group === gvk.group ? likelyKind(gvk.kind, kindsOfGroup) : undefined);
    const intended = inGroup.find(({ kind }) => kind === likely);
    return intended === undefined || isDescribed(gvk) ? undefined : { graph: intended, field: 'kind', doubtful: false };
  };
  return (gvk) => getOrCompute(answers, groupKind(gvk), () => find(gvk));
}

/** Returns the kind that shares the beginning or the end, and most of its letters. */
function likelyKind(written: string, kinds: readonly string[]): string | undefined {
  const wanted = written.toLowerCase();
  const isLikely = (kind: string): boolean => {
    const other = kind.toLowerCase();
    const shorter = Math.min(wanted.length, other.length);
    const shared = Math.max(sharedStart(wanted, other), sharedStart(reversed(wanted), reversed(other)));
    const isPart = shared === shorter;
    return shared >= 2 && (isPart || (shared * 2 > shorter && Math.abs(wanted.length - other.length) <= shorter));
  };
  return kinds
    .filter(isLikely)
    .sort((a, b) => Math.abs(a.length - wanted.length) - Math.abs(b.length - wanted.length))[0];
}

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

const reversed = (text: string): string => [...text].reverse().join('');

/** Reports whether a core type, a CRD or the cluster's OpenAPI document describes a kind, in any version. */
export function describedBy(kinds: KindRegistry): (gvk: GroupVersionKind) => boolean {
  const described = lazily(() => new Set([...kinds.names()].map((name) => groupKind(readKindName(name)))));
  return (gvk) => kinds.find(gvk) !== undefined || described().has(groupKind(gvk));
}

/**
 * Reports whether one group may be a misspelling of the other: missing (`apiVersion: v1alpha1`), kro's own, a few
 * letters different, or of the same domain.
 */
function areRelated(written: string, defined: string): boolean {
  if (written === '' || written === 'kro.run' || nearest(written, [defined]).length > 0) return true;
  const domain = (group: string): string => group.split('.').slice(-2).join('.');
  return domain(written) === domain(defined);
}
