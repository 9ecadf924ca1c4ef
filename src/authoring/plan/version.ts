import { isError, publicText, type Report, type Text } from '../../core/diagnostics/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { type Reviewed, renderVersion, reviewAlone } from '../diff/index.ts';
import type { Application } from './application.ts';
import { type LoadContext, loadSource } from './load.ts';

/** One version of an application: its objects, or the error. */
export interface ApplicationVersion {
  objects: readonly Reviewed[];
  error?: Text;
  /** Errors and warnings of its rendering. */
  reports: readonly Report[];
  /** Whether it cannot be rendered here, although it is valid. */
  isForeign?: true;
}

/** Renders an application as it is deployed. */
export function renderApplication({ sources }: Application, context: LoadContext): ApplicationVersion {
  const versions: { objects: readonly Reviewed[]; reports: readonly Report[] }[] = [];
  for (const source of sources) {
    const loaded = loadSource(source, context);
    if ('reason' in loaded) return { objects: [], error: publicText`${loaded.reason}`, reports: [], isForeign: true };
    const failed = loaded.reports.some(isError);
    const version = failed ? { objects: [], reports: [] } : renderVersion(loaded.input, loaded.settings);
    const beside = objectsIn(loaded.beside).map(({ object }) => reviewAlone(object));
    versions.push({ objects: version.objects, reports: loaded.reports }, { objects: beside, reports: version.reports });
  }
  const objects = versions.flatMap((one) => one.objects);
  const reports = versions.flatMap((one) => one.reports);
  const errors = reports.filter(isError);
  if (errors.length === 0) return { objects, reports };
  const [first] = errors;
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`;
  return { objects: [], error: publicText`${first === undefined ? '' : titleOfReport(first)}${more}`, reports };
}

const titleOfReport = ({ source, object, message }: Report): string =>
  [source?.file, object, message].filter((part) => part !== undefined && part !== '').join(': ');
