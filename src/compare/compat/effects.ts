/** What two versions of RGDs make of one instance: which of its objects differ, and how much that matters. */
import {
  composeText,
  format,
  isError,
  isPending,
  type Report,
  type Text,
  trusted,
} from '../../core/diagnostics/index.ts';
import { groupKind, groupKindOf, type InputObject, placeOfSource } from '../../core/model/object.ts';
import type { KroVersion, RenderInput, RenderOptions } from '../../core/model/render.ts';
import { equal, isMap, ownValue, type Path, type Value } from '../../core/model/value.ts';
import { enumerated } from '../../core/text/clip.ts';
import type { Graph, Graphs } from '../../kro/compile/index.ts';
import { isRgd } from '../../kro/definition/index.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { compareVersions, headline, type ObjectChange, warningsOf } from '../diff/index.ts';
import { type ComparedVersion, type Reviewed, renderCompared, type Unit, unitKey } from '../review/index.ts';

/** How much a change asks of those who use an RGD, from the least to the most; `unknown` was not compared. */
export const LEVELS = ['none', 'patch', 'minor', 'major', 'unknown'] as const;
export type Level = (typeof LEVELS)[number];

/** The kinds of differences that instances show. */
const EFFECTS = [
  'instance-rejected',
  'instance-not-rendered',
  'object-lost',
  'object-recreated',
  'object-removed',
  'object-replaced',
  'object-changed',
  'object-added',
] as const;
type EffectName = (typeof EFFECTS)[number];

/** One difference that an instance shows. */
export interface Effect {
  change: EffectName;
  level: 'minor' | 'major';
  what: Text;
  /** The node whose object differs; '' for the instance. */
  node: string;
  /** The field in the RGD of each version that renders it. */
  before: Path;
  after: Path;
}

/** What a version of RGDs renders with. */
export interface EffectSide {
  graphs: Graphs;
  kro: KroVersion;
}

