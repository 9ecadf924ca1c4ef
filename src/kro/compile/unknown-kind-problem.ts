import { composeText, type Listed, type Problem, phrase, trusted } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { lazily } from '../../core/model/lazily.ts';
import { type GroupVersionKind, groupKind } from '../../core/model/object.ts';
import { nearest } from '../../core/text/nearest.ts';
import { builtinKinds, pluralize, readKindName } from '../../kubernetes/schema/index.ts';
import type { GraphNode } from './graph.ts';

/**
 * Returns up to three similar kinds, as `apiVersion Kind`, and whether the kind does not exist in its group of
 * Kubernetes. Kinds must be similar in group and in kind: the Role of one API is unrelated to that of another.
 */
function unknownKind(
  gvk: GroupVersionKind,
  names: readonly string[],
): { impossible: boolean; intended: readonly string[] } {
  const known = names.map(readKindName);
  const core = coreKinds();
  const ofGroup = known.filter(({ group }) => group === gvk.group);
  const versions = ofGroup.filter(({ kind }) => kind === gvk.kind);
  // A document that describes only a few groups says nothing about others.
  const isWhole =
    known.length === 0 ? core.get(gvk.group)?.every(({ kind }) => kind !== gvk.kind) === true : ofGroup.length > 0;
  const impossible = core.has(gvk.group) && isWhole && versions.length === 0;
  if (versions.length > 0) return { impossible, intended: shown(versions) };
  const groups = nearGroups(gvk.group, known);
  const near = known.filter(({ group }) => groups.has(group));
  const kindsOfNear = near.map(({ kind }) => kind);
  const wanted = new Set([gvk.kind, ...nearest(gvk.kind, kindsOfNear, 3)]);
  const close = near.filter(({ kind }) => wanted.has(kind)).sort((a, b) => rank(a, gvk) - rank(b, gvk));
  if (close.length > 0 || !impossible) return { impossible, intended: shown(close) };
  return { impossible, intended: shown(known.filter(({ group, kind }) => core.has(group) && kind === gvk.kind)) };
}

const coreKinds = lazily(() => groupBy([...builtinKinds.names()].map(readKindName), ({ group }) => group));

const rank = (one: GroupVersionKind, wanted: GroupVersionKind): number =>
  (one.group === wanted.group ? 0 : 2) + (one.kind === wanted.kind ? 0 : 1);

/** Returns the groups that a written one may mean: itself, one with similar spelling, and '' for `core`. */
function nearGroups(group: string, known: readonly GroupVersionKind[]): Set<string> {
  const groups = new Set(known.map((one) => one.group));
  const near = new Set(nearest(group, groups));
  if (groups.has(group)) near.add(group);
  if (group === 'core') near.add('');
  return near;
}

function shown(kinds: readonly GroupVersionKind[]): string[] {
  const names = kinds.map(({ group, version, kind }) => `${group === '' ? '' : `${group}/`}${version} ${kind}`);
  return [...new Set(names)].slice(0, 3);
}

/** A warning, because a repository rarely has every CRD; an error if a group of Kubernetes itself has no such kind. */
export function unknownKindProblem(
  { path, gvk, scopeAssumed, namespaced }: Pick<GraphNode, 'path' | 'gvk' | 'scopeAssumed' | 'namespaced'>,
  names: readonly string[],
  strict: boolean,
): Problem {
  const { impossible, intended } = unknownKind(gvk, names);
  const isError = strict || impossible;
  const written = `${gvk.group === '' ? '' : `${gvk.group}/`}${gvk.version} ${gvk.kind}`;
  const scope = namespaced ? 'namespaced' : 'cluster-scoped';
  const assumed = scopeAssumed ? `, and it is assumed to be ${scope}` : '';
  const message = impossible
    ? phrase`${gvk.group === '' ? phrase`the core API group` : phrase`the API group ${gvk.group}`} of Kubernetes has no kind ${gvk.kind}`
    : phrase`no core type, CRD or RGD describes ${written}${isError ? phrase`` : phrase`; its fields are not checked${assumed}`}`;
  const question = intended.length === 0 ? undefined : `did you mean ${intended.join(' or ')}?`;
  const hint = impossible ? NEWER : phrase`${crdHint(gvk, isError, scopeAssumed && namespaced)}`;
  const problem: Problem = {
    code: 'unknown-kind',
    message,
    path: [...path, 'kind'],
    severity: isError ? 'error' : 'warning',
    hint: question === undefined ? hint : phrase`${question} If not, ${hint}`,
    alike: written,
  };
  return isError ? problem : { ...problem, listed: listedKind(gvk, written, question) };
}

const NEWER = phrase`give the types of a newer Kubernetes with --openapi`;

const OFF = '; a rule of render-rgd.yaml turns the warning off: code: unknown-kind, severity: off';

function crdHint(gvk: GroupVersionKind, isError: boolean, mayBeClusterScoped: boolean): string {
  const name = crdName(gvk);
  const option =
    !isError && mayBeClusterScoped ? `, or use --cluster-scoped ${groupKind(gvk)} if it has no namespace` : '';
  return `add its CustomResourceDefinition to the input${option}; kubectl get crd ${name} -o yaml > crds/${name}.yaml writes it from a cluster${isError ? '' : OFF}`;
}

function listedKind(gvk: GroupVersionKind, written: string, question: string | undefined): Listed {
  return {
    subject: trusted.definition(written),
    message: composeText`no core type, CRD or RGD describes these kinds; their fields are not checked, and their scope is assumed`,
    note: question === undefined ? undefined : trusted.definition(`${written}: ${question}`),
    hint: composeText`add their CustomResourceDefinitions to the input: kubectl get crd ITEMS -o yaml > crds/all.yaml writes them from a cluster${OFF}`,
    item: crdName(gvk),
  };
}

/** Returns the usual name of the CRD of a kind: that of its resource, and the group. */
function crdName({ group, kind }: GroupVersionKind): string {
  const singular = kind.toLowerCase();
  const plural = pluralize(singular);
  return `${/^[a-z0-9]+$/.test(plural) ? plural : `${singular}s`}.${group}`;
}
