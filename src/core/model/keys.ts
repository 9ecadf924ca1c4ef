/** The names of all labels and annotations that are written or read, by owner. */

/** Labels of kro on every object of an instance (kro: pkg/metadata/labels.go). */
export const KRO_LABEL = {
  owned: 'kro.run/owned',
  rgdName: 'kro.run/resource-graph-definition-name',
  rgdId: 'kro.run/resource-graph-definition-id',
  instanceId: 'kro.run/instance-id',
  instanceName: 'kro.run/instance-name',
  instanceNamespace: 'kro.run/instance-namespace',
  instanceGroup: 'kro.run/instance-group',
  instanceVersion: 'kro.run/instance-version',
  instanceKind: 'kro.run/instance-kind',
  nodeId: 'kro.run/node-id',
  collectionIndex: 'kro.run/collection-index',
  collectionSize: 'kro.run/collection-size',
} as const;

/** Of an RGD: kro accepts a schema that breaks instances (kro 0.9.4: api/v1alpha1); immutable fields stay immutable. */
export const ALLOW_BREAKING_CHANGES = 'kro.run/allow-breaking-changes';
/** Prefixes of the keys of kro. */
/** Tells kro 0.10 to leave an object in the cluster that it would delete. */
export const DELETION_POLICY = 'internal.kro.run/deletion-policy';
export const KRO_PREFIXES = ['kro.run/', 'internal.kro.run/'] as const;

/** Labels of the Flux operator with the ResourceSet of an object. */
export const RESOURCE_SET_LABEL = {
  name: 'resourceset.fluxcd.controlplane.io/name',
  namespace: 'resourceset.fluxcd.controlplane.io/namespace',
} as const;

/** The program that manages an object: `render-rgd` here. */
export const MANAGED_BY = 'app.kubernetes.io/managed-by';

export const OWN_PREFIX = 'render-rgd.dev/';
/** Of RGDs, instances and ResourceSets: who renders them. */
export const MODE = 'render-rgd.dev/mode';
/** Of an object that was read from a cluster: it supplies values and is never rendered. */
export const OBSERVED = 'render-rgd.dev/observed';
/** Of an RGD or a ResourceSet: the codes of disabled lints, separated by commas. */
export const DISABLE_LINTS = 'render-rgd.dev/disable-lints';
/** The digest of a rendered object, and its package: `[PACKAGE/]DIGEST`. */
export const DIGEST = 'render-rgd.dev/digest';
/** The function that rendered an object, and the hash of its identity. */
export const RENDERED = 'render-rgd.dev/rendered';
/** Distinguishes a local-config mark of this renderer from one of a user: only the first is ever removed. */
export const MARKED = 'render-rgd.dev/marked';
/** An annotation without a value, which `kpt pkg update` removes unless upstream removed the object. */
export const KEPT = 'render-rgd.dev/kept-if-upstream-removes-it';

/** The prefix of annotations of kustomize and kpt. */
export const RUNNER_PREFIX = 'config.kubernetes.io/';
/** Of an item that stays in a package and never reaches a cluster. */
export const LOCAL_CONFIG = 'config.kubernetes.io/local-config';
export const ITEM_PATH = 'config.kubernetes.io/path';
/** The folder of the package that the file is in, for kpt. */
export const PACKAGE_PATH = 'internal.config.kubernetes.io/package-path';
/** Marks the configuration of a function. */
export const FUNCTION = 'config.kubernetes.io/function';
/** The objects that kpt applies before this one. */
/** How tools are told not to delete an object: Argo CD, Flux, and kpt. */
export const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';
export const COMPARE_OPTIONS = 'argocd.argoproj.io/compare-options';
export const FLUX_PRUNE = 'kustomize.toolkit.fluxcd.io/prune';
export const KPT_DELETION = 'client.lifecycle.config.k8s.io/deletion';
export const DEPENDS_ON = 'config.kubernetes.io/depends-on';
/** Written by `kpt pkg get` and `kpt pkg update` into every object of a package. */
export const UPSTREAM_IDENTIFIER = 'internal.kpt.dev/upstream-identifier';

/** The annotations by which Argo CD orders objects, its own and those of Helm that it reads. */
export const SYNC_WAVE = 'argocd.argoproj.io/sync-wave';
export const HOOK = 'argocd.argoproj.io/hook';
export const HELM_WEIGHT = 'helm.sh/hook-weight';
export const HELM_HOOK = 'helm.sh/hook';
export const ORDER_ANNOTATIONS: readonly string[] = [SYNC_WAVE, HOOK, HELM_WEIGHT, HELM_HOOK];

/** The fields of ObjectMeta (k8s.io/apimachinery/pkg/apis/meta/v1). */
export const OBJECT_META: readonly string[] = [
  'name',
  'generateName',
  'namespace',
  'labels',
  'annotations',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'managedFields',
  'selfLink',
];
