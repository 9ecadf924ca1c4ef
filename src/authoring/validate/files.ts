import type { Report } from '../../core/diagnostics/index.ts';
import { titleOf } from '../../core/model/object.ts';
import type { RenderInput } from '../../core/model/render.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import type { FileReport } from '../reports/index.ts';

/** Returns the texts of a package by file name. */
export const textsIn = ({ objects, definitions = [] }: RenderInput): Map<string, string> =>
  new Map([...objects, ...definitions].flatMap(({ source }) => (source ? [[source.file, source.text]] : [])));

/** Returns what was checked, file by file in the order of reading: every object, and files with broken text. */
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
