import type { KroVersion, KubernetesRelease, OnPending, Order } from '../core/model/render.ts';

/**
 * A JSON value. Integers beyond 2^53 are bigint, because a number is not exact there: `JSON.stringify` throws a
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

/** `metadata` of an object. Other fields of Kubernetes are kept. */
export interface ObjectMeta {
  readonly name?: string;
  /** Absent for cluster-scoped kinds, and if no namespace is set. */
  readonly namespace?: string;
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
  readonly [field: string]: JsonValue | undefined;
}

/** A rendered object. With `all`, objects of the input are returned unchanged, and may lack `metadata`. */
export interface KubernetesObject {
  /** `v1`, `apps/v1` */
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: JsonValue | undefined;
}

/** A text of YAML or JSON documents: the content of a file. */
export interface TextSource {
  /** Its name in diagnostics; the file is not read. */
  readonly file: string;
  readonly text: string;
}

/**
 * An object of a program: plain maps, lists and JSON values, integers as number or bigint. Undefined members are
 * ignored. Instances of the classes of @kubernetes/client-node are accepted too. Diagnostics about an object have no
 * file, line and column.
 */
export interface ObjectSource {
  /** A value without `apiVersion` and `kind` is not a Kubernetes object, and is ignored with an info. */
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: an interface without an index signature fits nothing narrower.
  readonly [field: string]: any;
}

export type Source = TextSource | ObjectSource;

/** The objects that are rendered together, and the known state of the cluster. */
export interface InstanceInput {
  /** Instances and any other objects, in any order; RGDs and CRDs may be included. */
  readonly objects: readonly Source[];
  /**
   * Live objects, including status: they supply the values that only a cluster has. Default: none. Two objects of one
   * identity are an error in the diagnostics.
   */
  readonly observed?: readonly Source[] | undefined;
  /** The input sets of the ResourceSet, instead of its inline ones. Default: those of the ResourceSet. */
  readonly inputsFrom?: readonly JsonValue[] | undefined;
  /**
   * Fields that instances get when they do not have them: an object with `apiVersion`, `kind` and `spec` for each kind.
   * Default: none.
   */
  readonly defaults?: readonly Source[] | undefined;
}

export interface RenderInput extends InstanceInput {
  /** RGDs and CRDs that are read but never returned. Default: none. */
  readonly definitions?: readonly Source[] | undefined;
  /**
   * A cluster's OpenAPI document (v2 or v3), parsed. Default: the kinds of Kubernetes itself. A value that is not such
   * a document describes no kinds.
   */
  readonly openapi?: JsonValue | undefined;
}

/** Options that affect the rendering of instances. */
export interface InstanceOptions {
  /**
   * The namespace of instances without one. Without this option, their objects have none either, and an expression that
   * reads `schema.metadata.namespace` is an error. Default: "".
   */
  readonly namespace?: string | undefined;
  /**
   * What happens to a node that needs a value of a live object. `fail`: an error. `skip`: the node is omitted with all
   * nodes that read it, with a warning. `passthrough`: its instance is returned unchanged, for a kro controller.
   * `placeholder`: a text instead of each value, for previews; an error if the field is not a string. Default: "fail".
   */
  readonly onPending?: OnPending | undefined;
  /**
   * Treats the status of a node without an observed object as empty, so that fallbacks such as `.?ip.orValue("none")`
   * render. Default: false.
   */
  readonly assumeEmptyStatus?: boolean | undefined;
  /**
   * Keeps owner references to rendered instances. Otherwise they are removed with a warning: the instance is not in the
   * cluster, and garbage collection would delete the object. Default: false.
   */
  readonly keepOwnerReferences?: boolean | undefined;
  /** Copies labels with these keys from instances to their objects, unless a template sets them. Default: []. */
  readonly propagateLabels?: readonly string[] | undefined;
  /** Copies annotations with these keys from instances to their objects, unless a template sets them. Default: []. */
  readonly propagateAnnotations?: readonly string[] | undefined;
  /**
   * Writes the order of the graph into annotations: `argocd` for sync waves, `kpt` for depends-on. More than 500,000
   * dependencies are an error. Default: "none".
   */
  readonly order?: Order | undefined;
  /** The maximum number of items in one collection; more are an error. Default: 1000. */
  readonly maxCollectionSize?: number | bigint | undefined;
  /**
   * The maximum number of calls and iterations of one expression; a whole instance may use four times as many. More are
   * an error. Default: 10000000.
   */
  readonly maxSteps?: number | bigint | undefined;
  /**
   * The maximum number of list items that one expression may create; a whole instance may create four times as many. A
   * map entry counts four, a character an eighth. More are an error. Default: 3000000.
   */
  readonly maxSize?: number | bigint | undefined;
  /**
   * Returns the other objects of the input too: all except RGDs, instances, observed objects and objects that only
   * runners read. Default: false.
   */
  readonly all?: boolean | undefined;
}

