import type { Budget } from '../cel/index.ts';
import type { Graphs } from '../compile/index.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import { type InputObject, identityOf, type KubeObject } from '../model/object.ts';
import type { RenderOptions } from '../model/render.ts';
import { withoutBookkeeping } from './clean.ts';
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
  readonly plain: ReadonlyMap<string, InputObject>;
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
  /** Nothing more will be rendered: whoever still waits goes on with what there is. */
  settled: boolean;
}

/** The identity that a reference by group, kind, namespace and name has. */
export const identity = (group: string, kind: string, namespace: string, name: string): string =>
  `${group}/${kind}/${namespace}/${name}`;

export function indexByIdentity(objects: readonly InputObject[]): Map<string, KubeObject> {
  const index = new Map<string, KubeObject>();
  for (const { object } of objects) index.set(identityOf(object), withoutBookkeeping(object));
  return index;
}
