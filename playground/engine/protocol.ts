import type { Diagnostic, OnPending, PendingValue } from '../../src/api/index.ts';

/** The role of a file. `inputs` replaces the inputs of the ResourceSet. */
export type Role = 'objects' | 'definitions' | 'observed' | 'inputs';

export interface PackageFile {
  readonly name: string;
  readonly text: string;
  readonly role: Role;
}

export interface PackageOptions {
  readonly namespace?: string;
  readonly onPending?: OnPending;
  readonly strict?: boolean;
  readonly assumeEmptyStatus?: boolean;
  /** Without it, the release that the renderer takes by default. */
  readonly kro?: '0.10';
  readonly experimental?: readonly ['graph'];
}

/** The input of a rendering: files, and options with the names of the library. */
export interface Package {
  readonly files: readonly PackageFile[];
  readonly options: PackageOptions;
}

/** A rendered object as text, with the instance and the node of its labels. */
export interface RenderedObject {
  /** Group, kind, namespace and name: unique among rendered objects. */
  readonly key: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** `Kind/name`, or '' without an instance. */
  readonly instance: string;
  /** `KIND/NAMESPACE/NAME` or `KIND/NAME` of the instance, or ''. */
  readonly address: string;
  /** The id of the node, or ''. */
  readonly node: string;
  /** The name of the RGD, or ''. */
  readonly definition: string;
  readonly yaml: string;
}

/** An instance among the files, or a ResourceSet. */
export interface InstanceName {
  /** `KIND/NAMESPACE/NAME` or `KIND/NAME`, for `explain` and `graph`. */
  readonly address: string;
  readonly title: string;
}

export interface Rendered {
  readonly objects: readonly RenderedObject[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface PendingRow extends PendingValue {
  readonly reader: string;
}

/** A node that is skipped: the condition that is false, or the reason, and the values that the condition reads. */
export interface SkippedNode {
  /** `Kind/name`. */
  readonly instance: string;
  readonly node: string;
  readonly kind: string;
  readonly why: string;
  readonly values: readonly { readonly text: string; readonly value: string }[];
}

export interface GraphNode {
  readonly id: string;
  /** Its lines, the id first. */
  readonly lines: readonly string[];
  readonly outcome: string;
  readonly external: boolean;
  readonly conditions: readonly string[];
  readonly collection: boolean;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface GraphPicture {
  readonly name: string;
  readonly title: string;
  /** The addresses of the instances that it draws; none for an RGD. */
  readonly instances: readonly string[];
  readonly nodes: readonly GraphNode[];
  readonly arrows: readonly (readonly { readonly x: number; readonly y: number }[])[];
  readonly width: number;
  readonly height: number;
}

export interface Graphs {
  /** The instances that can be drawn. */
  readonly instances: readonly string[];
  readonly pictures: readonly GraphPicture[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface Located {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** One step from a rendered field to its source. */
export interface OriginStep {
  readonly depth: number;
  readonly from: string;
  readonly what: string;
  readonly value?: string;
  readonly expression?: string;
  readonly place?: Located;
}

export interface FieldOrigin {
  readonly object: string;
  readonly field: string;
  readonly text: string;
  readonly steps: readonly OriginStep[];
}

export interface Kinds {
  /** `Kind.group` of every RGD. */
  readonly kinds: readonly string[];
  readonly crds: readonly { readonly name: string; readonly yaml: string }[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The part of a JSON Schema that a form uses. */
export interface FormSchema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: { readonly [name: string]: FormSchema };
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly items?: FormSchema;
  readonly additionalProperties?: FormSchema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly const?: unknown;
}

export interface Form {
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: FormSchema;
  /** The sample of the kind: YAML with a comment on every field. */
  readonly sample: string;
}

/** A part of an expression, with its value or the reason why it has none. */
export interface ExpressionPart {
  readonly depth: number;
  readonly text: string;
  readonly value: string;
  readonly isFault: boolean;
}

/** The expression at a position, as one instance sees it. */
export interface ExpressionAt {
  /** As it is written. */
  readonly text: string;
  readonly type: string;
  /** Its node and its field. */
  readonly field: string;
  readonly node: string;
  /** The instance, and all instances that it has a value in. */
  readonly instance: string;
  readonly instances: readonly InstanceName[];
  /** JSON, or the reason why there is none. */
  readonly value: string;
  readonly isFault: boolean;
  /** What is to be known of the value: that it is of the first item, or that its node is skipped. */
  readonly note: string;
  readonly parts: readonly ExpressionPart[];
  readonly reads: readonly OriginStep[];
}

/** The output of the command, byte for byte. */
export interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** A set of objects that may be written as an instance, as text. */
export interface PastedCopy {
  readonly name: string;
  readonly text: string;
}

/** The RGD of copies with its instances, or the reasons why there is none. */
export interface Extracted {
  readonly files: readonly PackageFile[];
  readonly fields: readonly {
    readonly name: string;
    readonly type: string;
    /** The number of different values. */
    readonly values: number;
    readonly fills: readonly string[];
  }[];
  readonly summary: string;
  readonly faults: readonly { readonly message: string; readonly hint: string; readonly place: string }[];
}

/** The result of a validation. */
export interface Checked {
  readonly diagnostics: readonly Diagnostic[];
  /** What nobody checked, in a few words; '' if everything was. */
  readonly unchecked: string;
}

/** The requests of the engine. */
export interface Verbs {
  render(pack: Package): Rendered;
  partial(pack: Package, errors: readonly Diagnostic[]): readonly RenderedObject[];
  check(pack: Package): Checked;
  pending(pack: Package): { readonly values: readonly PendingRow[]; readonly diagnostics: readonly Diagnostic[] };
  skipped(pack: Package): readonly SkippedNode[];
  /** Renders what the objects are compared with. */
  baseline(pack: Package): Rendered;
  kinds(pack: Package): Kinds;
  /** Draws each graph in the direction that fits a panel of a size better. */
  graph(pack: Package, instance: string, panel: Size): Graphs;
  origin(pack: Package, object: string, field: string): FieldOrigin | { readonly fault: string };
  fillIn(pack: Package, row: number, value: string): PackageFile;
  form(pack: Package, kind: string): Form;
  yaml(object: unknown): string;
  /** Explains the expression at a position, for an instance or the first one; undefined if there is none. */
  expression(pack: Package, at: Located, instance: string): ExpressionAt | undefined;
  /** Loads what later requests need. */
  prefetch(): true;
  extract(copies: readonly PastedCopy[], kind: string): Extracted;
  command(pack: Package, verb: 'render' | 'crd'): CommandOutput;
}

export type Verb = keyof Verbs;
export type Arguments<V extends Verb> = Parameters<Verbs[V]>;
export type Answer<V extends Verb> = ReturnType<Verbs[V]>;

/** The time limit of a request in milliseconds. */
export const LIMIT = 2000;

export interface Request {
  readonly id: number;
  readonly verb: Verb;
  readonly args: readonly unknown[];
}

/** A message of the worker: that it is ready, or an answer. */
export type Message =
  | { readonly ready: string }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly fault: string };
