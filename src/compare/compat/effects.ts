/** What two versions of RGDs make of one instance: which of its objects differ, and how much that matters. */
import {
  composeText,
  format,
  isError,
  isPending,
  type Problem,
  type Report,
  type Text,
  trusted,
} from '../../core/diagnostics/index.ts';
import { groupKindOf, type InputObject, placeOfSource, type Source } from '../../core/model/object.ts';
import type { RenderOptions } from '../../core/model/render.ts';
import { equal, getAt, isMap, ownValue, type Path, type Value } from '../../core/model/value.ts';
import { enumerated } from '../../core/text/clip.ts';
import { isGeneratedSource } from '../../describe/instances/index.ts';
import type { Graph } from '../../kro/compile/index.ts';
import { definedKind } from '../../kro/definition/index.ts';
import { changesBetween, headline, type ObjectChange, warningsOf } from '../diff/index.ts';
import { type ComparedVersion, type Reviewed, type Unit, unitKey } from '../review/index.ts';
import { faultsOf } from './admitted.ts';
import type { Side, Sides, SideVersion } from './side.ts';

/** How much a change asks of those who use an RGD, from the least to the most; `unknown` was not compared. */
export const LEVELS = ['none', 'patch', 'minor', 'major', 'unknown'] as const;
export type Level = (typeof LEVELS)[number];

/** The kinds of differences that instances show. */
export const EFFECTS = [
  'instance-rejected',
  'instance-not-rendered',
  'node-not-compared',
  'object-lost',
  'object-recreated',
  'object-removed',
  'object-replaced',
  'object-changed',
  'object-added',
] as const;
type EffectName = (typeof EFFECTS)[number];

/** A field of an RGD. */
export interface GatePlace {
  source: Source | undefined;
  path: Path;
}

/** One difference that an instance shows. */
export interface Effect {
  change: EffectName;
  level: 'minor' | 'major' | 'unknown';
  /** Returns its words: most of many equal differences are only counted. */
  describe: () => Text;
  /** The node whose object differs, with the kind of its RGD; '' for the instance. */
  node: string;
  /** The field in each version: in the RGD that has the node, which may be that of a nested instance. */
  before: GatePlace;
  after: GatePlace;
}

/** Returns what two instances share that show the same difference. */
export const effectKey = ({ change, node, after }: Effect): string => JSON.stringify([change, node, after.path]);

/** The result of both versions for one instance. */
export interface Examined {
  input: InputObject;
  effects: readonly Effect[];
  /** Whether both versions were asked: the older one accepts the instance, and renders it or the newer one rejects it. */
  isCompared: boolean;
  /** Whether a version accepts the instance and does not render it. */
  hasFailed: boolean;
  /** The nodes that are pending in both versions and not compared, as `node` of an effect. */
  pending: readonly string[];
  /** The generated instance of which it is a smaller copy, which counts only once. */
  smallerOf?: InputObject;
}

export type EffectOptions = RenderOptions & { holdsData?: readonly string[] };

/** The rendering of an instance by one version. */
interface Outcome {
  objects: readonly Reviewed[];
  /** The error that keeps it from being rendered. */
  failure: Report | undefined;
  /** The nodes with a value that only a cluster has. */
  pending: ReadonlySet<string>;
}

/**
 * Compares what two versions make of instances, which are rendered together. Both versions get the same other objects,
 * so that only RGDs differ.
 */
export function examine(
  [before, after]: Sides,
  instances: readonly InputObject[],
  holdsData: readonly string[],
): Examined[] {
  const asked = instances.map((input) => ({ input, was: admittedBy(before, input), is: admittedBy(after, input) }));
  const both = asked.flatMap(({ input, was, is }) => (isClean(was) && isClean(is) ? [input] : []));
  const kinds = new Set(instances.map(({ object }) => groupKindOf(object)));
  const was = outcomesOf(before, both, kinds);
  const is = outcomesOf(after, both, kinds);
  return asked.map(({ input, was: older, is: newer }) => {
    if (!isClean(older)) return notCompared(input, false);
    const [problem] = newer;
    if (problem !== undefined) return withEffects(input, [rejection(problem, [before, after], input)]);
    const old = was(input);
    if (old.failure !== undefined) return notCompared(input, true);
    return compareOutcomes(input, old, is(input), [before, after], holdsData);
  });
}

const notCompared = (input: InputObject, hasFailed: boolean): Examined => ({
  input,
  effects: [],
  isCompared: false,
  hasFailed,
  pending: [],
});

const withEffects = (input: InputObject, effects: readonly Effect[], pending: readonly string[] = []): Examined => ({
  input,
  effects,
  isCompared: true,
  hasFailed: false,
  pending,
});

const graphFor = ({ graphs }: SideVersion, { object }: InputObject): Graph | undefined =>
  graphs.get(groupKindOf(object));