/** The result of both versions for one instance. */
export interface Examined {
  input: InputObject;
  effects: readonly Effect[];
  /** Whether both versions were asked: the older one accepts and renders the instance. */
  isCompared: boolean;
  /** Whether it is a smaller copy of a generated instance, which counts only once. */
  isSmaller?: true;
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
 * Compares what two versions make of instances. Both get the other objects of `beside`, so that only RGDs differ.
 * Instances that exist are rendered together, because they may read one another.
 */
export function examine(
  before: EffectSide,
  after: EffectSide,
  instances: readonly InputObject[],
  beside: RenderInput,
  options: EffectOptions,
): Examined[] {
  const asked = instances.map((input) => ({ input, was: admittedBy(before, input), is: admittedBy(after, input) }));
  const both = asked.flatMap(({ input, was, is }) => (isClean(was) && isClean(is) ? [input] : []));
  const was = outcomesOf(before, both, beside, options);
  const is = outcomesOf(after, both, beside, options);
  return asked.map(({ input, was: older, is: newer }) => {
    if (!isClean(older)) return { input, effects: [], isCompared: false };
    const [problem] = newer;
    if (problem !== undefined) return { input, effects: [rejection(problem)], isCompared: true };
    return compareOutcomes(input, was(input), is(input), [before, after], options.holdsData ?? []);
  });
}

const graphFor = ({ graphs }: EffectSide, { object }: InputObject): Graph | undefined =>
  graphs.get(groupKindOf(object));

type Problems = ReturnType<Graph['admission']['admit']>['problems'];

/** Returns the faults of an instance by the schema of a version. */
const admittedBy = (side: EffectSide, input: InputObject): Problems =>
  graphFor(side, input)?.admission.admit(input.object).problems ?? [];

const isClean = (problems: Problems): boolean => problems.length === 0;

function rejection({ path, message }: Problems[0]): Effect {
  const field = ['spec', 'schema', ...path.filter((step) => typeof step === 'string')];
  return {
    change: 'instance-rejected',
    level: 'major',
    what: composeText`the new schema rejects an instance that the old one accepts: ${trusted.field(path)}: ${format(message)}`,
    node: '',
    before: field,
    after: field,
  };
}

type Outcomes = (input: InputObject) => Outcome;

function outcomesOf(
  side: EffectSide,
  instances: readonly InputObject[],
  beside: RenderInput,
  options: EffectOptions,
): Outcomes {
  const version = renderSide(side, instances, beside, options);
  const units = new Map(version.units.map((unit) => [unitKey(unit.input), unit]));
  const failed = new Set(version.failed.map(unitKey));
  return (input) => outcomeIn(version, units.get(unitKey(input)), failed.has(unitKey(input)), input);
}

function renderSide(
  { graphs, kro }: EffectSide,
  instances: readonly InputObject[],
  beside: RenderInput,
  options: EffectOptions,
): ComparedVersion {
  const kindsOfInstances = new Set(instances.map(({ object }) => groupKindOf(object)));
  const reached = [...kindsOfInstances].flatMap((kind) => reachedFrom(kind, graphs));
  const definitions = new Set(reached.map(({ input }) => input));
  const kinds = new Set(graphs.keys());
  const isOther = ({ object }: InputObject): boolean => !isRgd(object) && !kinds.has(groupKindOf(object));
  const others = objectsIn(beside.objects).filter(isOther);
  const package_: RenderInput = {
    ...beside,
    definitions: [...objectsIn(beside.definitions ?? []).filter(isOther), ...definitions],
    objects: [...others, ...instances],
  };
  const asked = { ...options, kro, comparesReleases: true, all: false };
  return renderCompared(package_, asked, undefined, FRONT_ENDS, true);
}

/** Returns the RGD of a kind, and those whose instances it renders. */
export function reachedFrom(kind: string, graphs: Graphs): Graph[] {
  const found = new Set<Graph>();
  const visit = (one: string): void => {
    const graph = graphs.get(one);
    if (graph === undefined || found.has(graph)) return;
    found.add(graph);
    for (const { gvk } of graph.nodes) visit(groupKind(gvk));
  };
  visit(kind);
  return [...found];
}

/** Reports whether a version accepts an instance, and renders it without an error. */
export const isRenderedBy = (
  side: EffectSide,
  input: InputObject,
  beside: RenderInput,
  options: EffectOptions,
): boolean => outcomesOf(side, [input], beside, options)(input).failure === undefined;

function outcomeIn(
  { reports, pending }: ComparedVersion,
  unit: Unit | undefined,
  isFailed: boolean,
  input: InputObject,
): Outcome {
  const place = placeOfSource(input.source);
  const isOwn = (one: Report): boolean => [one.source, one.instance].map(placeOfSource).includes(place);
  const errors = isFailed || unit === undefined ? reports.filter(isError) : [];
  return {
    objects: unit?.objects ?? [],
    failure: errors.find(isOwn) ?? errors[0],
    pending: new Set(pending.filter(isPending).flatMap(({ node }) => node ?? [])),
  };
}

function compareOutcomes(
  input: InputObject,
  was: Outcome,
  is: Outcome,
  [before, after]: readonly [EffectSide, EffectSide],
  holdsData: readonly string[],
): Examined {
  if (was.failure !== undefined) return { input, effects: [], isCompared: false };
  const graphs = [graphFor(before, input), graphFor(after, input)] as const;
  if (is.failure !== undefined) {
    const { message, path, node = '' } = is.failure;
    const what = composeText`an instance is rendered no more: ${message}`;
    const field = { before: placeOfNode(graphs[0], node), after: path };
    return {
      input,
      effects: [{ change: 'instance-not-rendered', level: 'major', what, node, ...field }],
      isCompared: true,
    };
  }
  const { changes } = compareVersions(was.objects, is.objects, holdsData);
  // A node that only the newer version leaves pending is not deleted.
  const isOfPending = ({ change, before: removed }: ObjectChange): boolean =>
    change === 'removed' && is.pending.has(removed?.place?.node ?? '');
  const effects = changes.filter((one) => !isOfPending(one)).map((one) => effectOf(one, graphs, holdsData));
  return { input, effects, isCompared: true };
}

const placeOfNode = (graph: Graph | undefined, id: string): Path => graph?.nodeById.get(id)?.path ?? ['spec'];

function effectOf(
  change: ObjectChange,
  [before, after]: readonly [Graph | undefined, Graph | undefined],
  holdsData: readonly string[],
): Effect {
  const { place } = (change.before ?? change.after) as Reviewed;
  const node = place?.node ?? '';
  const [danger] = warningsOf(change, holdsData);
  const name =
    danger === undefined ? NAMES[change.change] : danger.kind === 'data-loss' ? 'object-lost' : 'object-recreated';
  const isMinor = name === 'object-changed' || name === 'object-added';
  const fields = change.change === 'changed' ? change.fields.map(({ path }) => path) : [];
  const listed = fields.length === 0 ? '' : composeText`: ${trusted.redacted(enumerated(fields, 5))}`;
  const what = danger === undefined ? composeText`${headline(change)}${listed}` : danger.message;
  const inside = changedPath(change);
  return {
    change: name,
    level: isMinor ? 'minor' : 'major',
    what,
    node,
    before: [...placeOfNode(before, node), ...inside],
    after: [...placeOfNode(after, node), ...inside],
  };
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
