import type { CelValue } from '../../cel/index.ts';
import type { KubeObject } from '../../model/object.ts';
import { type CompiledExpression, type GraphNode, nodeSlot } from '../../rgd/compile/index.ts';
import {
  copied,
  type DefaultNamespace,
  type Expansion,
  type InstanceRun,
  nestedRuns,
  refreshViews,
  type World,
} from '../../rgd/expand/index.ts';
import type { Awaited } from './awaited.ts';
import { type Carrier, carrierOf, keyOf, referencedCarrier } from './carrier.ts';
import { provisionalCarriers } from './provisional.ts';

/** One node of one run, with the objects that it stands for. */
export interface SurveyedNode {
  node: GraphNode;
  /** Its own value waits. */
  waits: boolean;
  skipped: boolean;
  /** `undefined` when not even their number is known. */
  carriers: readonly Carrier[] | undefined;
  /** The expressions of it that have no value yet. */
  waiting: ReadonlySet<CompiledExpression>;
}

/** Every node of every instance, those behind waiting nodes included. */
export interface Survey {
  world: World;
  /** Where live objects stand that name no namespace. */
  observedNamespace: DefaultNamespace;
  /** In the order of the instances, nested ones behind the one that holds them. */
  runs: ReadonlyMap<InstanceRun, readonly SurveyedNode[]>;
  /** What waiting nodes will render, by identity: references find it once it is there. */
  coming: ReadonlyMap<string, Carrier>;
  beside?: SurveyBeside;
}

/** What another front end reads of a cluster, and waits for. */
export interface SurveyBeside {
  awaited: readonly Awaited[];
  /** What is read of live objects. */
  live: ReadonlyMap<KubeObject, KubeObject>;
}

/** Goes through a finished expansion, and in a copy of it on behind the nodes that wait. */
export function surveyRuns(expansion: Expansion, observedNamespace: DefaultNamespace): Survey {
  const { runs, world } = copied(expansion);
  const found = new Map<InstanceRun, SurveyedNode[]>();
  for (const run of runs) surveyRun(run, world, found);
  return { world, observedNamespace, runs: found, coming: comingCarriers([...found.values()].flat()) };
}

function comingCarriers(nodes: readonly SurveyedNode[]): Map<string, Carrier> {
  const coming = new Map<string, Carrier>();
  for (const { waits, carriers = [] } of nodes) {
    for (const carrier of carriers) {
      const key = keyOf(carrier);
      if (waits && key !== undefined && !carrier.referenced) coming.set(key, carrier);
    }
  }
  return coming;
}

function surveyRun(run: InstanceRun, world: World, found: Map<InstanceRun, SurveyedNode[]>): void {
  const nodes: SurveyedNode[] = [];
  found.set(run, nodes);
  for (const index of run.graph.order) {
    const node = run.graph.nodes[index] as GraphNode;
    refreshViews(run, node.dependencies, world);
    const surveyed = surveyNode(run, node, world);
    nodes[index] = surveyed;
    for (const { nested } of surveyed.carriers ?? []) {
      const inner = nested !== undefined && nested.parent?.run === run;
      if (inner && !found.has(nested)) surveyRun(nested, world, found);
    }
  }
  for (const nested of nestedRuns(run)) if (!found.has(nested)) surveyRun(nested, world, found);
}

const NONE: ReadonlySet<CompiledExpression> = new Set();

function surveyNode(run: InstanceRun, node: GraphNode, world: World): SurveyedNode {
  const state = run.states[node.index];
  if (state === 'skipped') return { node, waits: false, skipped: true, carriers: [], waiting: NONE };
  if (state === 'done') {
    return { node, waits: false, skipped: false, carriers: doneCarriers(run, node, world), waiting: NONE };
  }
  const { carriers, waiting } = provisionalCarriers(run, node, world);
  const seen = carriers?.map((carrier) => carrier.seen ?? null);
  const isList = node.kind === 'collection' || node.kind === 'externalCollection';
  // Nothing can be read of null, so whoever reads a list that is not known waits too.
  run.frame[nodeSlot(node.index)] = isList ? (seen ?? null) : (seen?.[0] ?? null);
  return { node, waits: true, skipped: false, carriers, waiting };
}

function doneCarriers(run: InstanceRun, node: GraphNode, world: World): Carrier[] {
  if (node.kind === 'resource' || node.kind === 'collection') {
    return (run.made[node.index] ?? []).map((made) => carrierOf(made, world));
  }
  const value = run.frame[nodeSlot(node.index)] as CelValue;
  const objects = Array.isArray(value) ? value : [value];
  return objects.map((object) => referencedCarrier(object as KubeObject, node.gvk, world));
}
