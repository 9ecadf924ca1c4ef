import {
  composeText,
  counted,
  HIDDEN,
  hasErrors,
  hidesName,
  isPending,
  nameText,
  type Report,
  type Text,
  trusted,
} from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { groupKind, groupKindOf, type InputObject, isKubeObject, nameOf } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { PROVIDER, SET } from '../../core/model/resource-set.ts';
import { listAt } from '../../core/model/value.ts';
import { type ExpandedSet, flux } from '../../flux/index.ts';
import { graph } from '../../graph/index.ts';
import type { Graph, Graphs } from '../../kro/compile/index.ts';
import { definedKind } from '../../kro/definition/index.ts';
import { kro } from '../../kro/front-end.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import { compilePackage, type Rendering, renderWithSessions } from '../../render/pipeline.ts';
import { withoutEarlier } from '../../render/rerender/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { addressableRun, addressableSet, onlyAt } from '../address/index.ts';
import { type Other, othersIn } from '../explain/index.ts';
import { type Picture, type PictureNode, picturesOf, picturesOfInstance } from './picture.ts';

/** Returns the picture of a ResourceSet. An instance refers to its RGD in `graphs`, whose pictures begin at `first`. */
function pictureOfSet(
  { input, inputs, used, missing, rendered }: ExpandedSet,
  graphs: readonly Graph[],
  first: number,
): Picture {
  const awaited = new Set(missing.map(({ name }) => name));
  const own = inputs.filter(({ index, provider }) => index !== undefined && provider === undefined).length;
  const isPermuted = inputs.some(({ index }) => index === undefined);
  const sources: PictureNode[] = [
    ...(own > 0 || (isPermuted && listAt(input.object.spec, 'inputs').length > 0)
      ? [box(composeText`inputs`, own > 0 ? counted(own, 'input set') : composeText`inline`)]
      : []),
    ...used.map((one): PictureNode => {
      const { object } = one;
      const outcome = awaited.has(nameOf(object)) ? 'pending' : undefined;
      return { ...box(shownNameOf(one), composeText`${PROVIDER}`), kind: 'external', outcome };
    }),
  ];
  const kinds = groupBy(
    rendered.map(({ object }) => object).filter((object) => isKubeObject(object)),
    groupKindOf,
  );
  const groups = [...kinds].map(([key, objects]) => {
    const rgd = graphs.findIndex((one) => groupKind(one) === key);
    const title = input.secret === undefined ? trusted.definition(objects[0]?.kind ?? '') : HIDDEN;
    return { ...box(title, counted(objects.length, 'object')), chained: rgd < 0 ? undefined : first + rgd };
  });
  const edges = sources.flatMap((_, from) => groups.map((__, to) => [from, sources.length + to] as const));
  return { name: shownNameOf(input), title: composeText`${SET}`, nodes: [...sources, ...groups], edges };
}

const shownNameOf = ({ object, secret }: InputObject): Text => nameText(object, hidesName(secret));

/** Returns pictures of the results of other front ends: the kinds that each of their nodes renders. */
const picturesOfOthers = (others: readonly Other[]): Picture[] =>
  others.map(({ object, outcome: { input, rendered } }) => ({
    name: shownNameOf(input),
    title: trusted.definition(object.kind),
    nodes: [...groupBy(rendered, ({ node }) => node)].map(([node, made]) =>
      box(trusted.definition(node), trusted.definition([...new Set(made.map((one) => one.object.kind))].join(', '))),
    ),
    edges: [],
  }));

const box = (id: Text, object: Text): PictureNode => ({
  id,
  kind: 'resource',
  object,
  iterators: [],
  conditions: [],
  chained: undefined,
  outcome: undefined,
});

/** What to draw: the RGDs with these names (all without names), or one instance. */
interface Subject {
  rgds: readonly string[];
  /** `KIND/NAME` or `KIND/NAMESPACE/NAME`; '' for RGDs. */
  instance: string;
}

interface Drawn {
  pictures: readonly Picture[];
  reports: Rendering['reports'];
  /** Why the subject cannot be drawn; meaningless if one of the reports is an error. */
  fault?: Text;
}

