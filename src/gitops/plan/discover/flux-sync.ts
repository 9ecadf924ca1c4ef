import { namespaceOf } from '../../../core/model/object.ts';
import { get, isMap, textAt, type ValueMap } from '../../../core/model/value.ts';

/** The source and the Kustomization of a FluxInstance (flux-operator: internal/builder/templates.go, syncTmpl). */
export interface InstanceSync {
  name: string;
  namespace: string;
  kind: string;
  path: string;
  /** The spec of its GitRepository. */
  source: ValueMap;
}

/** Returns what a FluxInstance synchronizes; `undefined` if it only installs Flux. */
export function syncOf(instance: ValueMap): InstanceSync | undefined {
  const sync = get(get(instance, 'spec'), 'sync');
  if (!isMap(sync)) return undefined;
  const namespace = namespaceOf(instance);
  return {
    name: textAt(sync, 'name') || namespace || 'flux-system',
    namespace,
    kind: textAt(sync, 'kind'),
    path: textAt(sync, 'path'),
    source: { url: textAt(sync, 'url'), ref: { name: textAt(sync, 'ref') } },
  };
}
