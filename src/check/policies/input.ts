import type { Limits } from '../../core/model/limits.ts';
import type { InputObject, KubeObject } from '../../core/model/object.ts';
import type { RenderOptions } from '../../core/model/render.ts';
import type { KindRegistry } from '../../kubernetes/schema/index.ts';

export interface PolicyInput {
  policies: readonly InputObject[];
  /** Objects that are in the cluster: namespaces, and parameters. */
  known: readonly InputObject[];
  /** Those of `known` that were given for the policies: others of their kinds do not exist. */
  complete: readonly InputObject[];
  crds: readonly KubeObject[];
  kinds: KindRegistry;
  user?: { name: string; groups: readonly string[] } | undefined;
  limits: Limits;
  /** The namespace of objects without one; '' if it is not known. */
  namespace: string;
  /** Nothing may depend on values of Secrets. */
  unknownSecrets?: RenderOptions['unknownSecrets'];
}

export const userOf = ({ as = '', asGroup = [] }: UserOptions): PolicyInput['user'] =>
  as === '' ? undefined : { name: as, groups: asGroup };

export interface UserOptions {
  as?: string | undefined;
  asGroup?: readonly string[] | undefined;
}
