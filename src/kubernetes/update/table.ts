import type { KubeObject } from '../../core/model/object.ts';
import { equal, get, getAt, isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import { isSmaller, sameJob, samePod, sameQuantity } from './pod.ts';

/** Returns the paths of fields whose change an API server rejects. */
type UpdateRule = (before: KubeObject, after: KubeObject) => readonly string[];

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

/**
 * The API server drops a new `dataSource` of another kind, unless there is a `dataSourceRef`
 * (api/persistentvolumeclaim: EnforceDataSourceBackwardsCompatibility).
 */
const usesDataSource = (before: KubeObject, after: KubeObject): boolean => {
  const source = get(after.spec, 'dataSource');
  const isUsed = [get(before.spec, 'dataSource'), get(before.spec, 'dataSourceRef'), get(after.spec, 'dataSourceRef')];
  const kind = `${get(source, 'kind')}.${get(source, 'apiGroup') ?? ''}`;
  return isUsed.some(isMap) || ['PersistentVolumeClaim.', 'VolumeSnapshot.snapshot.storage.k8s.io'].includes(kind);
};

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
  ...lines(
    'ConfigMap.',
    'core: ValidateConfigMapUpdate',
    when(isImmutable, fixed('data'), fixed('binaryData'), fixed('immutable')),
  ),
  ...lines(
    'Secret.',
    'core: ValidateSecretUpdate',
    fixedUnlessEmpty('type', 'Opaque'),
    when(isImmutable, fixed('data'), fixed('stringData'), fixed('immutable')),
  ),
  ...lines(
    'Service.',
    'core: validateUpgradeDowngradeClusterIPs',
    when(hasClusterIp, clusterIp, firstOf('spec.clusterIPs')),
  ),
  ...lines('Service.', 'core: validateUpgradeDowngradeIPFamilies', when(hasFixedFamilies, firstOf('spec.ipFamilies'))),
  ...lines('Service.', 'core: validateLoadBalancerClassField', when(areLoadBalancers, fixed('spec.loadBalancerClass'))),
  ...lines(
    'Service.',
    'core: validateServiceExternalTrafficFieldsUpdate',
    when(haveHealthChecks, allocated('spec.healthCheckNodePort')),
  ),
  ...lines('Pod.', 'core: ValidatePodUpdate', samePod),
  ...lines(
    'PersistentVolumeClaim.',
    'core: ValidatePersistentVolumeClaimUpdate',
    fixedBut('spec', PVC_FREE, { volumeMode: 'Filesystem' }),
    when(usesDataSource, allowed('spec.dataSource')),
    allowed('spec.dataSourceRef'),
    fixedOnceSet('spec.volumeName'),
    fixedOnceSet('spec.storageClassName'),
    fixed('spec.resources.limits'),
    shrinks,
    otherRequests,
  ),
  ...lines(
    'PersistentVolume.',
    'core: ValidatePersistentVolumeUpdate',
    fixedBut('spec', PV_FREE, { volumeMode: 'Filesystem' }),
    fixedOnceSet('spec.nodeAffinity'),
  ),
  ...lines('ResourceQuota.', 'core: ValidateResourceQuotaUpdate', fixedSet('spec.scopes')),
  ...lines(
    'Deployment.apps ReplicaSet.apps DaemonSet.apps',
    'apps: ValidateDeploymentUpdate, ValidateReplicaSetUpdate, ValidateDaemonSetSpecUpdate',
    fixed('spec.selector'),
  ),
  ...lines(
    'StatefulSet.apps',
    'apps: ValidateStatefulSetUpdate',
    fixedBut('spec', [...SET_FREE, CLAIMS], { podManagementPolicy: 'OrderedReady', serviceName: '' }),
    (before, after) => fixed(`spec.${CLAIMS}`)(withTypedClaims(before), withTypedClaims(after)),
  ),
  ...lines('ControllerRevision.apps', 'apps: ValidateControllerRevisionUpdate', fixed('data')),
  ...lines('Job.batch', 'batch: validateCompletions', completions),
  ...lines('Job.batch', 'batch: validatePodTemplateUpdate', sameJob),
  ...lines(
    'Job.batch',
    'batch: ValidateJobSpecUpdate',
    fixed('spec.selector'),
    fixed('spec.completionMode', 'NonIndexed'),
    fixed('spec.podFailurePolicy'),
    fixed('spec.backoffLimitPerIndex'),
    fixed('spec.managedBy'),
    fixed('spec.successPolicy'),
  ),
  ...lines('IngressClass.networking.k8s.io', 'networking: validateIngressClassSpecUpdate', fixed('spec.controller')),
  ...lines('IPAddress.networking.k8s.io', 'networking: ValidateIPAddressUpdate', fixed('spec.parentRef')),
  ...lines('ServiceCIDR.networking.k8s.io', 'networking: ValidateServiceCIDRUpdate', firstOf('spec.cidrs')),
  ...lines('RuntimeClass.node.k8s.io', 'node: ValidateRuntimeClassUpdate', fixed('handler')),
  ...lines(
    'PriorityClass.scheduling.k8s.io',
    'scheduling: ValidatePriorityClassUpdate',
    fixed('value', 0n),
    fixed('preemptionPolicy', 'PreemptLowerPriority'),
  ),
  ...lines(
    'StorageClass.storage.k8s.io',
    'storage: ValidateStorageClassUpdate',
    fixed('provisioner'),
    fixed('parameters', {}),
    fixed('reclaimPolicy', 'Delete'),
    fixed('volumeBindingMode', 'Immediate'),
  ),
  ...lines(
    'CSIDriver.storage.k8s.io',
    'storage: ValidateCSIDriverUpdate',
    fixed('spec.attachRequired', true),
    fixedUnlessEmpty('spec.volumeLifecycleModes', ['Persistent']),
  ),
  ...lines(
    'CSIStorageCapacity.storage.k8s.io',
    'storage: ValidateCSIStorageCapacityUpdate',
    fixed('nodeTopology'),
    fixed('storageClassName'),
  ),
  ...lines('VolumeAttachment.storage.k8s.io', 'storage: ValidateVolumeAttachmentUpdate', fixed('spec')),
  ...lines(
    'VolumeAttributesClass.storage.k8s.io',
    'storage: ValidateVolumeAttributesClassUpdate',
    fixed('driverName'),
    fixed('parameters'),
  ),
  ...lines('RoleBinding.rbac.authorization.k8s.io', 'rbac: ValidateRoleBindingUpdate', roleRef),
  ...lines('ClusterRoleBinding.rbac.authorization.k8s.io', 'rbac: ValidateClusterRoleBindingUpdate', roleRef),
  ...lines(
    'ClusterTrustBundle.certificates.k8s.io',
    'certificates: ValidateClusterTrustBundleUpdate',
    fixed('spec.signerName', ''),
  ),
  ...lines(
    'PodCertificateRequest.certificates.k8s.io',
    'certificates: ValidatePodCertificateRequestUpdate',
    fixed('spec'),
  ),
  ...lines(
    'LeaseCandidate.coordination.k8s.io',
    'coordination: ValidateLeaseCandidateSpecUpdate',
    fixed('spec.leaseName'),
  ),
  ...lines('EndpointSlice.discovery.k8s.io', 'discovery: ValidateEndpointSliceUpdate', fixed('addressType')),
  ...lines('ResourceClaim.resource.k8s.io', 'resource: ValidateResourceClaimUpdate', fixed('spec')),
  ...lines('ResourceClaimTemplate.resource.k8s.io', 'resource: ValidateResourceClaimTemplateUpdate', fixed('spec')),
  ...lines(
    'ResourceSlice.resource.k8s.io',
    'resource: ValidateResourceSliceUpdate',
    fixed('spec.driver'),
    fixed('spec.pool.name'),
    fixed('spec.nodeName'),
  ),
  ...lines(
    'StorageVersionMigration.storagemigration.k8s.io',
    'storagemigration: ValidateStorageVersionMigrationUpdate',
    fixed('spec'),
  ),
  ...lines(
    'CustomResourceDefinition.apiextensions.k8s.io',
    'k8s.io/apiextensions-apiserver: validateCustomResourceDefinitionSpecUpdate',
    fixed('spec.group'),
    fixed('spec.names.plural'),
    fixed('spec.names.kind'),
    fixed('spec.scope'),
  ),
];

function lines(kinds: string, source: string, ...rules: readonly UpdateRule[]): Line[] {
  return rules.map((rule) => ({ kinds: kinds.split(' '), rule, source }));
}
