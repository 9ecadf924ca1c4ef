import type { Collector } from '../../core/diagnostics/index.ts';
import type { Document } from '../../core/model/object.ts';
import type { RenderInput } from '../../core/model/render.ts';
import { flattenObjects } from '../../yaml/parse/index.ts';
import type { FrontEnd, Package } from './front-end.ts';
import { reportNotKnown } from './not-known.ts';

/** Reads a package. Reports objects whose apiVersion, kind or metadata has the wrong type, and near misses. */
export function readPackage(input: RenderInput, frontEnds: readonly FrontEnd[], reports: Collector): Package {
  const coerced = (document: Document): Document =>
    frontEnds.reduce((one, { coerce }) => coerce?.(one) ?? one, document);
  const objects = flattenObjects(input.objects.map(coerced), reports);
  const beside = flattenObjects((input.definitions ?? []).map(coerced), reports);
  const all = [...objects, ...beside];
  reportNotKnown(all, all, frontEnds, reports);
  return { objects, beside, observed: flattenObjects(input.observed ?? [], reports) };
}
