import type { Collector } from '../core/diagnostics/index.ts';
import type { Document } from '../core/model/object.ts';
import { formatPath, type Path } from '../core/model/value.ts';
import { readStreams } from '../yaml/parse/index.ts';
import { fromPlain } from './plain.ts';
import type { ObjectSource, Source, TextSource } from './types.ts';

/** Reads sources; `at` is their path in the input. @throws TypeError for what is neither a text nor an object */
export function readSources(
  sources: readonly Source[],
  at: string | Path,
  strict: boolean,
  reports: Collector,
): Document[] {
  const path: Path = typeof at === 'string' ? [at] : at;
  if (!Array.isArray(sources)) throw new TypeError(`${formatPath(path)} must be a list of texts and objects`);
  return sources.flatMap((source, index) => readSource(source, [...path, index], strict, reports));
}

/** @throws TypeError */
export function readSource(source: Source, path: Path, strict: boolean, reports: Collector): Document[] {
  if (typeof source !== 'object' || source === null) {
    throw new TypeError(`${formatPath(path)} must be a text or an object`);
  }
  if (!isText(source)) return [{ object: fromPlain(source, path) }];
  for (const member of ['file', 'text'] as const) {
    if (typeof source[member] !== 'string') throw new TypeError(`${formatPath([...path, member])} must be a string`);
  }
  return readStreams([source], reports, strict);
}

/** Reports whether a source is a text, even an incomplete one: no Kubernetes object has a `file` or a `text`. */
export const isText = (source: TextSource | ObjectSource): source is TextSource =>
  ('file' in source || 'text' in source) && !('kind' in source);
