import { type Listed, type Problem, phrase, publicText } from '../../core/diagnostics/index.ts';
import type { GroupVersionKind } from '../../core/model/object.ts';
import { groupKind } from '../definition/index.ts';
import { pluralize } from '../simpleschema/index.ts';
import type { ResolvedNode } from './node.ts';
import { unknownKind } from './unknown-kind.ts';

/**
 * Returns the problem of an unknown kind: a warning, because a repository rarely contains every CRD; an error with
 * `strict`, and if a group of Kubernetes itself has no such kind. `names` are the known kinds (`Kind.version.group`).
 */
export function unknownKindProblem(
  { path, gvk, scopeAssumed, namespaced }: Pick<ResolvedNode, 'path' | 'gvk' | 'scopeAssumed' | 'namespaced'>,
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
    subject: publicText`${written}`,
    message: publicText`no core type, CRD or RGD describes these kinds; their fields are not checked, and their scope is assumed`,
    ...(question === undefined ? {} : { note: publicText`${written}: ${question}` }),
    hint: publicText`add their CustomResourceDefinitions to the input: kubectl get crd ITEMS -o yaml > crds/all.yaml writes them from a cluster${OFF}`,
    item: crdName(gvk),
  };
}

/** Returns the usual name of the CRD of a kind: that of its resource, and the group. */
function crdName({ group, kind }: GroupVersionKind): string {
  const singular = kind.toLowerCase();
  const plural = pluralize(singular);
  return `${/^[a-z0-9]+$/.test(plural) ? plural : `${singular}s`}.${group}`;
}
