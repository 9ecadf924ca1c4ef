import type { Report } from '../diagnostics/index.ts';
import { titleOf } from '../model/object.ts';
import type { RenderInput } from '../model/render.ts';
import { objectsIn } from '../parse/index.ts';
import type { FileReport } from '../reports/index.ts';

/** What was looked at, file by file in the order in which it was read: every object, and files whose text is broken. */
export function lookedAt(input: RenderInput, reports: readonly Report[]): FileReport[] {
  const files = new Map<string, string[]>();
  const objects = objectsIn([...input.objects, ...(input.definitions ?? [])]);
  for (const { object, source } of objects) {
    if (source === undefined) continue;
    const titles = files.get(source.file) ?? [];
    titles.push(titleOf(object));
    files.set(source.file, titles);
  }
  for (const { source } of reports) if (source !== undefined && !files.has(source.file)) files.set(source.file, []);
  return [...files].map(([file, titles]) => ({ file, objects: titles }));
}
