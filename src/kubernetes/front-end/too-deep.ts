import { type Collector, phrase, reporterFor, shown } from '../../core/diagnostics/index.ts';
import type { InputObject } from '../../core/model/object.ts';

/** The maximum depth of rendering objects of one another, and their own. */
export const MAX_DEPTH = 8;

export function reportTooDeep(input: InputObject, reports: Collector): void {
  const message = phrase`ResourceSets and RGDs render one another more than ${shown(MAX_DEPTH)} deep`;
  reporterFor(input, reports).report({ code: 'nesting-too-deep', message, path: [] });
}
