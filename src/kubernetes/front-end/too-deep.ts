import { type Collector, phrase, reporterFor, shown } from '../../core/diagnostics/index.ts';
import { MAX_RENDER_DEPTH } from '../../core/model/limits.ts';
import type { InputObject } from '../../core/model/object.ts';

export function reportTooDeep(input: InputObject, reports: Collector): void {
  const message = phrase`ResourceSets and RGDs render one another more than ${shown(MAX_RENDER_DEPTH)} deep`;
  reporterFor(input, reports).report({ code: 'nesting-too-deep', message, path: [] });
}
