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
