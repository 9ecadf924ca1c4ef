import type { OnPending, Order } from '../core/model/render.ts';

/**
 * A JSON value. Integers beyond 2^53 are bigint, since a number would not hold them: `JSON.stringify` throws a
 * TypeError for those, `toJson` and `toYaml` write every digit.
 */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/** `metadata` of an object. Kubernetes knows more fields; those that are there are here too. */
export interface ObjectMeta {
  readonly name?: string;
  /** Left out for kinds that have none, and where nobody named one. */
  readonly namespace?: string;
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
  readonly [field: string]: JsonValue | undefined;
}

/** An object as it comes out. What `all` adds of the input comes as it is, and lacks `metadata` if it did so there. */
export interface KubernetesObject {
  /** `v1`, `apps/v1` */
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: JsonValue | undefined;
}

/** A text of YAML or JSON documents: what is in a file. */
export interface TextSource {
  /** Its name in diagnostics; nothing is read from there. */
  readonly file: string;
  readonly text: string;
}

/**
 * An object that a program made: plain maps, lists and JSON values, integers as number or bigint, undefined members as
 * if left out. Instances of the classes of @kubernetes/client-node are taken too. Diagnostics about an object have no
 * file, line and column.
 */
export interface ObjectSource {
  /** Without it and `kind` a value is not an object of Kubernetes, and is left out with an info. */
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: an interface without an index signature fits nothing narrower.
  readonly [field: string]: any;
}

export type Source = TextSource | ObjectSource;

/** The objects that are rendered together, and what is known of the cluster. */
export interface InstanceInput {
  /** Instances and anything else, in any order; RGDs and CRDs may be among them. */
  readonly objects: readonly Source[];
  /**
   * Live objects, status included: they supply the values that only a cluster knows. Default: none. Two of one identity
   * are an error among the diagnostics.
   */
  readonly observed?: readonly Source[] | undefined;
  /** The input sets of the ResourceSet, in place of its inline ones. Default: those of the ResourceSet. */
  readonly inputsFrom?: readonly JsonValue[] | undefined;
}

export interface RenderInput extends InstanceInput {
  /** RGDs and CRDs that are read but never come out. Default: none. */
  readonly definitions?: readonly Source[] | undefined;
  /**
   * A cluster's OpenAPI document (v2 or v3), parsed. Default: the kinds of Kubernetes itself. A value that is no such
   * document describes no kinds.
   */
  readonly openapi?: JsonValue | undefined;
}

/** Options that make a difference when instances are rendered. */
export interface InstanceOptions {
  /**
   * The namespace of instances that name none. Without it, objects of such instances carry none, and an expression
   * that reads `schema.metadata.namespace` is an error.
   * @default ""
   */
  readonly namespace?: string | undefined;
  /**
   * What becomes of a node that waits for a value only a live object has. `fail`: an error. `skip`: it is left out with
   * all that read it, with a warning. `passthrough`: its instance comes out as it is, for a kro controller.
   * `placeholder`: a text in the place of each value, for previews; an error where the field takes no string.
   * @default "fail"
   */
  readonly onPending?: OnPending | undefined;
  /**
   * See a node without an observed object with an empty status, so that fallbacks such as `.?ip.orValue("none")` render.
   * @default false
   */
  readonly assumeEmptyStatus?: boolean | undefined;
  /**
   * Keep owner references to rendered instances. Else they are left out with a warning: the instance is not in the
   * cluster, and garbage collection would delete the object.
   * @default false
   */
  readonly keepOwnerReferences?: boolean | undefined;
  /**
   * Copy labels of these keys from instances to their objects, unless a template sets them.
   * @default []
   */
  readonly propagateLabels?: readonly string[] | undefined;
  /**
   * The same for annotations.
   * @default []
   */
  readonly propagateAnnotations?: readonly string[] | undefined;
  /**
   * Write the order of the graph into annotations: `argocd` for sync waves, `kpt` for depends-on. More than 500,000
   * dependencies are an error.
   * @default "none"
   */
  readonly order?: Order | undefined;
  /**
   * The largest number of items one collection may have; one with more is an error.
   * @default 1000
   */
  readonly maxCollectionSize?: number | bigint | undefined;
  /**
   * The largest number of calls and iterations one expression may take, all of an instance four times that. More are an
   * error.
   * @default 10000000
   */
  readonly maxSteps?: number | bigint | undefined;
  /**
   * The largest number of list items one expression may make, all of an instance four times that. A map entry counts
   * four, a character an eighth. More are an error.
   * @default 3000000
   */
  readonly maxSize?: number | bigint | undefined;
  /**
   * Let the other objects of the input come out too: all but RGDs, instances, observed objects and what only runners
   * read.
   * @default false
   */
  readonly all?: boolean | undefined;
}

/**
 * How to render. What is undefined is as if left out. A name that is not here, and a value of the wrong type or out of
 * bounds, is an error among the diagnostics (`library-option`); options that are no object are a TypeError.
 */
export interface RenderOptions extends InstanceOptions {
  /**
   * Refuse what kro refuses although rendering could go on: kinds that nothing describes, rules of newer releases of
   * kro, a key that occurs twice in one map. Else these are warnings.
   * @default false
   */
  readonly strict?: boolean | undefined;
  /**
   * Kinds that nothing describes and that are cluster-scoped, each as `Kind.group`. Others count as namespaced.
   * @default []
   */
  readonly clusterScoped?: readonly string[] | undefined;
}

export interface ValidateOptions extends RenderOptions {
  /**
   * The codes of lints that are not looked for.
   * @default []
   */
  readonly disable?: readonly string[] | undefined;
  /**
   * Severities of diagnostics, the last rule that fits one counts. Errors with which rendering fails stay errors.
   * @default []
   */
  readonly rules?: readonly ValidateRule[] | undefined;
}

/** What becomes of the diagnostics of a code. */
export interface ValidateRule {
  /** A code, or the beginning of codes with `*` behind it: `lint-*`. */
  readonly code: string;
  readonly severity: 'off' | 'info' | 'warning' | 'error';
  /** Globs of the names of sources. Default: every source. */
  readonly paths?: readonly string[] | undefined;
  /** Why; it must not be empty. */
  readonly reason: string;
}

export interface CompileOptions extends RenderOptions {
  /**
   * A cluster's OpenAPI document (v2 or v3), parsed. Default: the kinds of Kubernetes itself.
   */
  readonly openapi?: JsonValue | undefined;
}

/** What a cluster answered. */
export interface LiveInput {
  /** Live objects, as kubectl get -o yaml or -o json prints them. Two of one identity are an error. */
  readonly live: readonly Source[];
  /** What `observe` gave out earlier: objects of it that are still read stay where there is no newer one. Default: none. */
  readonly earlier?: readonly Source[] | undefined;
}

export interface LiveOptions {
  /**
   * Give out values of Secrets where an expression reads them. Else such an expression is an error.
   * @default false
   */
  readonly allowSecrets?: boolean | undefined;
}

export interface ObserveInput extends RenderInput, LiveInput {}

export interface ObserveOptions extends RenderOptions, LiveOptions {}
