import { type Collector, hasErrors, type Report } from '../../core/diagnostics/index.ts';
import type { Document, InputObject } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { flattenObjects } from '../../yaml/parse/index.ts';
import { renderVersion, reviewAlone, type Version } from '../diff/index.ts';
import type { CoverageCollector } from './coverage.ts';

/** What the package of a test renders to. */
export interface Ran {
  /** Empty when there is an error. */
  objects: Version['objects'];
  reports: readonly Report[];
}

/** Renders the package of a test, and tells a collector what is reached. */
export function renderForTest(
  input: RenderInput,
  options: RenderOptions & { all: boolean },
  collector: CoverageCollector | undefined,
): Ran {
  const { objects, reports, expansion } = renderVersion(input, options, collector?.onExpression);
  collector?.ran(expansion);
  return { objects: hasErrors(reports) ? [] : objects, reports };
}

/** Expected objects, as they would come out of a rendering. */
export const expectedObjects = (documents: readonly Document[], reports: Collector): Version['objects'] =>
  expectedInputs(documents, reports).map(({ object }) => reviewAlone(object));

/** The same with their places in a file. */
export const expectedInputs = (documents: readonly Document[], reports: Collector): InputObject[] =>
  flattenObjects(documents, reports);