/**
 * How to render. An undefined option has its default. An unknown name and an invalid value are errors in the
 * diagnostics (`library-option`); options that are not an object are a TypeError.
 */
export interface RenderOptions extends InstanceOptions {
  /**
   * Rejects what kro rejects although rendering could continue: unknown kinds, rules of newer releases of kro,
   * duplicate keys. Otherwise these are warnings. Default: false.
   */
  readonly strict?: boolean | undefined;
  /** The release of kro whose rules apply: docs/kro-0.10.md. Default: "0.9". */
  readonly kro?: KroVersion | undefined;
  /** The release of Kubernetes whose kinds and fields objects may have. Default: "1.37", the newest known one. */
  readonly kubernetes?: KubernetesRelease | undefined;
  /** Features that may still change: `graph` renders the kind Graph of kro 0.10. Default: []. */
  readonly experimental?: readonly string[] | undefined;
  /** Unknown kinds that are cluster-scoped, each as `Kind.group`. Others are assumed to be namespaced. Default: []. */
  readonly clusterScoped?: readonly string[] | undefined;
  /** API groups all of whose objects are rendered: one without an RGD is an error. Default: none. */
  readonly groups?: readonly string[] | undefined;
}

export interface ValidateOptions extends RenderOptions {
  /** The codes of disabled lints. Default: []. */
  readonly disable?: readonly string[] | undefined;
  /** Severities of diagnostics; the last matching rule wins. Errors that fail rendering stay errors. Default: []. */
  readonly rules?: readonly ValidateRule[] | undefined;
}

/** A rule for the diagnostics of a code. */
export interface ValidateRule {
  /** A code, or a prefix of codes followed by `*`: `lint-*`. */
  readonly code: string;
  readonly severity: 'off' | 'info' | 'warning' | 'error';
  /** Globs of the names of sources. Default: every source. */
  readonly paths?: readonly string[] | undefined;
  /** The reason; it must not be empty. */
  readonly reason: string;
}

export interface CompileOptions extends RenderOptions {
  /**
   * A cluster's OpenAPI document (v2 or v3), parsed. Default: the kinds of Kubernetes itself.
   */
  readonly openapi?: JsonValue | undefined;
}

/** The live objects of a cluster. */
export interface LiveInput {
  /** Live objects, as `kubectl get -o yaml` or `-o json` prints them. Two objects of one identity are an error. */
  readonly live: readonly Source[];
  /** Earlier output of `observe`: its objects that are still read are kept if there is no newer one. Default: none. */
  readonly earlier?: readonly Source[] | undefined;
}

export interface LiveOptions {
  /** Returns values of Secrets that an expression reads. Otherwise such an expression is an error. Default: false. */
  readonly allowSecrets?: boolean | undefined;
}

export interface ObserveInput extends RenderInput, LiveInput {}

export interface ObserveOptions extends RenderOptions, LiveOptions {}

/** What became of everything that was given: a verdict is computed from it. `render-rgd schema ledger` describes it. */
export interface Ledger {
  readonly version: 1;
  /** `fine` only if somebody looked at everything, and nothing failed; `incomplete` if nothing failed. */
  readonly state: 'failed' | 'incomplete' | 'fine';
  /** Whether a command would exit with 1: there is an error, or with `strict` something that nobody looked at. */
  readonly isRefused: boolean;
  /** The numbers of units by their kind, such as `object` and `rendered`, and by outcome. */
  readonly sums: { readonly [unit: string]: LedgerSum };
  /** The number of values that a tool replaces before the object is applied. */
  readonly opaque: number;
  /** The number of values that only a cluster has. */
  readonly pending: number;
  readonly accepted: number;
  /** One for each unit; rendered objects and decisions of policies have one only if nobody looked at them, or if they failed. */
  readonly entries: readonly LedgerEntry[];
}

/** The numbers of units of one kind. `all` is the sum of the others. */
export interface LedgerSum {
  readonly all: number;
  readonly seen: number;
  readonly failed: number;
  readonly unseen: number;
  readonly irrelevant: number;
}

/** What became of one unit. */
export interface LedgerEntry {
  /** What it is: `document`, `object`, `rendered`, `policy`. */
  readonly unit: string;
  readonly file?: string;
  /** The number of the document in its file, from 0. */
  readonly document?: number;
  readonly title: string;
  readonly kind: string;
  readonly outcome: 'read' | 'checked' | 'rendered' | 'compared' | 'unaffected' | 'failed' | 'unseen' | 'irrelevant';
  /** What checked it: the rules of an engine, or a schema. */
  readonly by?: 'kro' | 'flux' | 'graph' | 'schema';
  /** Why nobody looked at it, or why it does not matter. */
  readonly why?: string;
}
