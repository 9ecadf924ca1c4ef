import type { KubeObject } from '../../core/model/object.ts';
import { equal, get, getAt, isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import { sameJob, samePod } from './pod.ts';
import { isSmaller, sameQuantity } from './quantity.ts';

/** Returns the paths of fields whose change an API server rejects. */
export type UpdateRule = (before: KubeObject, after: KubeObject) => readonly string[];

interface Line {
  /** `Kind.group` of each kind that the rule is for. */
  kinds: readonly string[];
  rule: UpdateRule;
  /** The source in the API server (k8s.io/kubernetes 1.37, below pkg/apis by default). */
  source: string;
}

const steps = (path: string): string[] => path.split('.');

/** A field that never changes. The default is the value of the API server for a missing field. */
const fixed =
  (path: string, fallback?: Value): UpdateRule =>
  (before, after) => {
    const [old, current] = [before, after].map((object) => getAt(object, steps(path)) ?? fallback);
    return equal(old, current) ? [] : [path];
  };

/** A field that never changes, and whose empty value counts as absent. */
const fixedUnlessEmpty =
  (path: string, fallback: Value): UpdateRule =>
  (before, after) => {
    const [old, current] = [before, after].map((object) => withDefault(getAt(object, steps(path)), fallback));
    return equal(old, current) ? [] : [path];
  };

const withDefault = (value: Value | undefined, fallback: Value): Value => {
  const isEmpty = value === '' || (Array.isArray(value) && value.length === 0);
  return value === undefined || value === null || isEmpty ? fallback : value;
};

/** A field that never changes; the API server keeps it if it is absent. */
const allowed =
  (path: string): UpdateRule =>
  (before, after) =>
    getAt(after, steps(path)) === undefined ? [] : fixed(path)(before, after);

/** The role of a binding, with the default group of roles. */
const roleRef: UpdateRule = (before, after) => {
  const [old, current] = [before, after].map(({ roleRef: ref }) =>
    isMap(ref) ? { ...ref, apiGroup: withDefault(ref.apiGroup, 'rbac.authorization.k8s.io') } : ref,
  );
  return equal(old as Value, current as Value) ? [] : ['roleRef'];
};

/** A field that changes once, from absent to a value. */
const fixedOnceSet =
  (path: string): UpdateRule =>
  (before, after) =>
    getAt(before, steps(path)) === undefined ? [] : fixed(path)(before, after);

/** A field that the API server fills in, and keeps if it is absent. */
const allocated =
  (path: string): UpdateRule =>
  (before, after) =>
    getAt(before, steps(path)) === undefined || getAt(after, steps(path)) === undefined
      ? []
      : fixed(path)(before, after);

/** All fields below a path except some. */
const fixedBut =
  (path: string, free: readonly string[], defaults: ValueMap = {}): UpdateRule =>
  (before, after) => {
    const [old, current] = [before, after].map((object) => getAt(object, steps(path)));
    const names = [old, current].flatMap((map) => (isMap(map) ? Object.keys(map) : []));
    return [...new Set(names)]
      .filter((name) => !free.includes(name))
      .sort()
      .flatMap((name) => fixed(`${path}.${name}`, defaults[name])(before, after));
  };

const when =
  (condition: (before: KubeObject, after: KubeObject) => boolean, ...rules: readonly UpdateRule[]): UpdateRule =>
  (before, after) =>
    condition(before, after) ? rules.flatMap((rule) => rule(before, after)) : [];

const isImmutable = (before: KubeObject): boolean => before.immutable === true;

const serviceType = (object: KubeObject): Value => getAt(object, ['spec', 'type']) ?? 'ClusterIP';
const hasClusterIp = (before: KubeObject, after: KubeObject): boolean =>
  ![before, after].some((object) => serviceType(object) === 'ExternalName');
const isHeadless = (object: KubeObject): boolean => getAt(object, ['spec', 'clusterIP']) === 'None';
const hasFixedFamilies = (before: KubeObject, after: KubeObject): boolean =>
  hasClusterIp(before, after) && !isHeadless(before) && !isHeadless(after);
const areLoadBalancers = (before: KubeObject, after: KubeObject): boolean =>
  [before, after].every((object) => serviceType(object) === 'LoadBalancer');
const haveHealthChecks = (before: KubeObject, after: KubeObject): boolean =>
  areLoadBalancers(before, after) &&
  [before, after].every((object) => getAt(object, ['spec', 'externalTrafficPolicy']) === 'Local');

/** A Service keeps its address if none is written; a headless one has no address. */
const clusterIp: UpdateRule = (before, after) => {
  const [old, current] = [before, after].map((object) => get(object.spec, 'clusterIP'));
  return current === undefined || current === '' || (old ?? '') === current ? [] : ['spec.clusterIP'];
};

/** The first item of a list never changes. */
const firstOf =
  (path: string): UpdateRule =>
  (before, after) => {
    const [old, current] = [before, after].map((object) => getAt(object, [...steps(path), 0]));
    return old === undefined || current === undefined || equal(old, current) ? [] : [path];
  };

/** A list without a significant order. */
const fixedSet =
  (path: string): UpdateRule =>
  (before, after) => {
    const [old, current] = [before, after].map((object) => {
      const list = getAt(object, steps(path));
      return Array.isArray(list) ? [...new Set(list.map(String))].sort() : [];
    });
    return equal(old, current) ? [] : [path];
  };

const STORAGE = 'spec.resources.requests.storage';
const shrinks: UpdateRule = (before, after) =>
  isSmaller(getAt(after, steps(STORAGE)), getAt(before, steps(STORAGE))) ? [STORAGE] : [];

/** Storage may grow; other requests never change. */
const otherRequests: UpdateRule = (before, after) => {
  const [old, current] = [before, after].map((object) => getAt(object, steps('spec.resources.requests')));
  const names = [old, current].flatMap((map) => (isMap(map) ? Object.keys(map) : []));
  const changed = names.filter((name) => name !== 'storage' && !sameQuantity(get(old, name), get(current, name)));
  return [...new Set(changed)].sort().map((name) => `spec.resources.requests.${name}`);
};

const isIndexed = (object: KubeObject): boolean => get(object.spec, 'completionMode') === 'Indexed';
const completions: UpdateRule = (before, after) => {
  const changed = fixed('spec.completions')(before, after);
  if (changed.length === 0 || !isIndexed(after)) return changed;
  const isInTandem = equal(get(after.spec, 'completions'), get(after.spec, 'parallelism'));
  return isInTandem ? [] : changed;
};

const CLAIMS = 'volumeClaimTemplates';

/** An API server sets the type of each claim template, whatever it was. */
function withTypedClaims(object: KubeObject): KubeObject {
  const list = get(object.spec, CLAIMS);
  if (!isMap(object.spec) || !Array.isArray(list)) return object;
  const type = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' };
  const typed = list.map((item) => (isMap(item) ? { ...item, ...type } : item));
  return { ...object, spec: { ...object.spec, [CLAIMS]: typed } };
}

const PVC_FREE = [
  ...['resources', 'volumeAttributesClassName', 'volumeName', 'storageClassName'],
  ...['dataSource', 'dataSourceRef'],
];
const PV_FREE = [
  ...['accessModes', 'capacity', 'claimRef', 'mountOptions', 'nodeAffinity', 'persistentVolumeReclaimPolicy'],
  ...['storageClassName', 'volumeAttributesClassName'],
];
const SET_FREE = [
  ...['replicas', 'template', 'updateStrategy', 'minReadySeconds', 'ordinals', 'revisionHistoryLimit'],
  'persistentVolumeClaimRetentionPolicy',
];

/** The changes of Kubernetes' own kinds that an API server rejects, one rule per line. */
export const LINES: readonly Line[] = [
  line(
    'ConfigMap.',
    when(isImmutable, fixed('data'), fixed('binaryData'), fixed('immutable')),
    'core: ValidateConfigMapUpdate',
  ),
  line('Secret.', fixedUnlessEmpty('type', 'Opaque'), 'core: ValidateSecretUpdate'),
  line(
    'Secret.',
    when(isImmutable, fixed('data'), fixed('stringData'), fixed('immutable')),
    'core: ValidateSecretUpdate',
  ),
  line(
    'Service.',
    when(hasClusterIp, clusterIp, firstOf('spec.clusterIPs')),
    'core: validateUpgradeDowngradeClusterIPs',
  ),
  line('Service.', when(hasFixedFamilies, firstOf('spec.ipFamilies')), 'core: validateUpgradeDowngradeIPFamilies'),
  line('Service.', when(areLoadBalancers, fixed('spec.loadBalancerClass')), 'core: validateLoadBalancerClassField'),
  line(
    'Service.',
    when(haveHealthChecks, allocated('spec.healthCheckNodePort')),
    'core: validateServiceExternalTrafficFieldsUpdate',
  ),
  line('Pod.', samePod, 'core: ValidatePodUpdate'),
  line(
    'PersistentVolumeClaim.',
    fixedBut('spec', PVC_FREE, { volumeMode: 'Filesystem' }),
    'core: ValidatePersistentVolumeClaimUpdate',
  ),
  line('PersistentVolumeClaim.', allowed('spec.dataSource'), 'core: ValidatePersistentVolumeClaimUpdate'),
  line('PersistentVolumeClaim.', allowed('spec.dataSourceRef'), 'core: ValidatePersistentVolumeClaimUpdate'),
  line('PersistentVolumeClaim.', fixedOnceSet('spec.volumeName'), 'core: ValidatePersistentVolumeClaimUpdate'),
  line('PersistentVolumeClaim.', fixedOnceSet('spec.storageClassName'), 'core: ValidatePersistentVolumeClaimUpdate'),
  line('PersistentVolumeClaim.', fixed('spec.resources.limits'), 'core: ValidatePersistentVolumeClaimUpdate'),
  line('PersistentVolumeClaim.', shrinks, 'core: ValidatePersistentVolumeClaimUpdate'),
  line('PersistentVolumeClaim.', otherRequests, 'core: ValidatePersistentVolumeClaimUpdate'),
  line(
    'PersistentVolume.',
    fixedBut('spec', PV_FREE, { volumeMode: 'Filesystem' }),
    'core: ValidatePersistentVolumeUpdate',
  ),
  line('PersistentVolume.', fixedOnceSet('spec.nodeAffinity'), 'core: ValidatePersistentVolumeUpdate'),
  line('ResourceQuota.', fixedSet('spec.scopes'), 'core: ValidateResourceQuotaUpdate'),
  line(
    'Deployment.apps ReplicaSet.apps DaemonSet.apps',
    fixed('spec.selector'),
    'apps: ValidateDeploymentUpdate, ValidateReplicaSetUpdate, ValidateDaemonSetSpecUpdate',
  ),
  line(
    'StatefulSet.apps',
    fixedBut('spec', [...SET_FREE, CLAIMS], { podManagementPolicy: 'OrderedReady', serviceName: '' }),
    'apps: ValidateStatefulSetUpdate',
  ),
  line(
    'StatefulSet.apps',
    (before, after) => fixed(`spec.${CLAIMS}`)(withTypedClaims(before), withTypedClaims(after)),
    'apps: ValidateStatefulSetUpdate',
  ),
  line('ControllerRevision.apps', fixed('data'), 'apps: ValidateControllerRevisionUpdate'),
  line('Job.batch', completions, 'batch: validateCompletions'),
  line('Job.batch', sameJob, 'batch: validatePodTemplateUpdate'),
  line('Job.batch', fixed('spec.selector'), 'batch: ValidateJobSpecUpdate'),
  line('Job.batch', fixed('spec.completionMode', 'NonIndexed'), 'batch: ValidateJobSpecUpdate'),
  line('Job.batch', fixed('spec.podFailurePolicy'), 'batch: ValidateJobSpecUpdate'),
  line('Job.batch', fixed('spec.backoffLimitPerIndex'), 'batch: ValidateJobSpecUpdate'),
  line('Job.batch', fixed('spec.managedBy'), 'batch: ValidateJobSpecUpdate'),
  line('Job.batch', fixed('spec.successPolicy'), 'batch: ValidateJobSpecUpdate'),
  line('IngressClass.networking.k8s.io', fixed('spec.controller'), 'networking: validateIngressClassSpecUpdate'),
  line('IPAddress.networking.k8s.io', fixed('spec.parentRef'), 'networking: ValidateIPAddressUpdate'),
  line('ServiceCIDR.networking.k8s.io', firstOf('spec.cidrs'), 'networking: ValidateServiceCIDRUpdate'),
  line('RuntimeClass.node.k8s.io', fixed('handler'), 'node: ValidateRuntimeClassUpdate'),
  line('PriorityClass.scheduling.k8s.io', fixed('value', 0n), 'scheduling: ValidatePriorityClassUpdate'),
  line(
    'PriorityClass.scheduling.k8s.io',
    fixed('preemptionPolicy', 'PreemptLowerPriority'),
    'scheduling: ValidatePriorityClassUpdate',
  ),
  line('StorageClass.storage.k8s.io', fixed('provisioner'), 'storage: ValidateStorageClassUpdate'),
  line('StorageClass.storage.k8s.io', fixed('parameters', {}), 'storage: ValidateStorageClassUpdate'),
  line('StorageClass.storage.k8s.io', fixed('reclaimPolicy', 'Delete'), 'storage: ValidateStorageClassUpdate'),
  line('StorageClass.storage.k8s.io', fixed('volumeBindingMode', 'Immediate'), 'storage: ValidateStorageClassUpdate'),
  line('CSIDriver.storage.k8s.io', fixed('spec.attachRequired', true), 'storage: ValidateCSIDriverUpdate'),
  line(
    'CSIDriver.storage.k8s.io',
    fixedUnlessEmpty('spec.volumeLifecycleModes', ['Persistent']),
    'storage: ValidateCSIDriverUpdate',
  ),
  line('CSIStorageCapacity.storage.k8s.io', fixed('nodeTopology'), 'storage: ValidateCSIStorageCapacityUpdate'),
  line('CSIStorageCapacity.storage.k8s.io', fixed('storageClassName'), 'storage: ValidateCSIStorageCapacityUpdate'),
  line('VolumeAttachment.storage.k8s.io', fixed('spec'), 'storage: ValidateVolumeAttachmentUpdate'),
  line('VolumeAttributesClass.storage.k8s.io', fixed('driverName'), 'storage: ValidateVolumeAttributesClassUpdate'),
  line('VolumeAttributesClass.storage.k8s.io', fixed('parameters'), 'storage: ValidateVolumeAttributesClassUpdate'),
  line('RoleBinding.rbac.authorization.k8s.io', roleRef, 'rbac: ValidateRoleBindingUpdate'),
  line('ClusterRoleBinding.rbac.authorization.k8s.io', roleRef, 'rbac: ValidateClusterRoleBindingUpdate'),
  line(
    'ClusterTrustBundle.certificates.k8s.io',
    fixed('spec.signerName', ''),
    'certificates: ValidateClusterTrustBundleUpdate',
  ),
  line('PodCertificateRequest.certificates.k8s.io', fixed('spec'), 'certificates: ValidatePodCertificateRequestUpdate'),
  line('LeaseCandidate.coordination.k8s.io', fixed('spec.leaseName'), 'coordination: ValidateLeaseCandidateSpecUpdate'),
  line('EndpointSlice.discovery.k8s.io', fixed('addressType'), 'discovery: ValidateEndpointSliceUpdate'),
  line('ResourceClaim.resource.k8s.io', fixed('spec'), 'resource: ValidateResourceClaimUpdate'),
  line('ResourceClaimTemplate.resource.k8s.io', fixed('spec'), 'resource: ValidateResourceClaimTemplateUpdate'),
  line('ResourceSlice.resource.k8s.io', fixed('spec.driver'), 'resource: ValidateResourceSliceUpdate'),
  line('ResourceSlice.resource.k8s.io', fixed('spec.pool.name'), 'resource: ValidateResourceSliceUpdate'),
  line('ResourceSlice.resource.k8s.io', fixed('spec.nodeName'), 'resource: ValidateResourceSliceUpdate'),
  line(
    'StorageVersionMigration.storagemigration.k8s.io',
    fixed('spec'),
    'storagemigration: ValidateStorageVersionMigrationUpdate',
  ),
  line(
    'CustomResourceDefinition.apiextensions.k8s.io',
    fixed('spec.group'),
    'k8s.io/apiextensions-apiserver: validateCustomResourceDefinitionSpecUpdate',
  ),
  line(
    'CustomResourceDefinition.apiextensions.k8s.io',
    fixed('spec.names.plural'),
    'k8s.io/apiextensions-apiserver: validateCustomResourceDefinitionSpecUpdate',
  ),
  line(
    'CustomResourceDefinition.apiextensions.k8s.io',
    fixed('spec.names.kind'),
    'k8s.io/apiextensions-apiserver: validateCustomResourceDefinitionSpecUpdate',
  ),
  line(
    'CustomResourceDefinition.apiextensions.k8s.io',
    fixed('spec.scope'),
    'k8s.io/apiextensions-apiserver: validateCustomResourceDefinitionSpecUpdate',
  ),
];

function line(kinds: string, rule: UpdateRule, source: string): Line {
  return { kinds: kinds.split(' '), rule, source };
}
