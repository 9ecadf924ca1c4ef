import { Collector, hasErrors, type Report } from '../diagnostics/index.ts';
import { createLinter, lintSets } from '../lint/index.ts';
import { formatPath } from '../model/path.ts';
import type { RenderInput, RenderOptions } from '../model/render.ts';
import { flattenObjects } from '../parse/index.ts';
import { renderPackage } from '../pipeline.ts';
import { readPackage } from '../read/index.ts';
import { mayHoldSets } from '../resourceset/index.ts';
import { compileRgds } from '../rgd/compile/index.ts';
import { runInstances } from '../rgd/expand/index.ts';
import * as rgd from '../rgd/front-end.ts';
import { kindsOf } from '../schema/index.ts';
import { instancesOfBroken } from './broken.ts';
import { checkObjects } from './objects.ts';
import { told } from './told.ts';

export { lookedAt } from './files.ts';
export { inFileOrder } from './order.ts';

export interface ValidateOptions extends RenderOptions {
  /** The codes of lints that are not looked for. */
  disable?: readonly string[];
}

/**
 * Looks at all of a package and tells everything that is wrong with it. What is broken hides nothing else: every
 * document that can be read is looked at, every RGD is compiled, the instances of an RGD that cannot be are held against
 * its schema, all other instances are expanded, and what they render is held against the schemas of its kinds. That a value is known to a cluster only is no fault: what waits for
 * one is an info, a reference that finds nothing a warning. ResourceSets are rendered where all else is right, and linted where they are too. Pure: the same input and options give the same reports.
 */
export function validatePackage(
  input: RenderInput,
  { disable = [], ...options }: ValidateOptions,
): { reports: readonly Report[] } {
  const reports = new Collector();
  const lenient: RenderOptions = { ...options, onPending: 'skip', order: 'none' };
  const pack = readPackage(input, reports);
  const kinds = kindsOf(pack.crds, input.openapi, reports);
  const linter = createLinter();
  const graphs = compileRgds(pack.definitions, kinds, lenient, reports, linter.found);
  linter.lint(pack.definitions, graphs, disable, reports);
  const { candidates, check } = instancesOfBroken(pack, graphs, lenient, reports);
  check();
  const { toExpand } = rgd.admit({ ...pack, candidates }, kinds, graphs, lenient, reports);
  checkObjects(runInstances(toExpand, lenient, reports), lenient);
  if (mayHoldSets(input.objects)) {
    const known = reports.all;
    for (const report of renderPackage(input, lenient).reports) if (!isKnown(report, known)) reports.add(report);
  }
  // Other inputs take the place of those that are written.
  if (input.inputSets === undefined && !hasErrors(reports.all)) {
    lintSets(flattenObjects(input.objects, new Collector()), disable, reports);
  }
  return { reports: told(reports.all) };
}

/** ResourceSets are looked at by rendering the package, which tells what was found already. */
const isKnown = (report: Report, reports: readonly Report[]): boolean =>
  reports.some(
    (one) =>
      one.code === report.code &&
      one.message === report.message &&
      one.object === report.object &&
      one.node === report.node &&
      formatPath(one.path) === formatPath(report.path),
  );