/** Returns the faults of an instance by the schema of a version. */
function admittedBy(side: SideVersion, input: InputObject): readonly Problem[] {
  const graph = graphFor(side, input);
  return graph === undefined ? [] : faultsOf(graph, input.object);
}

const isClean = (problems: readonly Problem[]): boolean => problems.length === 0;

function rejection({ path, message }: Problem, [before, after]: Sides, input: InputObject): Effect {
  const field = ['spec', 'schema', ...path.filter((step) => typeof step === 'string')];
  return {
    change: 'instance-rejected',
    level: 'major',
    describe: () =>
      composeText`the new schema rejects an instance that the old one accepts: ${trusted.field(path)}: ${format(message)}`,
    node: '',
    before: { source: graphFor(before, input)?.input.source, path: field },
    after: { source: graphFor(after, input)?.input.source, path: field },
  };
}

const NO_OUTCOME: Outcome = { objects: [], failure: undefined, pending: new Set() };

type Outcomes = (input: InputObject) => Outcome;

function outcomesOf(side: Side, instances: readonly InputObject[], kinds: ReadonlySet<string>): Outcomes {
  if (instances.length === 0) return () => NO_OUTCOME;
  const version = side.render(instances, kinds);
  const units = new Map(version.units.map((unit) => [unitKey(unit.input), unit]));
  const failed = new Set(version.failed.map(unitKey));
  return (input) => outcomeIn(version, units.get(unitKey(input)), failed.has(unitKey(input)), input, side);
}

/** Reports whether a version accepts an instance, and renders it without an error. */
export const isRenderedBy = (side: Side, input: InputObject): boolean =>
  isClean(admittedBy(side, input)) &&
  outcomesOf(side, [input], new Set([groupKindOf(input.object)]))(input).failure === undefined;

function outcomeIn(
  { reports, pending }: ComparedVersion,
  unit: Unit | undefined,
  isFailed: boolean,
  input: InputObject,
  side: SideVersion,
): Outcome {
  const place = placeOfSource(input.source);
  const isOwn = (one: Report): boolean => [one.source, one.instance].map(placeOfSource).includes(place);
  const errors = isFailed || unit === undefined ? reports.filter(isError) : [];
  const ownPending = pending.filter((one) => isPending(one) && isOwn(one));
  return {
    objects: unit?.objects ?? [],
    failure: errors.find(isOwn) ?? errors[0],
    pending: new Set(
      ownPending.flatMap(({ node, source }) => (node === undefined ? [] : [nodeKey(graphAt(side, source), node)])),
    ),
  };
}

/** Returns the RGD that is at a place. */
function graphAt({ graphs }: SideVersion, source: Source | undefined): Graph | undefined {
  const place = placeOfSource(source);
  return [...graphs.values()].find(({ input }) => placeOfSource(input.source) === place);
}

/** Returns the name of a node, with the kind of its RGD, which is the same in both versions. */
const nodeKey = (graph: Graph | undefined, node: string): string =>
  `${graph === undefined ? '' : definedKind(graph.input.object)} ${node}`;

/** Returns the id of a node. */
const idOf = (key: string): string => key.slice(key.indexOf(' ') + 1);
const kindOf = (key: string): string => key.slice(0, key.indexOf(' '));

const keyOfObject = ({ place }: Reviewed): string =>
  place?.definition === undefined ? '' : `${definedKind(place.definition.input.object)} ${place.node}`;

function compareOutcomes(
  input: InputObject,
  was: Outcome,
  is: Outcome,
  sides: Sides,
  holdsData: readonly string[],
): Examined {
  if (is.failure !== undefined)
    return { ...withEffects(input, [failureEffect(is.failure, sides, input)]), hasFailed: true };
  const changes = changesBetween(was.objects, is.objects);
  // An object of a node that one version leaves pending is neither deleted nor added.
  const isOfPending = ({ change, before, after }: ObjectChange): boolean =>
    (change === 'removed' && before !== undefined && is.pending.has(keyOfObject(before))) ||
    (change === 'added' && after !== undefined && was.pending.has(keyOfObject(after)));
  const effects = changes.filter((one) => !isOfPending(one)).map((one) => effectOf(one, input, sides, holdsData));
  const { uncompared, pending } = pendingEffects(was, is, input, sides);
  return withEffects(input, [...effects, ...uncompared], pending);
}

/** Returns the nodes of which a version renders nothing, because a value is pending: nothing of them is compared. */
function unrenderedIn({ objects, pending }: Outcome): string[] {
  if (pending.size === 0) return [];
  const rendered = new Set(objects.map(keyOfObject));
  return [...pending].filter((key) => !rendered.has(key));
}

