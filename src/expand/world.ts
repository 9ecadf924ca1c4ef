import type { Budget } from '../cel/index.ts';
import type { Graphs } from '../compile/index.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import { withoutBookkeeping } from '../model/bookkeeping.ts';
import { type InputObject, identityOf, type KubeObject, namespaceOf } from '../model/object.ts';
import type { RenderOptions } from '../model/render.ts';
import type { ValueMap } from '../model/value.ts';
import type { InstanceRun } from './instance.ts';

/** Who made an object, for collision reports. */
export interface Maker {
  run: InstanceRun;
  node: number;
}

/** Everything that the instances of one package share while they are expanded. */
export interface World {
  readonly graphs: Graphs;
  readonly options: RenderOptions;
  readonly reports: Report[];
  /** Live objects by identity. */
  readonly observed: ReadonlyMap<string, KubeObject>;
  /** Plain objects of the package by identity. */
  readonly plain: ReadonlyMap<string, KubeObject>;
  /** Runs of the instances that stand in the package, by the identity of the instance. */
  readonly instances: Map<string, InstanceRun>;
  /** What was rendered so far, by identity. */
  readonly rendered: Map<string, KubeObject>;
  readonly makers: Map<string, Maker>;
  /** Runs with a node that waits for an object to be rendered, by its identity. */
  readonly waiting: Map<string, InstanceRun[]>;
  /** uids of rendered instances: owner references to them are left out. */
  readonly instanceIds: Set<string>;
  /** Budgets that are used up. */
  readonly exhausted: Set<Budget>;
  /** Runs with something to do. */
  readonly queue: InstanceRun[];
  /**
   * What is waited for: anything that may still be rendered; objects only, while readers of an instance's status go on
   * with what it has; nothing any more.
   */
  patience: 'full' | 'objects' | 'none';
}

/** The identity that a reference by group, kind, namespace and name has. */
export const identity = (group: string, kind: string, namespace: string, name: string): string =>
  `${group}/${kind}/${namespace}/${name}`;

/** The namespace of an object that names none: '' for cluster-scoped kinds and where none is given. */
export type DefaultNamespace = (object: KubeObject) => string;

/** Objects as expressions see them, by identity; one without a namespace is in the default one. */
export function indexByIdentity(
  objects: readonly InputObject[],
  defaultNamespace: DefaultNamespace,
): Map<string, KubeObject> {
  const index = new Map<string, KubeObject>();
  for (const { object } of objects) {
    const placed = inNamespace(withoutBookkeeping(object), defaultNamespace);
    index.set(identityOf(placed), placed);
  }
  return index;
}

/** The object where it stands in a cluster. */
export function inNamespace(object: KubeObject, defaultNamespace: DefaultNamespace): KubeObject {
  if (namespaceOf(object) !== '') return object;
  const namespace = defaultNamespace(object);
  return namespace === '' ? object : { ...object, metadata: { ...(object.metadata as ValueMap), namespace } };
}
