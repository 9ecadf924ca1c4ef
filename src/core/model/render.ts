import type { Limits } from './limits.ts';
import type { Document, InputObject, KubeObject } from './object.ts';
import type { Path, Value } from './value.ts';

export type OnPending = 'fail' | 'skip' | 'passthrough' | 'placeholder';
export type Order = 'none' | 'argocd' | 'kpt';
/** The releases of kro whose semantics are known; the first is the default. */
export const KRO_VERSIONS = ['0.9', '0.10'] as const;
export const EXPERIMENTS = ['graph', 'omit', 'deletionPolicy', 'externalFields'] as const;
export type KroVersion = (typeof KRO_VERSIONS)[number];
/** The releases of Kubernetes whose kinds are known, the newest first, which is the default. */
export const KUBERNETES_RELEASES = ['1.37', '1.36', '1.35', '1.34', '1.33', '1.32', '1.31', '1.30', '1.29'] as const;
/** Later releases, of which only planned removals are known; `compat` accepts them. */
export const PLANNED_KUBERNETES = ['1.43', '1.42', '1.41', '1.40', '1.39', '1.38'] as const;
export type KubernetesRelease = (typeof KUBERNETES_RELEASES)[number] | (typeof PLANNED_KUBERNETES)[number];
export const NEWEST_KUBERNETES = KUBERNETES_RELEASES[0];

/** The options of the core. The command line, the function and the library fill them from the options table. */
export interface RenderOptions extends Limits {
  /** The namespace of instances without one; '' for none. */
  namespace: string;
  /** Rejects what kro rejects although rendering could continue: unknown kinds, rules of newer kro versions. */
  strict: boolean;
  /** The release of kro whose semantics apply. */
  kro: KroVersion;
  /** The release of Kubernetes whose kinds and fields objects may have, unless an OpenAPI document has them. */
  kubernetes: KubernetesRelease;
  /** The rules of later releases that apply besides (see `kro/semantics.ts`): to find the cause of a difference. */
  kroRules?: readonly string[];
  /** Enabled features of a later release are accepted with an earlier one too: to compare the two. */
  comparesReleases?: boolean;
  /**
   * An object with pending values is rendered, with the text of each expression in the place of its value, whatever the
   * type of the field: to compare the rest of it. Nothing reads such a text.
   */
  marksPending?: boolean;
  /** Pending values are not reported, as another rendering of the same instances reports them. Default: false. */
  omitsPending?: boolean;
  /** A value that an instance lacks is pending, as in kro, and not an error: to compare what becomes of its nodes. */
  waitsForInstance?: boolean;
  /**
   * Nothing may depend on values of Secrets: a node that reads one is not evaluated, nor is any that depends on it.
   * Either every node, or the nodes of one id.
   */
  unknownSecrets?: 'everywhere' | { node: string } | undefined;
  /** The enabled features of `EXPERIMENTS`. */
  experimental: readonly string[];
  /** Unknown kinds that are cluster-scoped, as `Kind.group`. */
  clusterScoped: readonly string[];
  /** API groups all of whose objects are rendered: one without an RGD is an error. */
  groups: readonly string[];
  onPending: OnPending;
  assumeEmptyStatus: boolean;
  keepOwnerReferences: boolean;
  /** Labels and annotations that objects inherit from their instance; commas separate several keys. */
  propagateLabels: readonly string[];
  propagateAnnotations: readonly string[];
  order: Order;
  maxCollectionSize: number;
}

export interface RenderInput {
  /** The package: RGDs, CRDs, instances and other objects, in order. May contain lists. */
  objects: readonly Document[];
  /** RGDs and CRDs that are read but never printed. */
  definitions?: readonly Document[];
  /** Files that are templates of another tool, and were passed over. */
  templates?: readonly string[];
  /** Live objects, status included. */
  observed?: readonly Document[];
  /** Values for missing fields of instances, an object with a `spec` for each kind. */
  defaults?: readonly Document[];
  /** Input sets for the ResourceSet of the package, instead of its inline ones. */
  inputSets?: { value: Value };
  /**
   * Whether the package is one file that the user named: its ResourceSets are read as the Flux operator's build does.
   */
  isNamedFile?: boolean;
  /** Returns what shows, outside of this input, that the objects of a kind, `Kind.group`, have to be rendered. */
  traceFor?: (kind: string) => Trace | undefined;
  /** How objects are reported whose kind nothing describes: by default not at all, and with `strict` as errors. */
  undescribed?: 'warning' | 'error';
  /** Admission policies, their bindings and parameters, and namespaces: they are evaluated, and never printed. */
  policies?: readonly Document[];
  /** A cluster's OpenAPI document (v2 or v3) instead of the built-in Kubernetes types. */
  openapi?: Value;
}

/** A sign that the objects of a kind have to be rendered. */
export interface Trace {
  /** A sentence that names it. */
  message: string;
  /** What to do, if more is known than that the RGD is missing. */
  hint?: string;
  /** Whether it is only possible, because not everything was searched. */
  isDoubtful?: true;
}

/** A rendered object with its origin. As in the Flux operator, one of a ResourceSet may lack apiVersion and name. */
export interface Rendered {
  object: KubeObject;
  /** The value of the `kro.run/instance-id` label. */
  instanceId: string;
  /** The id of the node in the nearest instance. */
  node: string;
  /** The template of the ResourceSet that rendered it, and its path in the ResourceSet. */
  template?: { input: InputObject; path: Path };
}

/** The result for one object of the package. */
export interface Entry {
  input: InputObject;
  role: 'rgd' | 'crd' | 'instance' | 'observed' | 'other';
  /** The rendered objects of an instance; empty for other objects. */
  rendered: readonly Rendered[];
  /** Unchanged, for a kro controller in the cluster (an instance, or an RGD that one uses). */
  passedThrough: boolean;
}