/** Returns an effect for each node that one version leaves pending, or both of which one differs, and the other nodes. */
function pendingEffects(
  was: Outcome,
  is: Outcome,
  input: InputObject,
  sides: Sides,
): { uncompared: Effect[]; pending: string[] } {
  const [older, newer] = [unrenderedIn(was), unrenderedIn(is)];
  const pending = older.filter((key) => newer.includes(key) && isSameNode(key, sides));
  const changed = new Set([...older, ...newer].filter((key) => !pending.includes(key)));
  const uncompared = [...changed].map((key): Effect => {
    const versions = olderAndNewer(older.includes(key), newer.includes(key));
    return {
      change: 'node-not-compared',
      level: 'unknown',
      describe: () =>
        composeText`node ${trusted.definition(idOf(key))} is pending in ${versions}: its objects are not compared`,
      node: key,
      before: placeOfNode(sides[0], key, input),
      after: placeOfNode(sides[1], key, input),
    };
  });
  return { uncompared, pending };
}

function olderAndNewer(isInOlder: boolean, isInNewer: boolean): Text {
  if (isInOlder && isInNewer) return composeText`both versions, and it changed`;
  return isInOlder ? composeText`the old version` : composeText`the new version`;
}

function isSameNode(key: string, sides: Sides): boolean {
  const [was, is] = sides.map(({ graphs }) => {
    const graph = graphs.get(kindOf(key));
    const node = graph?.nodeById.get(idOf(key));
    return node === undefined ? undefined : getAt(graph?.input.object, node.path);
  });
  return was !== undefined && is !== undefined && equal(was, is);
}

function failureEffect(failure: Report, sides: Sides, input: InputObject): Effect {
  const { message, path, source, node } = failure;
  const graph = graphAt(sides[1], source);
  const key = node === undefined ? '' : nodeKey(graph, node);
  const isOfRgd = graph !== undefined && source !== undefined && !isGeneratedSource(source);
  return {
    change: 'instance-not-rendered',
    level: 'major',
    describe: () => composeText`an instance is rendered no more: ${message}`,
    node: key,
    before: placeOfNode(sides[0], key, input),
    after: isOfRgd ? { source, path } : placeOfNode(sides[1], key, input),
  };
}

/** Returns the place of a node in a version; that of all nodes if the version does not have it. */
function placeOfNode(side: SideVersion, key: string, input: InputObject): GatePlace {
  const graph = side.graphs.get(kindOf(key)) ?? graphFor(side, input);
  return { source: graph?.input.source, path: graph?.nodeById.get(idOf(key))?.path ?? ['spec'] };
}

function effectOf(change: ObjectChange, input: InputObject, sides: Sides, holdsData: readonly string[]): Effect {
  const node = keyOfObject((change.before ?? change.after) as Reviewed);
  const [danger] = warningsOf(change, holdsData);
  const name =
    danger === undefined ? NAMES[change.change] : danger.kind === 'data-loss' ? 'object-lost' : 'object-recreated';
  const isMinor = name === 'object-changed' || name === 'object-added';
  const inside = changedPath(change);
  const placeIn = (side: Side, one: Reviewed | undefined): GatePlace => {
    const { source, path } = placeOfNode(side, one === undefined ? node : keyOfObject(one), input);
    return { source, path: [...path, ...inside] };
  };
  return {
    change: name,
    level: isMinor ? 'minor' : 'major',
    describe: () => danger?.message ?? describeChange(change),
    node,
    before: placeIn(sides[0], change.before),
    after: placeIn(sides[1], change.after),
  };
}

/** Returns a change of an object in words: its fields, without their values. */
export function describeChange(change: ObjectChange): Text {
  const fields = change.change === 'changed' ? change.fields.map(({ path }) => path) : [];
  const listed = fields.length === 0 ? '' : composeText`: ${trusted.redacted(enumerated(fields, 5))}`;
  return composeText`${headline(change)}${listed}`;
}

const NAMES = {
  added: 'object-added',
  removed: 'object-removed',
  changed: 'object-changed',
  replaced: 'object-replaced',
} as const satisfies Record<ObjectChange['change'], EffectName>;

/** Returns the path below a node of the first field that differs. */
function changedPath({ change, before, after }: ObjectChange): Path {
  if (change === 'replaced') return ['template', 'metadata', 'name'];
  if (before === undefined || after === undefined) return [];
  return ['template', ...firstDifference(before.object, after.object)];
}

function firstDifference(before: Value | undefined, after: Value | undefined): Path {
  if (isMap(before) && isMap(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const key of [...keys].sort()) {
      const [was, is] = [ownValue(before, key), ownValue(after, key)];
      if (!equal(was, is)) return [key, ...firstDifference(was, is)];
    }
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const index = before.findIndex((item, at) => !equal(item, after[at]));
    if (index >= 0) return [index, ...firstDifference(before[index], after[index])];
  }
  return [];
}
