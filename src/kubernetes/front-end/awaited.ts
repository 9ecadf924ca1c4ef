/** A value that only a live object has. */
export interface Awaited {
  /** Where a name may be a value of a Secret, it is `(hidden)`. */
  instance: { kind: string; namespace: string; name: string };
  /** The node that waits, and the field of its template that the value is for. */
  node: string;
  field: string;
  expression: string;
  /** The node renders without it. */
  optional: boolean;
  /**
   * `name` is missing as long as it waits itself, and, with `namespace` empty, where `secret` says that they may be
   * values of a Secret. With a `selector` it is any object with such labels.
   */
  object: { apiVersion: string; kind: string; namespace: string; name?: string; secret?: true; selector?: string };
  /** The way to the value in the object; '' for the object itself. */
  path: string;
  /** A field beside it that takes a reference, and what to set it to, so that nothing has to be waited for. */
  alternative?: { field: string; value: string };
}
