import { groupVersionKind, type KubeObject } from '../../src/core/model/object.ts';
import { getAt, isMap, type Value } from '../../src/core/model/value.ts';
import { isRgd } from '../../src/kro/definition/read.ts';
import type { Api } from './control-plane/api.ts';

/** Returns one object for each kind that a package mentions: its own, those of templates and of references. */
export function mentionedKinds(objects: readonly KubeObject[]): KubeObject[] {
  const found = new Map<string, KubeObject>();
  const add = (value: Value | undefined): void => {
    if (!isMap(value) || typeof value.apiVersion !== 'string' || typeof value.kind !== 'string') return;
    // A computed kind is unknown before rendering.
    if (value.kind.includes('${') || value.apiVersion.includes('${')) return;
    found.set(`${value.apiVersion} ${value.kind}`, { apiVersion: value.apiVersion, kind: value.kind, metadata: {} });
  };
  for (const object of objects) {
    add(object);
    const resources = isRgd(object) ? getAt(object, ['spec', 'resources']) : undefined;
    for (const node of Array.isArray(resources) ? resources : []) {
      add(getAt(node, ['template']));
      add(getAt(node, ['externalRef']));
    }
  }
  return [...found.values()];
}

/** Returns a kind without its version: no case adds a version to a kind that an RGD or a CRD defines. */
export function groupKind(object: KubeObject): string {
  const { group, kind } = groupVersionKind(object);
  return `${group} ${kind}`;
}

/** Returns an object for each kind that the RGDs of a package define. */
export const kindsOfRgds = (objects: readonly KubeObject[]): KubeObject[] =>
  objects.filter(isRgd).map((rgd) => {
    const text = (key: string): string => String(getAt(rgd, ['spec', 'schema', key]) ?? '');
    return { apiVersion: `${text('group') || 'kro.run'}/${text('apiVersion')}`, kind: text('kind'), metadata: {} };
  });

/** Returns the kinds that RGDs and CRDs of a package define, as `groupKind` writes them. */
export function definedKinds(objects: readonly KubeObject[]): { byRgd: Set<string>; byCrd: Set<string> } {
  const crds = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
  const names = crds.map((crd) => `${getAt(crd, ['spec', 'group'])} ${getAt(crd, ['spec', 'names', 'kind'])}`);
  return { byRgd: new Set(kindsOfRgds(objects).map(groupKind)), byCrd: new Set(names) };
}

/** Returns permissive CRDs for each kind that neither a package nor the API server knows. */
export async function permissiveCrds(objects: readonly KubeObject[], api: Pick<Api, 'knows'>): Promise<KubeObject[]> {
  const { byRgd, byCrd } = definedKinds(objects);
  const versions = new Map<string, Set<string>>();
  for (const one of mentionedKinds(objects)) {
    const { group, version } = groupVersionKind(one);
    const name = groupKind(one);
    // Groups without a dot belong to Kubernetes: a CRD cannot add to them.
    if (!group.includes('.') || byRgd.has(name) || byCrd.has(name) || (await api.knows(one))) continue;
    versions.set(name, (versions.get(name) ?? new Set()).add(version));
  }
  return [...versions].map(([name, all]) => {
    const [group = '', kind = ''] = name.split(' ');
    return approved(permissiveCrd(group, [...all], kind));
  });
}

const APPROVAL = 'api-approved.kubernetes.io';

/**
 * Returns a CRD with the annotation that an API server requires for groups of Kubernetes' own domains; a case may lack
 * it.
 */
export function approved(object: KubeObject): KubeObject {
  const group = String(getAt(object, ['spec', 'group']));
  const annotations = getAt(object, ['metadata', 'annotations']);
  const isProtected = object.kind === 'CustomResourceDefinition' && /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);
  if (!isProtected || getAt(annotations, [APPROVAL]) !== undefined) return object;
  const given = isMap(annotations) ? annotations : {};
  const metadata = isMap(object.metadata) ? object.metadata : {};
  return { ...object, metadata: { ...metadata, annotations: { ...given, [APPROVAL]: 'unapproved, for a test' } } };
}

function permissiveCrd(group: string, versions: readonly string[], kind: string): KubeObject {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const schema = { openAPIV3Schema: { ...free, properties: { spec: free, status: free } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural, singular },
      versions: versions.map((name, index) => {
        return { name, served: true, storage: index === 0, subresources: { status: {} }, schema };
      }),
    },
  };
}
