import { Collector, hasErrors, type Report } from '../../core/diagnostics/index.ts';
import type { Document } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { flattenObjects } from '../../yaml/parse/index.ts';
import { renderVersion, reviewAlone, type Version } from '../review/index.ts';
import { checkPolicies } from '../validate/index.ts';
import type { CoverageCollector } from './coverage.ts';

/** Golden tests of RGDs, and their coverage. */

export * from './coverage.ts';
export {
  compareExpected,
  type ExpectedDiagnostic,
  expectationOf,
  readExpected,
  readPartial,
  type Verdict,
} from './judge.ts';
export { rewriteExpected } from './rewrite.ts';

/** The rendering of the package of a test. */
export interface Ran {
  /** Empty after an error. */
  objects: Version['objects'];
  reports: readonly Report[];
}

/** Renders the package of a test, and records coverage. */
export function renderForTest(
  input: RenderInput,
  options: RenderOptions & { all: boolean },
  collector: CoverageCollector | undefined,
): Ran {
  const { objects, reports, expansion, rendering } = renderVersion(input, options, collector?.onExpression);
  collector?.ran(expansion);
  const denials = new Collector();
  checkPolicies(input, options, rendering, denials);
  return { objects: hasErrors(reports) ? [] : objects, reports: [...reports, ...denials] };
}

/** Returns expected objects in the form of rendered ones. */
export const expectedObjects = (documents: readonly Document[], reports: Collector): Version['objects'] =>
  flattenObjects(documents, reports).map(({ object }) => reviewAlone(object));
