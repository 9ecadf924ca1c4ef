import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Collector } from '../../../core/diagnostics/index.ts';
import { get } from '../../../core/model/value.ts';
import { readStream } from '../../../yaml/parse/index.ts';
import { outside, placeOf, realPath, type Within } from '../../boundary.ts';

/** The files with the dependencies of a chart; the second is that of Helm 2. */
const FILES = ['Chart.yaml', 'requirements.yaml'];

/** Returns the folders of a chart and of its dependencies by `file://`, recursively. */
export function chartFolders(folder: string, within: Within, reports: Collector, found: string[] = []): string[] {
  if (found.some((one) => realPath(one) === realPath(folder))) return found;
  found.push(folder);
  for (const path of fileDependencies(folder, within)) {
    const place = resolve(folder, path);
    if (!within(placeOf(place))) reports.add(outside(`file://${path}`));
    else if (existsSync(place)) chartFolders(place, within, reports, found);
  }
  return found;
}

function fileDependencies(folder: string, within: Within): string[] {
  return FILES.flatMap((name) => {
    const place = placeOf(join(folder, name));
    if (!within(place) || !existsSync(place)) return [];
    const dependencies = get(readStream(readFileSync(place, 'utf8')).documents[0]?.value, 'dependencies');
    if (!Array.isArray(dependencies)) return [];
    return dependencies.flatMap((one) => {
      const repository = get(one, 'repository');
      return typeof repository === 'string' && /^file:\/\//i.test(repository)
        ? [repository.slice('file://'.length)]
        : [];
    });
  });
}
