import { groupVersionKind, type KubeObject } from '../model/object.ts';
import { getAt } from '../model/value.ts';
import { type FieldChange, type ObjectChange, touches } from './changes.ts';

/** Something to look at before the change is applied. `data-loss` is about what the objects hold or claim. */
export interface ChangeWarning {
  kind: 'data-loss' | 'recreate';
  message: string;
}

/** What an API server takes with an object that it deletes, by `Kind.group`. */
const LOST: Readonly<Record<string, (object: KubeObject) => string | undefined>> = {
  'PersistentVolumeClaim.': () => 'the volume behind it may be deleted with its data',
  'PersistentVolume.': () => 'nothing leads to its data any more',
  'Namespace.': () => 'every object in it is deleted too',
  'CustomResourceDefinition.apiextensions.k8s.io': () => 'every object of its kind is deleted too',
  'StatefulSet.apps': (object) =>
    claimsOf(object) === undefined ? undefined : 'the claims of its volumeClaimTemplates are left behind or deleted',
};

const claimsOf = (object: KubeObject): unknown => getAt(object, ['spec', 'volumeClaimTemplates', 0]);

const kindOf = (object: KubeObject): string => {
  const { group, kind } = groupVersionKind(object);
  return `${kind}.${group}`;
};

/** Fields that nobody can change once an object is there (k8s.io/kubernetes, pkg/apis: ValidateImmutableField). */
const FIXED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'Deployment.apps': [['spec', 'selector']],
  'ReplicaSet.apps': [['spec', 'selector']],
  'DaemonSet.apps': [['spec', 'selector']],
  'StatefulSet.apps': [
    ['spec', 'selector'],
    ['spec', 'serviceName'],
    ['spec', 'podManagementPolicy'],
    ['spec', 'volumeClaimTemplates'],
  ],
  'Job.batch': [
    ['spec', 'selector'],
    ['spec', 'template'],
    ['spec', 'completionMode'],
  ],
  'PersistentVolumeClaim.': [
    ['spec', 'storageClassName'],
    ['spec', 'accessModes'],
    ['spec', 'volumeName'],
    ['spec', 'volumeMode'],
    ['spec', 'selector'],
  ],
  'RoleBinding.rbac.authorization.k8s.io': [['roleRef']],
  'ClusterRoleBinding.rbac.authorization.k8s.io': [['roleRef']],
  'StorageClass.storage.k8s.io': [['provisioner'], ['parameters'], ['reclaimPolicy'], ['volumeBindingMode']],
};

/** Kinds of which a new object starts without what the old one held. */
const HOLDS_DATA = ['PersistentVolumeClaim.', 'StatefulSet.apps'];

/** What is to be said about a change; `title` is what people call the object. */
export function warningsOf(change: ObjectChange, title: string): ChangeWarning[] {
  const { before, after } = change;
  if (before === undefined) return [];
  const kind = kindOf(before.object);
  if (after === undefined || change.change === 'replaced') {
    const lost = LOST[kind]?.(before.object);
    return lost === undefined ? [] : [{ kind: 'data-loss', message: `${title} is deleted: ${lost}` }];
  }
  const fixed = fixedFields(kind, change.fields);
  if (fixed.length === 0) return [];
  const message = `${title}: ${fixed.join(', ')} cannot be changed in place, the object has to be deleted and created again`;
  const holds = HOLDS_DATA.includes(kind) && (kind !== 'StatefulSet.apps' || fixed.includes(CLAIMS));
  return [{ kind: holds ? 'data-loss' : 'recreate', message }];
}

const CLAIMS = 'spec.volumeClaimTemplates';

const fixedFields = (kind: string, fields: readonly FieldChange[]): string[] =>
  (FIXED[kind] ?? [])
    .filter((path) => fields.some((change) => touches(change.path, path)))
    .map((path) => path.join('.'));
