/** Asks for the verdict about each RGD of two versions of a package. */

import { groupBy } from '../../core/model/group-by.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { groupKind, groupKindOf, type InputObject, nameOf } from '../../core/model/object.ts';
import type { RenderInput } from '../../core/model/render.ts';
import { equal } from '../../core/model/value.ts';
import { greatest } from '../../core/text/extremes.ts';
import { generateInstances, shrink } from '../../describe/instances/index.ts';
import { type Graph, isReference, reachedFrom } from '../../kro/compile/index.ts';
import { definedKind } from '../../kro/definition/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import type { Checks } from './changes.ts';
import { coveredBy, type SidesCovered } from './covered.ts';
import { type Effect, type EffectOptions, type Examined, effectKey, examine, isRenderedBy } from './effects.ts';
import { compareIdentity } from './identity.ts';
import { type CountedVersion, createSide, type Sides } from './side.ts';
import { updateOf } from './update.ts';
import { addedVerdict, rankOf, unknownVerdict, type Verdict, verdictOf } from './verdict.ts';

/** One version of a package for the gate. */
export interface GateVersion extends CountedVersion {
  input: RenderInput;
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
  return new Gate(older, newer, options).verdicts(known);
}

/** How many instances of an RGD are generated, and how often a smaller one is tried. */
const MOST_GENERATED = 60;
const MOST_SHRINKING = 40;
/** The nodes that the generated instances of an RGD may render in a version, and those that are tried. */
const MOST_NODES = 6_000;

/** Returns how many instances may be rendered: fewer of a graph with many nodes. */
function limitedBy(most: number, nodes: number): number {
  return Math.max(2, Math.min(most, Math.floor(MOST_NODES / Math.max(nodes, 1))));
}

/** What was found out about a set of instances. */
interface Findings {
  examined: readonly Examined[];
  covered: SidesCovered;
}

/** What was found out about generated instances, and whether there are more of them. */
interface GeneratedFindings extends Findings {
  isCut: boolean;
}

const NOTHING: GeneratedFindings = { examined: [], covered: [[], []], isCut: false };

class Gate {
  readonly #sides: Sides;
  readonly #holdsData: readonly string[];
  /** The effects of the instances that were tried, by the text of the instance: many effects have the same smallest one. */
  readonly #tried = new Map<string, ReadonlyMap<string, Effect>>();

  constructor(
    private readonly older: GateVersion,
    private readonly newer: GateVersion,
    private readonly options: GateOptions,
  ) {
    // Both versions have the other objects of the newer one, so that only RGDs differ.
    this.#sides = [createSide(older, newer.input, options), createSide(newer, newer.input, options)];
    this.#holdsData = options.holdsData ?? [];
  }

