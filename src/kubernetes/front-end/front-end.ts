import type { Code, Collector } from '../../core/diagnostics/index.ts';
import type { Document, InputObject, KubeObject } from '../../core/model/object.ts';
import type { Entry, Rendered, RenderInput, RenderOptions } from '../../core/model/render.ts';
import type { Group, Ordered } from '../label/index.ts';
import type { Awaited } from './awaited.ts';
import type { Review } from './review.ts';

/**
 * A language of templates. The pipeline gives each front end the objects of a package that no other one takes, and what
 * the others render; what it renders goes to the others in turn.
 */
export interface FrontEnd<S extends Session = Session> {
  name: string;
  /** What its objects are read as, to find objects that only nearly are such. */
  apis: readonly Api[];
  /** Whether an object is of this language alone: no other front end is given it. */
  takes(object: KubeObject): boolean;
  /** Whether it is given an object that another front end rendered. */
  reads(object: KubeObject): boolean;
  /** It refuses by itself what collides with an object that it was given. */
  refusesTwins?: boolean;
  /** Forgives in a document what the controller of the language forgives. */
  coerce?(document: Document): Document;
  /** The kinds whose objects are rendered, as far as the objects of a package say so. */
  kindsIn(objects: readonly KubeObject[]): readonly Kind[];
  start(context: Context): S;
}

type Kind = Pick<Outline, 'kind' | 'group'>;

/** What objects are read as, by group and kind. */
export interface Api {
  group: string;
  apiVersion: string;
  kinds: readonly string[];
  code: Code;
  /** Whether other versions of the group are refused. */
  oneVersion: boolean;
  /** Whether a kind of that name in another group was intended to be this one. */
  takesGroup(group: string): boolean;
}

/** A package as it was read: lists are flattened, and what is no object is left out. */
export interface Package {
  /** Every object that may become output, in order. */
  objects: readonly InputObject[];
  /** What is read beside the package, and never becomes output. */
  beside: readonly InputObject[];
  /** Live objects from beside it. */
  observed: readonly InputObject[];
}

/** What is rendered. */
export interface Context {
  input: RenderInput;
  options: RenderOptions;
  pack: Package;
  /** An error in one place hides nothing elsewhere: every step runs, as far as it can. */
  lenient: boolean;
}

/** One rendering of a package, as one front end sees it. The steps run in this order, from the top when objects come up. */
export interface Session {
  /** Everything found; where a step runs again, that of the last time. */
  readonly reports: Collector;
  /** Sorts out the objects that there are, and decodes those that are its own. */
  read(objects: readonly InputObject[]): void;
  /** Once per definition. */
  compile?(): void;
  /** Once per instance. */
  admit?(): void;
  /** Renders objects. `depth` counts how often front ends rendered for one another. */
  expand(depth: number): void;
  /** What became of the objects that it took, in order. */
  readonly outcomes: ReadonlyMap<KubeObject, Outcome>;
  /** The nodes that wait. */
  readonly pending: readonly { instanceId: string; node: string }[];
  /** What the definitions define and render. */
  outlines?(): readonly Outline[];
  /** How the rendered objects are ordered; without it, they are in no order. */
  order?(): Ordering;
  /** Whether a rendered object may hold values of Secrets. */
  secretOf?(object: KubeObject): InputObject['secret'];
  /** What a comparison may know of a rendered object; without it, who rendered it and at which node. */
  reviews?(): (object: KubeObject) => Review | undefined;
  /** What it reads of a cluster, and waits for. */
  survey?(): Surveyed;
  /** The CRDs of the kinds that the package defines, sorted by name. */
  crds?(): KubeObject[];
}

/** What became of an object that a front end took. */
export interface Outcome extends Pick<Entry, 'role' | 'passedThrough'> {
  input: InputObject;
  /** What it was rendered to, before what others make of that. */
  rendered: readonly Rendered[];
}

/** What a definition defines and renders. */
export interface Outline {
  /** '' when it does not say so. */
  kind: string;
  group: string;
  /** The nodes with a template, each with the kind that it renders. */
  nodes: readonly { id: string; kind: string; group: string }[];
}

/** What a front end reads of a cluster. */
export interface Surveyed {
  /** The values that only a cluster knows. */
  awaited: readonly Awaited[];
  /** What is read of live objects. */
  live: ReadonlyMap<KubeObject, KubeObject>;
}

export interface Ordering {
  objects: readonly Ordered[];
  groups: readonly Group[];
  /** Objects that the groups of other front ends may name, each with what it was rendered to. */
  instances: readonly Group[];
}
