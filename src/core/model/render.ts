import { defaultLimits, type Limits } from './limits.ts';
import type { Document, InputObject, KubeObject } from './object.ts';
import type { Path, Value } from './value.ts';

export type OnPending = 'fail' | 'skip' | 'passthrough' | 'placeholder';
export type Order = 'none' | 'argocd' | 'kpt';

/** What the core needs to know besides the objects. Shells fill it from the options table. */
export interface RenderOptions extends Limits {
  /** The namespace of instances that name none; '' for none. */
  namespace: string;
  /** Refuse what kro refuses although a renderer could go on: unknown kinds, rules of newer kro versions. */
  strict: boolean;
  /** Kinds that nothing describes and that are cluster-scoped, as `Kind.group`. */
  clusterScoped: readonly string[];
  onPending: OnPending;
  assumeEmptyStatus: boolean;
  keepOwnerReferences: boolean;
  /** Labels and annotations that objects take from their instance; several keys may stand between commas. */
  propagateLabels: readonly string[];
  propagateAnnotations: readonly string[];
  order: Order;
  /** The largest number of items one collection may have. */
  maxCollectionSize: number;
}

export const defaultRenderOptions: RenderOptions = {
  namespace: '',
  strict: false,
  clusterScoped: [],
  onPending: 'fail',
  assumeEmptyStatus: false,
  keepOwnerReferences: false,
  propagateLabels: [],
  propagateAnnotations: [],
  order: 'none',
  maxCollectionSize: 1000,
  ...defaultLimits,
};

export interface RenderInput {
  /** The package: RGDs, CRDs, instances and anything else, in order. `List` kinds may be among them. */
  objects: readonly Document[];
  /** RGDs and CRDs that are read but never become output. */
  definitions?: readonly Document[];
  /** Live objects, status included. */
  observed?: readonly Document[];
  /** Values for fields that instances do not have, an object with a `spec` for each kind. */
  defaults?: readonly Document[];
  /** Input sets for the ResourceSet of the package, in place of its inline ones. */
  inputSets?: { value: Value };
  /** Whether the package is one file that the user named: of ResourceSets it is read as the Flux operator's build does. */
  isNamedFile?: boolean;
  /** A cluster's OpenAPI document (v2 or v3) in place of the built-in Kubernetes types. */
  openapi?: Value;
}

/**
 * One object made by rendering, with where it came from. The Flux operator's build prints what an entry of `resources`
 * renders to without a look at its apiVersion and its name, so an object of a ResourceSet may lack both.
 */
export interface Rendered {
  object: KubeObject;
  /** The value of the `kro.run/instance-id` label. */
  instanceId: string;
  /** The id of the node in the nearest instance. */
  node: string;
  /** The template of a ResourceSet that it was rendered from, and the path of that in the ResourceSet. */
  template?: { input: InputObject; path: Path };
}

/** What one object of the package became. */
export interface Entry {
  input: InputObject;
  role: 'rgd' | 'crd' | 'instance' | 'observed' | 'other';
  /** What an instance was rendered to; empty for everything else. */
  rendered: readonly Rendered[];
  /** Left as it came for a kro controller in the cluster (an instance, or an RGD that one reaches). */
  passedThrough: boolean;
}