  verdicts(known: readonly InputObject[]): Verdict[] {
    const { older, newer, options } = this;
    const before = rgdsByKind(older);
    const after = rgdsByKind(newer);
    const names = new Set(older.rgds.map(({ object }) => nameOf(object)));
    const isChanged = changeTest(older, newer);
    const isCompared = (kind: string): boolean => isChanged(kind) && older.graphs.has(kind) && newer.graphs.has(kind);
    const existing = this.#examineKnown(known.filter(({ object }) => isCompared(groupKindOf(object))));
    const examinedByKind = groupBy(existing.examined, ({ input }) => groupKindOf(input.object));
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
      const reached = [older, newer].map(({ graphs }) => reachedFrom(kind, graphs)) as [Graph[], Graph[]];
      const nodes = greatest(reached.map((graphs) => graphs.reduce((sum, one) => sum + one.nodes.length, 0)));
      const isGenerated = current !== undefined && isChanged(kind);
      const generated = isGenerated ? this.#examineGenerated([graph, current], nodes) : NOTHING;
      const examined = [...(examinedByKind.get(kind) ?? []), ...generated.examined];
      const compared = examined.filter((one) => one.isCompared).map((one) => one.input);
      verdicts.push(
        verdictOf({
          before: graph,
          after: renamed,
          identity: changes,
          update,
          examined,
          isCut: generated.isCut,
          covered: coveredBy(graph, reached, [existing.covered, generated.covered], compared),
        }),
      );
    }
    for (const [kind, input] of after) {
      if (!before.has(kind) && !names.has(nameOf(input.object))) verdicts.push(addedVerdict(input));
    }
    return verdicts.toSorted((a, b) => rankOf(b.level) - rankOf(a.level));
  }

  /** Compares instances that exist. They are rendered together, because they may read one another. */
  #examineKnown(instances: readonly InputObject[]): Findings {
    return this.#examineMeasured(instances, (some) => this.#examineTogether(some));
  }

  /** Compares instances that are generated from both versions of an RGD. What they show is shown by small ones. */
  #examineGenerated(graphs: readonly [Graph, Graph], nodes: number): GeneratedFindings {
    const { instances, isCut } = generateInstances(graphs, {
      ...this.options,
      most: limitedBy(MOST_GENERATED, nodes),
      triesExtremes: false,
      faultsOf: (input) => Number(!isRenderedBy(this.#sides[0], input)),
    });
    const { examined, covered } = this.#examineMeasured(instances, (some) => this.#examineApart(some));
    const seen = new Set<string>();
    const smaller = examined.flatMap((one) => {
      const fresh = one.effects.filter((effect) => !seen.has(effectKey(effect)));
      for (const effect of fresh) seen.add(effectKey(effect));
      return fresh.map((effect) => this.#smallest(one, effect, limitedBy(MOST_SHRINKING, nodes)));
    });
    // The first instance with an effect is the one that is shown.
    return { examined: [...smaller, ...examined], covered, isCut };
  }

  #examineTogether(instances: readonly InputObject[]): Examined[] {
    return examine(this.#sides, instances, this.#holdsData);
  }

  /** Compares instances as if each were alone. They are rendered together as long as none can tell. */
  #examineApart(instances: readonly InputObject[]): Examined[] {
    const kinds = new Set(instances.map(({ object }) => groupKindOf(object)));
    const reached = this.#sides.flatMap(({ graphs }) => [...kinds].flatMap((kind) => reachedFrom(kind, graphs)));
    const mayReadOthers = reached.some(({ nodes }) => nodes.some(isReference));
    const alone = (input: InputObject): Examined[] => this.#examineTogether([input]);
    if (mayReadOthers) return instances.flatMap(alone);
    // Two instances may render one object.
    return this.#examineTogether(instances).flatMap((one) => (one.hasFailed ? alone(one.input) : [one]));
  }

  /** Examines instances, and measures what those cover that are compared. Others are rendered, too, and show nothing. */
  #examineMeasured(
    instances: readonly InputObject[],
    examineWith: (instances: readonly InputObject[]) => Examined[],
  ): Findings {
    const kinds = new Set(instances.map(({ object }) => groupKindOf(object)));
    const takeCovered = (): SidesCovered => [this.#sides[0].takeCovered(kinds), this.#sides[1].takeCovered(kinds)];
    // What was rendered before, to find instances, does not count.
    takeCovered();
    const examined = examineWith(instances);
    const covered = takeCovered();
    const compared = examined.filter(({ isCompared }) => isCompared).map(({ input }) => input);
    if (compared.length === examined.length) return { examined, covered };
    examineWith(compared);
    return { examined, covered: takeCovered() };
  }

  /** Returns the smallest instance that shows an effect, with this effect alone. */
  #smallest({ input }: Examined, effect: Effect, most: number): Examined {
    const key = effectKey(effect);
    const shownBy = (one: InputObject): Effect | undefined => this.#effectsOf(one).get(key);
    const small = shrink(input, { most, shows: (one) => shownBy(one) !== undefined });
    return {
      input: small,
      effects: [shownBy(small) ?? effect],
      isCompared: true,
      hasFailed: false,
      pending: [],
      smallerOf: input,
    };
  }

  /** Returns what an instance alone shows, by the keys of the effects. */
  #effectsOf(input: InputObject): ReadonlyMap<string, Effect> {
    return getOrCompute(this.#tried, toJsonText(input.object), () => {
      const effects = new Map<string, Effect>();
      for (const effect of this.#examineTogether([input])[0]?.effects ?? []) {
        const key = effectKey(effect);
        if (!effects.has(key)) effects.set(key, effect);
      }
      return effects;
    });
  }
}

const rgdsByKind = ({ rgds }: GateVersion): Map<string, InputObject> =>
  new Map(rgds.map((input) => [definedKind(input.object), input]));

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
