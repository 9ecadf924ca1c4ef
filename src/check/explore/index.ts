/** Searches for instances that the schemas of a package accept, and that do not work. */
import { composeText, type Report, type Text, titleText } from '../../core/diagnostics/index.ts';
import type { InputObject } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { isResourceSet } from '../../flux/index.ts';
import { isGraph } from '../../graph/index.ts';
import { isRgd } from '../../kro/definition/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { Probe } from './probe.ts';
import { reportsOf } from './report.ts';
import { type Explored, explore } from './search.ts';

const REJECTS_ALL = composeText`its schema accepts none of those that were generated`;
const HAS_NO_SCHEMA = composeText`the inputs of a ResourceSet have no schema`;
const HAS_NO_INSTANCES = composeText`a Graph has no schema of instances`;

/** What was found out about the RGDs of a package. */
export interface Exploration {
  explored: readonly Explored[];
  reports: readonly Report[];
}

/**
 * Explores each RGD of a package: generates instances that its schema accepts, and reports those that do not render or
 * render what an API server rejects. The same package has the same result each time.
 */
export function explorePackage(input: RenderInput, options: RenderOptions): Exploration {
  const probe = new Probe(input, options);
  const own = new Set(objectsIn(input.objects).flatMap(({ object }) => (isRgd(object) ? [object] : [])));
  const graphs = [...probe.graphs.values()].filter((graph) => own.has(graph.input.object));
  const explored = graphs.map((graph) => explore(graph, probe, options, graphs.length));
  const compiled = new Set(graphs.map((graph) => graph.input.object));
  const left = objectsIn(input.objects).filter(({ object }) => isRgd(object) && !compiled.has(object));
  const untried = explored.filter(({ tried }) => tried === 0);
  const reports = [
    ...explored.flatMap(reportsOf),
    ...left.map((rgd) => notExplored(rgd, 'warning', composeText`the RGD has an error`)),
    ...untried.map(({ graph }) => notExplored(graph.input, 'warning', REJECTS_ALL)),
    ...objectsIn(input.objects).flatMap(withoutSchema),
  ];
  return { explored, reports };
}

/** Reports a ResourceSet or a Graph: nothing says which values they may have. */
function withoutSchema(input: InputObject): Report[] {
  if (isResourceSet(input.object)) return [notExplored(input, 'info', HAS_NO_SCHEMA)];
  return isGraph(input.object) ? [notExplored(input, 'info', HAS_NO_INSTANCES)] : [];
}

function notExplored({ object, source }: InputObject, severity: 'info' | 'warning', why: Text): Report {
  return {
    code: 'not-explored',
    severity,
    message: composeText`no instance was tried, because ${why}`,
    object: titleText(object, false),
    source,
    path: ['metadata', 'name'],
  };
}
