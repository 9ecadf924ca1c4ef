import { hasErrors, isPending, publicText, type Report, type Text } from '../../core/diagnostics/index.ts';
import { groupVersionKind, isKubeObject } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { type ExpandedSet, flux } from '../../flux/index.ts';
import type { Graph } from '../../kro/compile/index.ts';
import { groupKind } from '../../kro/definition/index.ts';
import { kro } from '../../kro/front-end.ts';
import type { FrontEnd } from '../../kubernetes/front-end/index.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import { renderWithSessions } from '../../render/pipeline.ts';
import { withoutEarlier } from '../../render/rerender/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { addressableRun, addressableSet, onlyAt } from '../address/index.ts';
import { type Other, othersIn } from '../explain/index.ts';
import { graphsOf } from './graphs.ts';
import { type Picture, picturesOf, picturesOfInstance } from './picture.ts';
import { picturesOfOthers, picturesOfSets } from './sets.ts';

/** What to draw: the RGDs with these names (all without names), or one instance. */
export interface Subject {
  rgds: readonly string[];
  /** `KIND/NAME` or `KIND/NAMESPACE/NAME`; '' for RGDs. */
  instance: string;
}

export interface Drawn {
  pictures: readonly Picture[];
  reports: readonly Report[];
  /** Why the subject cannot be drawn; meaningless if one of the reports is an error. */
  fault?: Text;
}

/** Returns the pictures of a package. Pure. */
export const drawPackage = (
  input: RenderInput,
  options: RenderOptions,
  { rgds, instance }: Subject,
  frontEnds = FRONT_ENDS,
): Drawn =>
  instance === '' ? ofPackage(input, options, rgds, frontEnds) : ofInstance(input, options, instance, frontEnds);

/** Draws the ResourceSets and RGDs of the package, or else the RGDs of `definitions`. */
function ofPackage(
  input: RenderInput,
  options: RenderOptions,
  names: readonly string[],
  frontEnds: readonly FrontEnd[],
): Drawn {
  const { own, all, reports, failed } = graphsOf(input, options);
  const named = [...all.values()].filter(({ name }) => names.includes(name));
  const missing = names.find((name) => !named.some((graph) => graph.name === name));
  if (missing !== undefined) {
    const there = [...all.values()].map(({ name }) => name).join(', ');
    return {
      pictures: [],
      reports,
      fault: publicText`there is no RGD ${missing}${there === '' ? '' : `; there is ${there}`}`,
    };
  }
  if (names.length > 0 || failed) return { pictures: picturesOf(named, all), reports };
  const rendered = setsOf(input, options, frontEnds);
  const first = rendered.sets.length + rendered.others.length;
  // Errors of instances prevent the rendering of ResourceSets, and then there is no picture.
  const found = first > 0 || hasErrors(rendered.reports) ? rendered.reports : reports;
  const graphs = own.length > 0 || first > 0 ? own : [...all.values()];
  const chained = [...all.values()].filter((graph) => graphs.includes(graph) || isRenderedKind(graph, rendered.sets));
  const pictures = [
    ...picturesOfSets(rendered.sets, chained, first),
    ...picturesOfOthers(rendered.others),
    ...shifted(picturesOf(chained, all), first),
  ];
  return pictures.length === 0
    ? { pictures, reports: found, fault: publicText`no RGD found` }
    : { pictures, reports: found };
}

const isRenderedKind = (graph: Graph, sets: readonly ExpandedSet[]): boolean =>
  sets.some(({ rendered }) =>
    rendered.some(({ object }) => isKubeObject(object) && groupKind(groupVersionKind(object)) === groupKind(graph)),
  );

/** Shifts the references between pictures. */
const shifted = (pictures: readonly Picture[], by: number): Picture[] =>
  pictures.map((picture) => ({
    ...picture,
    nodes: picture.nodes.map((node) => ({
      ...node,
      chained: node.chained === undefined ? undefined : node.chained + by,
    })),
  }));

/** Renders the objects of all front ends but kro to draw theirs. Pending nodes are drawn. */
function setsOf(
  input: RenderInput,
  options: RenderOptions,
  frontEnds: readonly FrontEnd[],
): { sets: readonly ExpandedSet[]; others: readonly Other[]; reports: readonly Report[] } {
  const without = frontEnds.filter(({ name }) => name !== kro.name);
  const isTaken = objectsIn(input.objects).some(({ object }) => without.some((one) => one.takes(object)));
  if (!isTaken) return { sets: [], others: [], reports: [] };
  const output = renderWithSessions(withoutEarlier(input, frontEnds), { ...options, onPending: 'skip' }, frontEnds);
  const shown = output.reports.filter((one) => !isPending(one));
  if (hasErrors(output.reports)) return { sets: [], others: [], reports: shown };
  return { sets: output.of(flux)?.all ?? [], others: othersIn(output), reports: shown };
}

/** Draws an instance of a front end: of an RGD, or a ResourceSet. */
function ofInstance(
  input: RenderInput,
  options: RenderOptions,
  address: string,
  frontEnds: readonly FrontEnd[],
): Drawn {
  const output = renderWithSessions(withoutEarlier(input, frontEnds), { ...options, onPending: 'skip' }, frontEnds);
  const { reports } = output;
  const sets = output.of(flux)?.all ?? [];
  const expansion = output.of(kro)?.soundExpansion(reports);
  const graphs = output.of(kro)?.graphs;
  if (expansion === undefined || graphs === undefined) return { pictures: [], reports };
  const all = [
    ...expansion.runs.map((run) => addressableRun(run, expansion.world)),
    ...sets.map(addressableSet),
    ...othersIn(output).map((other) => ({ object: other.object, hasSecretName: false, other })),
  ];
  const found = onlyAt(all, (one) => one, address, 'instance');
  if ('fault' in found) return { pictures: [], reports, fault: found.fault };
  // Pending nodes are coloured, so they are not errors here.
  const reported = reports.filter((one) => !isPending(one));
  if ('run' in found.found)
    return { pictures: picturesOfInstance(found.found.run, graphs, expansion.world), reports: reported };
  if ('other' in found.found) return { pictures: picturesOfOthers([found.found.other]), reports: reported };
  const only = [found.found.set];
  const rendered = [...graphs.values()].filter((graph) => isRenderedKind(graph, only));
  const pictures = [...picturesOfSets(only, rendered, 1), ...shifted(picturesOf(rendered, graphs), 1)];
  return { pictures, reports: reported };
}
