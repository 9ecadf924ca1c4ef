import { groupVersionKind, type KubeObject } from '../../src/model/object.ts';
import { getAt, isMap, type Value } from '../../src/model/value.ts';
import { isRgd } from '../../src/rgd/definition/definition.ts';
import type { Api } from './control-plane/api.ts';

/** One object for each kind that a package mentions: its own, those of templates and of references. */
export function mentionedKinds(objects: readonly KubeObject[]): KubeObject[] {
  const found = new Map<string, KubeObject>();
  const add = (value: Value | undefined): void => {
    if (!isMap(value) || typeof value.apiVersion !== 'string' || typeof value.kind !== 'string') return;
    // A kind may be computed; then nobody knows it before.
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

/** The kinds that RGDs and CRDs of a package define, as `apiVersion kind`. */
export function definedKinds(objects: readonly KubeObject[]): { byRgd: Set<string>; byCrd: Set<string> } {
  const [byRgd, byCrd] = [new Set<string>(), new Set<string>()];
  for (const object of objects) {
    const text = (...path: string[]): string => String(getAt(object, path) ?? '');
    if (isRgd(object)) {
      const group = text('spec', 'schema', 'group') || 'kro.run';
      byRgd.add(`${group}/${text('spec', 'schema', 'apiVersion')} ${text('spec', 'schema', 'kind')}`);
    }
    if (object.kind !== 'CustomResourceDefinition') continue;
    const versions = getAt(object, ['spec', 'versions']);
    for (const version of Array.isArray(versions) ? versions : []) {
      byCrd.add(`${text('spec', 'group')}/${getAt(version, ['name'])} ${text('spec', 'names', 'kind')}`);
    }
  }
  return { byRgd, byCrd };
}

/** CRDs that take anything, for kinds that neither a package nor the API server knows. */
export async function permissiveCrds(objects: readonly KubeObject[], api: Api): Promise<KubeObject[]> {
  const { byRgd, byCrd } = definedKinds(objects);
  const crds: KubeObject[] = [];
  for (const one of mentionedKinds(objects)) {
    const { group, version, kind } = groupVersionKind(one);
    const name = `${one.apiVersion} ${kind}`;
    // Groups without a dot are Kubernetes' own: no CRD may add to them.
    if (!group.includes('.') || byRgd.has(name) || byCrd.has(name) || (await api.knows(one))) continue;
    crds.push(permissiveCrd(group, version, kind));
  }
  return crds;
}

function permissiveCrd(group: string, version: string, kind: string): KubeObject {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const schema = { openAPIV3Schema: { ...free, properties: { spec: free, status: free } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    // Groups of Kubernetes' own domains need it.
    metadata: {
      name: `${plural}.${group}`,
      annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' },
    },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural, singular },
      versions: [{ name: version, served: true, storage: true, subresources: { status: {} }, schema }],
    },
  };
}
