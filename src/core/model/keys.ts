/** The names of all labels and annotations that are written or read here, by whom they belong to. */

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

/** Of an RGD: kro takes a schema that breaks instances (kro 0.9.4: api/v1alpha1); what is immutable stays so. */
export const ALLOW_BREAKING_CHANGES = 'kro.run/allow-breaking-changes';
/** Keys with these prefixes are kro's. */
export const KRO_PREFIXES = ['kro.run/', 'internal.kro.run/'] as const;

/** Labels of the Flux operator that say from which ResourceSet an object comes. */
export const RESOURCE_SET_LABEL = {
  name: 'resourceset.fluxcd.controlplane.io/name',
  namespace: 'resourceset.fluxcd.controlplane.io/namespace',
} as const;

/** Which program manages an object; ours is `render-rgd`. */
export const MANAGED_BY = 'app.kubernetes.io/managed-by';

/** Our annotations begin with this. */
export const OWN_PREFIX = 'render-rgd.dev/';
/** Of RGDs, instances and ResourceSets: who renders them. */
export const MODE = 'render-rgd.dev/mode';
/** Of an object that was read from a cluster: it supplies values and is never rendered. */
export const OBSERVED = 'render-rgd.dev/observed';
/** Of an RGD or a ResourceSet: the codes of lints that are switched off, with commas between them. */
export const DISABLE_LINTS = 'render-rgd.dev/disable-lints';
/** What an object was when it was rendered, and in which package: `[PACKAGE/]DIGEST`. */
export const DIGEST = 'render-rgd.dev/digest';
/** The function that rendered an object, and the identity it gave it. */
export const RENDERED = 'render-rgd.dev/rendered';
/** Tells a local-config mark that was written here from one that a person wrote: only the first is ever taken away. */
export const MARKED = 'render-rgd.dev/marked';

/** Annotations of kustomize and kpt begin with this. */
export const RUNNER_PREFIX = 'config.kubernetes.io/';
/** Of an item that stays in a package and never reaches a cluster. */
export const LOCAL_CONFIG = 'config.kubernetes.io/local-config';
/** The file of an item. */
export const ITEM_PATH = 'config.kubernetes.io/path';
/** The folder of the package that the file is in, for kpt. */
export const PACKAGE_PATH = 'internal.config.kubernetes.io/package-path';
/** Of the configuration of a function. */
export const FUNCTION = 'config.kubernetes.io/function';
/** What kpt applies before an object. */
export const DEPENDS_ON = 'config.kubernetes.io/depends-on';
/** What `kpt pkg get` and `kpt pkg update` write into every object of a package. */
export const UPSTREAM_IDENTIFIER = 'internal.kpt.dev/upstream-identifier';

/** The annotations by which Argo CD orders what it applies, its own and those of Helm that it reads. */
export const SYNC_WAVE = 'argocd.argoproj.io/sync-wave';
export const HOOK = 'argocd.argoproj.io/hook';
export const HELM_WEIGHT = 'helm.sh/hook-weight';
export const HELM_HOOK = 'helm.sh/hook';
export const ORDER_ANNOTATIONS: readonly string[] = [SYNC_WAVE, HOOK, HELM_WEIGHT, HELM_HOOK];
