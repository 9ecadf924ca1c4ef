import { isKustomizationFile } from '../../core/model/kustomization.ts';
import type { Document } from '../../core/model/object.ts';
import { joinPath, normalPath, parentOf } from '../../core/text/paths.ts';
import { entriesOf } from './entries.ts';

/**
 * Returns the files that the kustomizations among some documents use as patches, as functions or as data: what is in
 * them is no object that is applied as it is written. The names are those of `fileKey`.
 */
export function partsOfKustomizations(documents: readonly Document[]): ReadonlySet<string> {
  const parts = new Set<string>();
  for (const { object, source } of documents) {
    if (source === undefined) continue;
    const file = fileKey(source.file);
    const entries = isKustomizationFile(file) ? entriesOf(object) : undefined;
    if (entries === undefined) continue;
    for (const name of [...entries.parts, ...entries.functions]) {
      if (!name.includes('\n')) parts.add(normalPath(joinPath(parentOf(file), name)));
    }
  }
  return parts;
}

/** Returns the name of a file with slashes and without `.` and `..` as far as possible. */
export const fileKey = (file: string): string => normalPath(file.replaceAll('\\', '/'));
