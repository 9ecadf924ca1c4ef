import { groupBy } from '../../core/model/group-by.ts';
import { getOrCompute, lazily } from '../../core/model/lazily.ts';
import { groupKind, groupVersionKind, type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import { get, getAt, isMap, type ValueMap } from '../../core/model/value.ts';
import { type KindRegistry, pluralOf, type Resource, readKindName } from '../../kubernetes/schema/index.ts';
import type { CelValue } from '../../languages/cel/index.ts';
import type { Operation, Unknown } from './evaluate.ts';
import { NAMESPACE_NAME, type Request } from './match.ts';

export const isNamespace = (object: KubeObject): boolean => object.kind === 'Namespace' && object.apiVersion === 'v1';

/** Returns a Namespace as expressions see it: with the label that the API server sets. */
export function labelled(object: KubeObject): ValueMap {
  const metadata = get(object, 'metadata');
  const { name, generateName, labels, annotations, finalizers } = isMap(metadata) ? metadata : {};
  return {
    metadata: {
      name: name ?? '',
      ...(generateName !== undefined && { generateName }),
      labels: { ...(isMap(labels) ? labels : {}), [NAMESPACE_NAME]: nameOf(object) },
      ...(annotations !== undefined && { annotations }),
      ...(finalizers !== undefined && { finalizers }),
    },
    spec: get(object, 'spec') ?? { finalizers: ['kubernetes'] },
    status: get(object, 'status') ?? { phase: 'Active' },
  };
}

export function kindFinder(
  resources: ReadonlyMap<string, Resource>,
  kinds: KindRegistry,
): (resource: string, group: string, version: string) => string | undefined {
  const known = lazily(() => {
    const all = [...kinds.names()].map(readKindName);
    return new Map(all.map((gvk) => [[pluralOf(gvk, resources), gvk.group, gvk.version].join('/'), gvk.kind]));
  });
  return (resource, group, version) => known().get([resource, group, version].join('/'));
}

export interface FullRequest extends Request {
  kind: string;
  isNamespace: boolean;
}

/** Returns what policies may select an operation by. */
export function requestOf(
  { object, oldObject }: Operation,
  own: KubeObject,
  { kinds, namespace: fallback }: { kinds: KindRegistry; namespace: string },
  resources: ReadonlyMap<string, Resource>,
  namespaces: ReadonlyMap<string, ValueMap>,
): FullRequest {
  const gvk = groupVersionKind(own);
  const { group, version, kind } = gvk;
  const known = resources.get(groupKind(gvk));
  const isNamespaced = kinds.find(gvk)?.namespaced ?? namespaceOf(own) !== '';
  const isOwnNamespace = isNamespace(own);
  const namespace = isOwnNamespace ? nameOf(own) : isNamespaced ? namespaceOf(own) || fallback : '';
  const labelsOf = (one: KubeObject | undefined): ValueMap[] => {
    const labels = getAt(one, ['metadata', 'labels']);
    return one === undefined ? [] : [isMap(labels) ? labels : {}];
  };
  const labels = [...labelsOf(object), ...labelsOf(oldObject)];
  const ofNamespace = namespaces.get(namespace);
  const namespaceLabels = isOwnNamespace
    ? { ...labels[0], [NAMESPACE_NAME]: namespace }
    : (getAt(ofNamespace, ['metadata', 'labels']) as ValueMap | undefined);
  return {
    operation: object === undefined ? 'DELETE' : oldObject === undefined ? 'CREATE' : 'UPDATE',
    group,
    version,
    kind,
    resource: pluralOf(gvk, resources),
    name: nameOf(own),
    namespace,
    isNamespace: isOwnNamespace,
    labels,
    namespaceLabels,
    equivalents: () => known?.versions ?? stableVersions(group, kind, kinds),
  };
}

const byKind = new WeakMap<KindRegistry, ReadonlyMap<string, readonly { version: string }[]>>();

/** The versions of a built-in kind that an API server serves by default. */
function stableVersions(group: string, kind: string, kinds: KindRegistry): readonly string[] {
  const known = getOrCompute(byKind, kinds, () => {
    const stable = [...kinds.names()].map(readKindName).filter(({ version }) => /^v\d+$/.test(version));
    return groupBy(stable, (gvk) => groupKind(gvk));
  });
  return known.get(groupKind({ group, kind }))?.map(({ version }) => version) ?? [];
}

/** The value of `request` (k8s.io/apiserver/pkg/admission/plugin/cel, CreateAdmissionRequest). */
export function requestValue(request: FullRequest, version: string, userInfo: unknown, options: Unknown): CelValue {
  const { group, kind, resource, name, namespace, operation } = request;
  return {
    kind: { group, version, kind },
    resource: { group, version, resource },
    requestKind: { group, version: request.version, kind },
    requestResource: { group, version: request.version, resource },
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation,
    userInfo,
    dryRun: false,
    options,
  } as CelValue;
}

export const userInfo = ({ name, groups }: { name: string; groups: readonly string[] }): CelValue => ({
  username: name,
  groups: [...new Set([...groups, 'system:authenticated'])],
});
