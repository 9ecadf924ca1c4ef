import { Collector, hasErrors, type Report } from '../../core/diagnostics/index.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { withNested } from '../../kro/expand/index.ts';
import { kro, kroWith } from '../../kro/front-end.ts';
import { refuseIncomplete } from '../../kubernetes/select/index.ts';
import { FRONT_ENDS, withFrontEnd } from '../../render/front-ends.ts';
import { type Rendering, renderWithSessions } from '../../render/pipeline.ts';
import { flattenObjects } from '../../yaml/parse/index.ts';
import { createLinter, lintSets } from '../lint/index.ts';
import { foldReports } from './fold.ts';
import { checkObjects } from './objects.ts';
import { checkPolicies, type PolicyOptions } from './policies.ts';

export { lookedAt, textsIn } from './files.ts';
export { isOnlyPending } from './fold.ts';
export { inFileOrder } from './order.ts';
export { checkPolicies } from './policies.ts';

export interface ValidateOptions extends PolicyOptions {
  /** The codes of disabled lints. */
  disable?: readonly string[];
  /** Caches the results of compiling RGDs, for further validations of the same parsed objects. */
  keeps?: boolean;
}

/** The diagnostics, and their rendering. */
export interface Validation {
  reports: readonly Report[];
  rendering: Rendering;
  /** The instances of the input: those that nothing defines were not checked. */
  instances: { checked: number; all: number };
}

/**
 * Validates a package and reports every error. An error does not hide others: every readable document is checked, every
 * RGD is compiled, the instances of a broken RGD are validated against its schema, all other instances and ResourceSets
 * are rendered, and rendered objects are validated against the schemas of their kinds. A pending value is an info, a
 * reference that finds nothing a warning. ResourceSets are linted if everything else is valid. Pure.
 */
export function validatePackage(
  input: RenderInput,
  { disable = [], keeps = false, ...options }: ValidateOptions,
  frontEnds = FRONT_ENDS,
): Validation {
  const reports = new Collector();
  const asked: RenderOptions = { ...options, onPending: 'skip', order: 'none' };
  const linter = createLinter();
  const listening = withFrontEnd(kroWith(linter.onExpression, keeps), frontEnds);
  const output = renderWithSessions({ undescribed: 'warning', ...input }, asked, listening);
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
  checkPolicies(input, options, output, reports);
  // Other inputs replace the written ones.
  if (input.inputSets === undefined && !hasErrors(reports.all)) {
    lintSets(flattenObjects(input.objects, new Collector()), disable, reports);
  }
  const undefinedKinds = reports.all.filter(({ code }) => code === 'undefined-kind').map(({ source }) => source);
  const checked = rgds?.expansion?.runs.length ?? 0;
  const instances = { checked, all: checked + new Set(undefinedKinds).size };
  return { reports: foldReports(reports.all), rendering: output, instances };
}

const API_SERVER = {
  code: 'incomplete-object',
  reason: 'API servers reject an object without it',
  hint: 'complete the template',
  generatesNames: true,
} as const;
