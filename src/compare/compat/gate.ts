/** Asks for the verdict about each RGD of two versions of a package. */

import { groupBy } from '../../core/model/group-by.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { groupKind, groupKindOf, type InputObject, nameOf } from '../../core/model/object.ts';
import type { KroVersion, RenderInput } from '../../core/model/render.ts';
import { equal } from '../../core/model/value.ts';
import { generateInstances, shrink } from '../../describe/instances/index.ts';
import type { Graph, Graphs } from '../../kro/compile/index.ts';
import { definedKind } from '../../kro/definition/index.ts';
import type { Checks } from './changes.ts';
import { type Effect, type EffectOptions, type Examined, examine, isRenderedBy, reachedFrom } from './effects.ts';
import { compareIdentity } from './identity.ts';
import { updateOf } from './update.ts';
import { addedVerdict, rankOf, unknownVerdict, type Verdict, verdictOf } from './verdict.ts';

/** One version of a package for the gate. */
export interface GateVersion {
  input: RenderInput;
  graphs: Graphs;
  kro: KroVersion;
  /** All of its RGDs, also those that do not compile. */
  rgds: readonly InputObject[];
}

export interface GateOptions extends EffectOptions {
  checks: Checks;
  /** Reports whether nobody knows what the newer version has of an older RGD. */
  isUnknown: (rgd: InputObject) => boolean;
}

/** Returns the verdict about each RGD of either version, the highest first. `known` are the instances that exist. */
export function judgeUpdates(
  older: GateVersion,
  newer: GateVersion,
  known: readonly InputObject[],
  options: GateOptions,
): Verdict[] {
  const before = rgdsByKind(older);
  const after = rgdsByKind(newer);
  const names = new Set(older.rgds.map(({ object }) => nameOf(object)));
  const isChanged = changeTest(older, newer);
  const instances = known.filter(({ object }) => isChanged(groupKindOf(object)));
  const both = instances.filter(({ object }) => isIn(older, newer, groupKindOf(object)));
  const examined = groupBy(examine(older, newer, both, newer.input, options), ({ input }) => groupKindOf(input.object));
  const verdicts: Verdict[] = [];
  for (const [kind, input] of before) {
    const graph = older.graphs.get(kind);
    const isBroken = after.has(kind) && !newer.graphs.has(kind);
    if (graph === undefined || isBroken || options.isUnknown(input)) {
      const current = after.get(kind);
      if (graph !== undefined || current !== undefined) verdicts.push(unknownVerdict(input, current));
      continue;
    }
    const { after: current, renamed, changes } = compareIdentity(graph, newer.graphs);
    const update = current === undefined ? undefined : updateOf(graph, current, options.checks);
    const existing = examined.get(kind) ?? [];
    const generated =
      current !== undefined && isChanged(kind) ? examineGenerated(older, newer, [graph, current], options) : [];
    const all = [...existing, ...generated];
    verdicts.push(verdictOf({ before: graph, after: renamed, identity: changes, update, examined: all }));
  }
  for (const [kind, input] of after) {
    if (!before.has(kind) && !names.has(nameOf(input.object))) verdicts.push(addedVerdict(input));
  }
  return verdicts.toSorted((a, b) => rankOf(b.level) - rankOf(a.level));
}

/** How many instances of an RGD are generated, and how often a smaller one is tried. */
const MOST_GENERATED = 60;
const MOST_SHRINKING = 40;

/** Compares instances that are generated from both versions of an RGD. What they show is shown by small ones. */
function examineGenerated(
  older: GateVersion,
  newer: GateVersion,
  [before, after]: readonly [Graph, Graph],
  options: GateOptions,
): Examined[] {
  const ask = (input: InputObject): Examined | undefined => examine(older, newer, [input], newer.input, options)[0];
  const { instances } = generateInstances([before, after], {
    ...options,
    most: MOST_GENERATED,
    triesExtremes: false,
    isRendered: (input) => isRenderedBy(older, input, newer.input, options),
  });
  const seen = new Set<string>();
  return instances.flatMap((input) => {
    const examined = ask(input);
    // An instance that the older version does not render says nothing about the change.
    if (examined === undefined || !examined.isCompared) return [];
    const fresh = examined.effects.filter((effect) => !seen.has(keyOf(effect)));
    for (const effect of fresh) seen.add(keyOf(effect));
    // The first instance with an effect is the one that is shown.
    return [...fresh.map((effect) => smallest(examined, effect, ask)), examined];
  });
}

const keyOf = ({ change, node, after }: Effect): string => JSON.stringify([change, node, after]);

/** Returns the smallest instance that shows an effect, with this effect alone. */
function smallest(examined: Examined, effect: Effect, ask: (input: InputObject) => Examined | undefined): Examined {
  const showsIt = (one: Examined | undefined): Effect | undefined =>
    one?.effects.find((other) => keyOf(other) === keyOf(effect));
  const input = shrink(examined.input, { most: MOST_SHRINKING, shows: (one) => showsIt(ask(one)) !== undefined });
  return { input, effects: [showsIt(ask(input)) ?? effect], isCompared: true, isSmaller: true };
}

const rgdsByKind = ({ rgds }: GateVersion): Map<string, InputObject> =>
  new Map(rgds.map((input) => [definedKind(input.object), input]));

const isIn = (older: GateVersion, newer: GateVersion, kind: string): boolean =>
  older.graphs.has(kind) && newer.graphs.has(kind);

/** Returns a test for kinds whose instances may be rendered differently: an RGD that they reach changed. */
function changeTest(older: GateVersion, newer: GateVersion): (kind: string) => boolean {
  const haveOtherDefaults = !equal(defaultsOf(older), defaultsOf(newer));
  const known = new Map<string, boolean>();
  return (kind) =>
    getOrCompute(known, kind, () => {
      const [before, after] = [older, newer].map(({ graphs }) => reachedFrom(kind, graphs)) as [Graph[], Graph[]];
      const current = new Map(after.map((graph) => [groupKind(graph), graph]));
      const isSame = (graph: Graph): boolean => equal(graph.input.object, current.get(groupKind(graph))?.input.object);
      return haveOtherDefaults || older.kro !== newer.kro || before.length !== after.length || !before.every(isSame);
    });
}

const defaultsOf = ({ input }: GateVersion) => (input.defaults ?? []).map(({ object }) => object);
