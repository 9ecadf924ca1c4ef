import type { Code, Collector, Text } from '../../core/diagnostics/index.ts';
import type { Document, InputObject, KubeObject } from '../../core/model/object.ts';
import type { NeededFields } from '../../core/model/read.ts';
import type { Entry, Rendered, RenderInput, RenderOptions } from '../../core/model/render.ts';
import type { Path } from '../../core/model/value.ts';
import { type Secrecy, writtenSecrets } from '../../core/redaction/index.ts';
import type { Group, Ordered } from '../label/index.ts';
import type { KindRegistry } from '../schema/index.ts';

/** The node of an instance that renders an object. */
interface Place {
  instance: Text;
  namespace: Text;
  node: Text;
  key: string;
  /** The RGD that has the node, and the path of the node in it. Undefined for objects that a caller describes. */
  definition?: { input: InputObject; path: Path };
  /** The fields that another controller may take over: then kro does not write them any more. */
  released?: readonly Path[];
}

/** What a comparison may know of an object. */
export interface Review {
  /** The node of an instance that renders it. Objects with the same node are versions of each other. */
  place?: Place | undefined;
  secrecy: Secrecy;
  /** Its name or namespace may be a value of a Secret. */
  nameless: boolean;
  /** Maps of a Secret whose keys were written by hand, so that they may be printed. */
  named: readonly string[];
}

export const NAMED_IN_SECRETS = ['data', 'stringData'];

export const reviewAlone = (object: KubeObject): Review => ({
  secrecy: writtenSecrets(object, 'object'),
  nameless: false,
  named: NAMED_IN_SECRETS,
});

/** A value that only a live object has. */
export interface PendingValue {
  /** `(hidden)` if a name may be a value of a Secret. */
  instance: { kind: string; namespace: string; name: string };
  /** The pending node, and the field of its template that needs the value. */
  node: string;
  field: string;
  expression: string;
  /** The node renders without it. */
  optional: boolean;
  /** `name` is absent while it is pending, or may be a value of a Secret. A `selector` is for any object with labels. */
  object: Omit<ObjectName, 'name'> & { name?: string | undefined; secret?: true; selector?: string };
  /** The path of the value in the object; '' for the object itself. */
  path: string;
  /** A field beside it that accepts a reference, with its value, so that nothing is pending. */
  alternative?: { field: string; value: string };
}

/** What a front end reads of a cluster. */
export interface Surveyed {
  /** Returns the values that only live objects have, including those after other pending values. */
  pending(): readonly PendingValue[];
  /** Returns the fields that it reads of live objects. */
  reads(): LiveReads;
}

export interface LiveReads {
  /** Returns what it reads of a live object; `undefined` if it reads nothing. */
  of(live: KubeObject): LiveRead | undefined;
  /** The objects that it reads and that are not observed. */
  missing: readonly ObjectName[];
  /** Returns the identity of a live object in the package, if it differs: one without a namespace is in the default one. */
  identityOf?(live: KubeObject): string;
}

export interface LiveRead {
  /** Empty if the package contains all of it. */
  needed: readonly NeededFields[];
  /** The object in the package. */
  as?: ObjectName;
}

/** The name of an object of a package. */
export interface ObjectName {
  apiVersion: string;
  kind: string;
  /** '' for none. */
  namespace: string;
  /** `undefined` while the name or the namespace is pending. */
  name: string | undefined;
}

/**
 * A template language. The pipeline passes each front end the objects of a package that no other one takes, and those
 * that the others render; its rendered objects are passed to the others in turn.
 */
export interface FrontEnd<S extends Session = Session> {
  name: string;
  /** The APIs of its objects, to find near misses. */
  apis: readonly Api[];
  /** Reports whether an object belongs to this language only: no other front end gets it. */
  takes(object: KubeObject): boolean;
  /** Reports whether it gets an object that another front end rendered. */
  reads(object: KubeObject): boolean;
  /** It reports collisions with objects that it received by itself. */
  reportsCollisions?: boolean;
  /** Fixes in a document what the controller of the language tolerates. */
  coerce?(document: Document): Document;
  /** Returns the kinds whose objects are rendered, as far as the objects of a package define them. */
  kindsIn(objects: readonly KubeObject[]): readonly Pick<Outline, 'kind' | 'group'>[];
  start(context: Context): S;
}

export interface Api {
  group: string;
  apiVersion: string;
  kinds: readonly string[];
  /** Returns the present kind of an object that an older release called otherwise, and the release that renamed it. */
  renamed?(object: KubeObject): { kind: string; since: string } | undefined;
  code: Code;
  /** Whether other versions of the group are rejected. */
  oneVersion: boolean;
  /** Reports whether a kind of that name in another group was intended to be this one. */
  takesGroup(group: string): boolean;
}

/** The objects of a package: lists are flattened, and other values ignored. */
export interface Package {
  /** Every object that may be printed, in order. */
  objects: readonly InputObject[];
  /** The definitions, which are never printed. */
  beside: readonly InputObject[];
  observed: readonly InputObject[];
}

export interface Context {
  input: RenderInput;
  options: RenderOptions;
  pack: Package;
}

/** One rendering of a package in one front end. The steps run in this order, and again if objects are added. */
export interface Session {
  /** The diagnostics; if a step runs again, those of the last time. */
  readonly reports: Collector;
  /** Classifies the objects, and decodes those of this front end. */
  read(objects: readonly InputObject[]): void;
  /** Compiles each definition once. */
  compile?(): void;
  /** Admits each instance once, and renders objects. `depth` counts how often front ends rendered for one another. */
  expand(depth: number): void;
  /** The results for its objects, in order. */
  readonly outcomes: ReadonlyMap<KubeObject, Outcome>;
  readonly pending: readonly { instanceId: string; node: string }[];
  /** The kinds that the package describes, and those of Kubernetes or of an OpenAPI document. */
  readonly kinds?: KindRegistry;
  outlines?(): readonly Outline[];
  /** Returns the order of the rendered objects; without it they have none. */
  order?(): Ordering;
  /** Reports whether a rendered object may contain values of Secrets. */
  secretOf?(object: KubeObject): InputObject['secret'];
  /** Returns a function that reports whether even the kind of a rendered object may be a value of a Secret. */
  hidesKind?(): (object: KubeObject) => boolean;
  /** Returns what a comparison may know of a rendered object; without it, only its instance and node. */
  reviews?(): (object: KubeObject) => Review | undefined;
  /** Returns what it reads of a cluster, and its pending values, in parts. */
  survey?(): readonly Surveyed[];
  /** Returns the CRDs of the kinds that the package defines, sorted by name. */
  crds?(): KubeObject[];
}

export interface Outcome extends Pick<Entry, 'role' | 'passedThrough'> {
  input: InputObject;
  /** Its rendered objects, before other front ends render those. */
  rendered: readonly Rendered[];
}

/** What a definition defines and renders. */
export interface Outline {
  /** '' if it is not set. */
  kind: string;
  group: string;
  /** The nodes with a template, each with the kind that it renders. */
  nodes: readonly { id: string; kind: string; group: string }[];
}

export interface Ordering {
  objects: readonly Ordered[];
  groups: readonly Group[];
  /** Objects that groups of other front ends may name, with their rendered objects. */
  instances: readonly Group[];
}
