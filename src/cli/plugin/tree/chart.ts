import { join, resolve } from 'node:path';
import { type Collector, publicText } from '../../../core/diagnostics/index.ts';
import { get } from '../../../core/model/value.ts';
import { readStream } from '../../../yaml/parse/index.ts';
import { isPresent, outside, placeOf, type Within } from '../../boundary.ts';
import { namesIn, realPath } from '../../file-system.ts';
import { readOrReport } from '../../regular-file.ts';
import { filesOfArchive } from './archive.ts';
import { checkLinks } from './links.ts';
import { checkSchema } from './schema.ts';

/** The files with the dependencies of a chart; the second is that of Helm 2. */
const FILES = ['Chart.yaml', 'requirements.yaml'];
const SCHEMA = 'values.schema.json';

/**
 * Checks that helm reads nothing outside of the boundary for a chart, and fetches nothing: its links, its dependencies
 * by `file://`, and the references of all its schemas, which helm follows.
 */
export function checkChart(folder: string, within: Within, reports: Collector): boolean {
  const folders = chartFolders(folder, within, reports);
  const isSound = reports.all.length === 0 && folders.every((one) => checkLinks(one, within, reports));
  if (isSound) checkSchemas(folder, within, reports);
  return reports.all.length === 0;
}

/** Returns the folders of a chart and of its dependencies by `file://`, recursively. */
function chartFolders(folder: string, within: Within, reports: Collector, found: string[] = []): string[] {
  if (found.some((one) => realPath(one) === realPath(folder))) return found;
  found.push(folder);
  for (const path of fileDependencies(folder, within, reports)) {
    const place = resolve(folder, path);
    if (!within(placeOf(place))) reports.add(outside(`file://${path}`));
    else if (isPresent(place)) chartFolders(place, within, reports, found);
  }
  return found;
}

function fileDependencies(folder: string, within: Within, reports: Collector): string[] {
  return FILES.flatMap((name) => {
    const file = join(folder, name);
    const text = isPresent(file) ? readOrReport(file, within, reports)?.toString() : undefined;
    if (text === undefined) return [];
    const dependencies = get(readStream(text).documents[0]?.value, 'dependencies');
    if (!Array.isArray(dependencies)) return [];
    return dependencies.flatMap((one) => {
      const repository = get(one, 'repository');
      return typeof repository === 'string' && /^file:\/\//i.test(repository)
        ? [repository.slice('file://'.length)]
        : [];
    });
  });
}

/** Checks the schemas of a chart and its subcharts, which are folders and archives; cycles of links are rejected before. */
function checkSchemas(folder: string, within: Within, reports: Collector): void {
  const schema = join(folder, SCHEMA);
  const bytes = isPresent(schema) ? readOrReport(schema, within, reports) : undefined;
  if (bytes !== undefined) checkSchema(schema, bytes, reports);
  const charts = join(folder, 'charts');
  for (const name of namesIn(charts)) {
    const path = join(charts, name);
    if (!name.endsWith('.tgz')) checkSchemas(path, within, reports);
    else {
      const archive = readOrReport(path, within, reports);
      if (archive !== undefined) checkArchive(path, archive, reports);
    }
  }
}

/** Checks the schemas of all charts in an archive. Names decide too little: paths may be written in several ways. */
function checkArchive(path: string, bytes: Uint8Array, reports: Collector): void {
  const files = filesOfArchive(bytes);
  if ('fault' in files) {
    const message = publicText`${path} cannot be checked before helm reads it: ${files.fault}`;
    const hint = publicText`pack the chart with helm package, or commit its files`;
    reports.add({ code: 'build-refused', message, path: [], hint });
    return;
  }
  for (const { names, content } of files) {
    if (names.includes(SCHEMA)) checkSchema(`${SCHEMA} in ${path}`, content, reports);
    else if (names.includes('.tgz')) checkArchive(path, content, reports);
  }
}
