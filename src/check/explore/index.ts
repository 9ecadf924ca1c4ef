/** Searches for instances that the schemas of a package accept, and that do not work. */
import { composeText, type Report, titleText, trusted } from '../../core/diagnostics/index.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { isRgd } from '../../kro/definition/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { Probe } from './probe.ts';
import { reportsOf } from './report.ts';
import { type Explored, explore } from './search.ts';

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
  const explored = graphs.map((graph) => explore(graph, probe, options));
  const compiled = new Set(graphs.map((graph) => graph.input.object));
  const left = objectsIn(input.objects).filter(({ object }) => isRgd(object) && !compiled.has(object));
  const reports = explored.flatMap(reportsOf);
  for (const { object, source } of left) {
    reports.push({
      code: 'not-explored',
      severity: 'warning',
      message: composeText`no instance was tried, because the RGD has an error`,
      object: titleText(object, false),
      source,
      path: ['metadata', 'name'],
    });
  }
  for (const { graph, tried } of explored) {
    if (tried > 0) continue;
    reports.push({
      code: 'not-explored',
      severity: 'warning',
      message: composeText`no instance was tried, because its schema accepts none of those that were generated`,
      object: trusted.definition(`ResourceGraphDefinition/${graph.name}`),
      source: graph.input.source,
      path: ['spec', 'schema'],
    });
  }
  return { explored, reports };
}
