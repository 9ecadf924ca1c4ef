import { type KubernetesObject, toYaml } from '../../src/api/index.ts';
import { renderRead } from '../../src/api/verbs.ts';
import { groupVersionKind, type KubeObject } from '../../src/core/model/object.ts';
import { readPackage } from './package.ts';
import type { Package, Rendered, RenderedObject } from './protocol.ts';

/** Renders a package; each object has its text and the instance of its labels. */
export function renderPackage(pack: Package): Rendered {
  const { objects, diagnostics } = renderRead(readPackage(pack));
  return { objects: objects.map(renderedObject), diagnostics };
}

const SET_NAME = 'resourceset.fluxcd.controlplane.io/name';

export function renderedObject(object: KubernetesObject): RenderedObject {
  const { kind, metadata } = object;
  const { name = '', namespace = '', labels = {} } = metadata ?? {};
  const set = labels[SET_NAME];
  const instance = labels['kro.run/instance-name'];
  // An object of a ResourceSet may have no apiVersion.
  const { group } = groupVersionKind(object as unknown as KubeObject);
  return {
    key: [group, kind, namespace, name].join('/'),
    kind,
    namespace,
    name,
    instance:
      instance !== undefined
        ? `${labels['kro.run/instance-kind'] ?? ''}/${instance}`
        : set !== undefined
          ? `ResourceSet/${set}`
          : '',
    address: addressOf(labels),
    node: labels['kro.run/node-id'] ?? '',
    definition: labels['kro.run/resource-graph-definition-name'] ?? '',
    yaml: toYaml([object]),
  };
}

/** Returns the address of the instance that labels name, or ''. */
function addressOf(labels: Readonly<Record<string, string>>): string {
  const name = labels['kro.run/instance-name'];
  if (name === undefined) return '';
  const { 'kro.run/instance-kind': kind = '', 'kro.run/instance-namespace': namespace = '' } = labels;
  return [kind, namespace, name].filter((part) => part !== '').join('/');
}
