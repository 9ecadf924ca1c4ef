import type { InputObject, KubeObject } from '../../core/model/object.ts';
import type { Path, Value, ValueMap } from '../../core/model/value.ts';

/** A decoded RGD: the content of `spec`, with the paths for diagnostics. */
export interface Definition {
  input: InputObject;
  /** metadata.name */
  name: string;
  uid: string | undefined;
  group: string;
  version: string;
  kind: string;
  /** `spec.schema.plural` of kro 0.10; without it the plural is derived from the kind. */
  plural: string | undefined;
  namespaced: boolean;
  /** `spec.schema` as written: SimpleSchema spec, types, status, names and columns. */
  schema: ValueMap;
  nodes: readonly NodeDefinition[];
}

export interface NodeDefinition {
  id: string;
  path: Path;
  template: ValueMap | undefined;
  externalRef: ValueMap | undefined;
  forEach: readonly { name: string; text: string; path: Path }[];
  includeWhen: readonly string[];
  readyWhen: readonly string[];
}

/** Returns an optional value: `undefined` and null are the same. */
export const present = (value: Value | undefined): Value | undefined => (value === null ? undefined : value);

export const isRgd = (object: KubeObject): boolean =>
  object.apiVersion === 'kro.run/v1alpha1' && object.kind === 'ResourceGraphDefinition';
