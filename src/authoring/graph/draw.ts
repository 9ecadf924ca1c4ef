import { hasErrors, publicText, type Report, type Text } from '../../core/diagnostics/index.ts';
import { groupVersionKind, isKubeObject } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { type ExpandedSet, flux, isResourceSet } from '../../flux/index.ts';
import type { Graph } from '../../kro/compile/index.ts';
import { groupKind } from '../../kro/definition/index.ts';
import { kro } from '../../kro/front-end.ts';
import { renderWithSessions } from '../../render/pipeline.ts';
import { withoutEarlier } from '../../render/rerender/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { addressableRun, addressableSet, onlyAt } from '../address/index.ts';
import { graphsOf } from './graphs.ts';
import { type Picture, picturesOf, picturesOfInstance } from './picture.ts';
import { picturesOfSets } from './sets.ts';

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
export const drawPackage = (input: RenderInput, options: RenderOptions, { rgds, instance }: Subject): Drawn =>
  instance === '' ? ofPackage(input, options, rgds) : ofInstance(input, options, instance);

/** Draws the ResourceSets and RGDs of the package, or else the RGDs of `definitions`. */
function ofPackage(input: RenderInput, options: RenderOptions, names: readonly string[]): Drawn {
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
  const rendered = setsOf(input, options);
  // Errors of instances prevent the rendering of ResourceSets, and then there is no picture.
  const found = rendered.sets.length > 0 || hasErrors(rendered.reports) ? rendered.reports : reports;
  const graphs = own.length > 0 || rendered.sets.length > 0 ? own : [...all.values()];
  const chained = [...all.values()].filter((graph) => graphs.includes(graph) || isRenderedKind(graph, rendered.sets));
  const pictures = [
    ...picturesOfSets(rendered.sets, chained, rendered.sets.length),
    ...shifted(picturesOf(chained, all), rendered.sets.length),
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

/** Renders ResourceSets to draw their objects. Pending nodes are drawn. */
function setsOf(
  input: RenderInput,
  options: RenderOptions,
): { sets: readonly ExpandedSet[]; reports: readonly Report[] } {
  if (!objectsIn(input.objects).some(({ object }) => isResourceSet(object))) return { sets: [], reports: [] };
  const output = renderWithSessions(withoutEarlier(input), { ...options, onPending: 'skip' });
  const { reports } = output;
  const sets = hasErrors(reports) ? [] : (output.of(flux)?.all ?? []);
  return { sets, reports: reports.filter((one) => !isAboutPending(one)) };
}

/** Draws an instance of an RGD, or a ResourceSet. */
function ofInstance(input: RenderInput, options: RenderOptions, address: string): Drawn {
  const output = renderWithSessions(withoutEarlier(input), { ...options, onPending: 'skip' });
  const { reports } = output;
  const sets = output.of(flux)?.all ?? [];
  const { expansion, graphs } = output.of(kro) ?? {};
  if (expansion === undefined || graphs === undefined) return { pictures: [], reports };
  const all = [...expansion.runs.map((run) => addressableRun(run, expansion.world)), ...sets.map(addressableSet)];
  const found = onlyAt(all, (one) => one, address, 'instance');
  if ('fault' in found) return { pictures: [], reports, fault: found.fault };
  const reported = reports.filter((one) => !isAboutPending(one));
  if ('run' in found.found)
    return { pictures: picturesOfInstance(found.found.run, graphs, expansion.world), reports: reported };
  const only = [found.found.set];
  const rendered = [...graphs.values()].filter((graph) => isRenderedKind(graph, only));
  const pictures = [...picturesOfSets(only, rendered, 1), ...shifted(picturesOf(rendered, graphs), 1)];
  return { pictures, reports: reported };
}

/** Pending nodes are coloured, so they are not errors here. */
const isAboutPending = ({ code }: Report): boolean =>
  ['pending-value', 'pending-reader', 'pending-reference', 'provider-pending'].includes(code);
