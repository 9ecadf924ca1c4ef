import { type Collector, composeText, type Text, trusted } from '../../core/diagnostics/index.ts';
import type { Document } from '../../core/model/object.ts';
import type { RenderInput } from '../../core/model/render.ts';

/** Returns the input sets of a file by its documents, of which there is one. */
export function inputSetsIn(
  documents: readonly Document[],
  path: string,
  reports: Collector,
): Pick<RenderInput, 'inputSets'> {
  const file: Text = trusted.file(path);
  const [first, second] = documents;
  if (second !== undefined) {
    const message = composeText`${file} holds ${documents.length} documents, and the input sets are one list`;
    const hint = composeText`write all input sets into one list, without ---`;
    const { source } = second;
    reports.add({ code: 'inputs-file', message, path: [], hint, ...(source && { source }) });
  }
  if (first !== undefined) return { inputSets: { value: first.object } };
  if (!reports.hasErrors) reports.add({ code: 'inputs-file', message: composeText`${file} holds nothing`, path: [] });
  return {};
}