/** Returns the pictures of a package: its ResourceSets and RGDs, or else the RGDs of `definitions`. Pure. */
export function drawPackage(
  input: RenderInput,
  options: RenderOptions,
  { rgds: names, instance }: Subject,
  frontEnds = FRONT_ENDS,
): Drawn {
  const render = (): Rendering =>
    renderWithSessions(withoutEarlier(input, frontEnds), { ...options, onPending: 'skip' }, frontEnds);
  if (instance !== '') return ofInstance(instance, render());
  const { own, all, reports, failed } = graphsOf(input, options);
  const known = [...all.values()];
  const missing = names.find((name) => !known.some((graph) => graph.name === name));
  if (missing !== undefined) {
    const there = trusted.definition(known.map(({ name }) => name).join(', '));
    const others = there === '' ? '' : composeText`; there is ${there}`;
    return { pictures: [], reports, fault: composeText`there is no RGD ${trusted.argument(missing)}${others}` };
  }
  const named = known.filter(({ name }) => names.includes(name));
  if (names.length > 0 || failed) return { pictures: picturesOf(named, all), reports };
  const others = frontEnds.filter(({ name }) => name !== kro.name);
  const isTaken = objectsIn(input.objects).some(({ object }) => others.some((one) => one.takes(object)));
  const output = isTaken ? render() : undefined;
  // Errors of instances prevent the rendering of ResourceSets, and then there is no picture.
  const isBroken = output !== undefined && hasErrors(output.reports);
  const drawn = output === undefined || isBroken ? { sets: [], pictures: [] } : picturesOfRendering(output);
  const first = drawn.sets.length + drawn.pictures.length;
  const found = output !== undefined && (first > 0 || isBroken) ? withoutPending(output) : reports;
  const graphs = own.length > 0 || first > 0 ? own : known;
  const chained = known.filter((graph) => graphs.includes(graph) || isRenderedKind(graph, drawn.sets));
  const pictures = [
    ...drawn.sets.map((set) => pictureOfSet(set, chained, first)),
    ...drawn.pictures,
    ...picturesOf(chained, all, first),
  ];
  return { pictures, reports: found, ...(pictures.length === 0 && { fault: composeText`no RGD found` }) };
}

/** Pending nodes are drawn, so they are not errors here. */
const withoutPending = ({ reports }: Rendering) => reports.filter((one) => !isPending(one));

const isRenderedKind = (graph: Graph, sets: readonly ExpandedSet[]): boolean =>
  sets.some(({ rendered }) =>
    rendered.some(({ object }) => isKubeObject(object) && groupKindOf(object) === groupKind(graph)),
  );

/** Returns the ResourceSets, and the pictures of all other front ends but kro. */
const picturesOfRendering = (output: Rendering): { sets: readonly ExpandedSet[]; pictures: readonly Picture[] } => ({
  sets: output.of(flux)?.all ?? [],
  pictures: [
    ...picturesOfOthers(othersIn(output)),
    ...(output.of(graph)?.expansions ?? []).flatMap(({ runs }) =>
      runs.flatMap((run) => picturesOfInstance(run, new Map())),
    ),
  ],
});

function ofInstance(address: string, output: Rendering): Drawn {
  const { reports } = output;
  const sets = output.of(flux)?.all ?? [];
  const expansion = output.of(kro)?.soundExpansion(reports);
  const graphs = output.of(kro)?.graphs;
  if (expansion === undefined || graphs === undefined) return { pictures: [], reports };
  const all = [
    ...[expansion, ...(output.of(graph)?.expansions ?? [])].flatMap(({ runs }) => runs.map(addressableRun)),
    ...sets.map(addressableSet),
    ...othersIn(output),
  ];
  const found = onlyAt(all, address, 'instance');
  if ('fault' in found) return { pictures: [], reports, fault: found.fault };
  const reported = withoutPending(output);
  if ('run' in found.found) return { pictures: picturesOfInstance(found.found.run, graphs), reports: reported };
  if ('outcome' in found.found) return { pictures: picturesOfOthers([found.found]), reports: reported };
  const { set } = found.found;
  const rendered = [...graphs.values()].filter((graph) => isRenderedKind(graph, [set]));
  return { pictures: [pictureOfSet(set, rendered, 1), ...picturesOf(rendered, graphs, 1)], reports: reported };
}

interface ValidGraphs {
  /** Those of the RGDs of the package itself. */
  own: Graph[];
  all: Graphs;
  /** There is no valid RGD, and an error. */
  failed: boolean;
  reports: readonly Report[];
}

/** Returns the graphs of valid RGDs that render only kinds of valid RGDs. */
export function graphsOf(input: RenderInput, options: RenderOptions): ValidGraphs {
  const { compiled, reports } = compilePackage(input, options);
  const rgds = compiled?.of(kro);
  const kinds = rgds?.pack.rgds.map(({ object }) => definedKind(object)) ?? [];
  const all = withoutBroken(rgds?.graphs ?? new Map(), kinds);
  const own = rgds?.ownGraphs().filter((graph) => all.get(groupKind(graph)) === graph) ?? [];
  return { own, all, failed: all.size === 0 && hasErrors(reports), reports };
}

/** Removes the graphs that render a kind of a broken RGD. */
function withoutBroken(graphs: Graphs, kinds: readonly string[]): Graphs {
  const left = new Map(graphs);
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    const broken = new Set(kinds.filter((kind) => !left.has(kind)));
    for (const [kind, { nodes }] of left) if (nodes.some(({ gvk }) => broken.has(groupKind(gvk)))) left.delete(kind);
  }
  return left;
}
