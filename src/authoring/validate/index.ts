import { Collector, hasErrors, type Report } from '../../core/diagnostics/index.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { withNested } from '../../kro/expand/index.ts';
import { kro, kroWith } from '../../kro/front-end.ts';
import { refuseIncomplete } from '../../kubernetes/select/index.ts';
import { FRONT_ENDS, withFrontEnd } from '../../render/front-ends.ts';
import { type Rendering, renderWithSessions } from '../../render/pipeline.ts';
import { flattenObjects } from '../../yaml/parse/index.ts';
import { createLinter, lintSets } from '../lint/index.ts';
import { foldReports, withoutConsequences } from './fold.ts';
import { checkObjects } from './objects.ts';

export { lookedAt, textsIn } from './files.ts';
export { isPending, withoutConsequences } from './fold.ts';
export { inFileOrder } from './order.ts';

export interface ValidateOptions extends RenderOptions {
  /** The codes of lints that are not looked for. */
  disable?: readonly string[];
  /** Keeps what compiling an RGD found, for whoever validates again with the same parsed objects. */
  keeps?: boolean;
}

/** What was found, and the rendering that it was found in. */
export interface Validation {
  reports: readonly Report[];
  rendering: Rendering;
}

/**
 * Looks at all of a package and reports everything that is wrong with it. What is broken hides nothing else: every
 * document that can be read is looked at, every RGD is compiled, the instances of an RGD that cannot be are held against
 * its schema, all other instances and ResourceSets are rendered, and what instances render is held against the schemas
 * of its kinds. That a value is known to a cluster only is no fault: what waits for one is an info, a reference that
 * finds nothing a warning. ResourceSets are linted where all else is right. Pure.
 */
export function validatePackage(
  input: RenderInput,
  { disable = [], keeps = false, ...options }: ValidateOptions,
  frontEnds = FRONT_ENDS,
): Validation {
  const reports = new Collector();
  const asked: RenderOptions = { ...options, onPending: 'skip', order: 'none' };
  const linter = createLinter();
  const output = renderWithSessions(input, asked, withFrontEnd(kroWith(linter.onExpression, keeps), frontEnds), true);
  reports.addAll(output.reports);
  refuseIncomplete(output.entries, API_SERVER, reports);
  const rgds = output.of(kro);
  if (rgds?.expansion !== undefined) {
    const { pack, graphs, kinds, expansion } = rgds;
    const nested = expansion.runs.flatMap(withNested).map(({ instance }) => instance);
    const objects = [...pack.candidates.map(({ object }) => object), ...nested];
    linter.lint({ definitions: pack.definitions, graphs, objects }, disable, reports);
    checkObjects({ ...expansion, world: { ...expansion.world, reports } }, kinds, asked);
  }
  // Other inputs take the place of those that are written.
  if (input.inputSets === undefined && !hasErrors(reports.all)) {
    lintSets(flattenObjects(input.objects, new Collector()), disable, reports);
  }
  return { reports: withoutConsequences(foldReports(reports.all)), rendering: output };
}

const API_SERVER = {
  code: 'incomplete-object',
  reason: 'API servers reject an object without it',
  hint: 'complete the template',
  generatesNames: true,
} as const;
