import type { KubeObject } from '../../core/model/object.ts';
import type { NeededFields } from '../../core/model/trim.ts';

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
  /**
   * `name` is absent while it is pending, and, with an empty `namespace`, if `secret` says that they may be values of a
   * Secret. With a `selector` it is any object with such labels.
   */
  object: { apiVersion: string; kind: string; namespace: string; name?: string; secret?: true; selector?: string };
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
