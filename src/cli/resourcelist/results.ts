import { codes, condense, publicText, type Report, titleText } from '../../core/diagnostics/index.ts';
import { annotationOf, isKubeObject, type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import { formatPath } from '../../core/model/path.ts';
import { get, getAt, type Value, type ValueMap } from '../../core/model/value.ts';
import { visible } from '../../core/text/visible.ts';
import { shownReports } from '../../yaml/locate/index.ts';
import type { ResourceList } from './read.ts';

/** Returns the reports as `results` of a ResourceList: each names the object and the field of the report. */
export const toResults = (reports: readonly Report[], list: ResourceList): Value[] =>
  shownReports(byWeight(condense(reports))).map((report) => toResult(report, list));

/** Runners show the first ones: removed objects, then errors, warnings and infos. */
function byWeight(reports: readonly Report[]): Report[] {
  const weight = ({ code, severity = 'error' }: Report): number =>
    code === 'earlier-removed' ? 0 : { error: 1, warning: 2, info: 3 }[severity];
  return [...reports].sort((a, b) => weight(a) - weight(b));
}

function toResult(report: Report, list: ResourceList): ValueMap {
  const object = pointedAt(report, list);
  const message = messageOf({ ...report, message: publicText`${report.message}${placesOf(report, list)}` }, object);
  const result: ValueMap = { severity: report.severity ?? 'error', message };
  if (object !== undefined) result.resourceRef = referenceTo(object);
  const field = report.field ?? report.path;
  if (field.length > 0) result.field = { path: formatPath(field) };
  const file = fileOf(report, object);
  if (file !== undefined) result.file = file;
  const tags: ValueMap = { code: report.code, stage: codes[report.code].stage };
  if (report.node !== undefined) tags.node = report.node;
  result.tags = tags;
  return result;
}

/** Returns the object of `report.path`. An expression that fails for an instance is in the RGD. */
function pointedAt({ source }: Report, list: ResourceList): KubeObject | undefined {
  if (source === undefined || source.text !== list.source.text) return undefined;
  const value = getAt(list.value, source.path);
  return isKubeObject(value) ? value : undefined;
}

function messageOf({ message, hint, object, node }: Report, at: KubeObject | undefined): string {
  const about = object !== undefined && (at === undefined || object !== titleText(at, false)) ? [object] : [];
  const parts = node === undefined ? about : [...about, publicText`node ${node}`];
  const subject = parts.length > 0 ? `${parts.join(' ')}: ` : '';
  // Runners print it unchanged.
  return visible(`${subject}${message}${hint === undefined ? '' : ` (hint: ${hint})`}`);
}

/** Returns the files of the related objects of a report. */
function placesOf({ related = [] }: Report, list: ResourceList): string {
  const files = related.flatMap(({ source, path }) => {
    const report: Report = { code: 'identity-collision', message: publicText``, path, ...(source && { source }) };
    const file = get(fileOf(report, pointedAt(report, list)), 'path');
    return typeof file === 'string' ? [file] : [];
  });
  return files.length === 0 ? '' : ` (${files.join(', ')})`;
}

function referenceTo(object: KubeObject): ValueMap {
  const reference: ValueMap = { apiVersion: object.apiVersion, kind: object.kind, name: nameOf(object) };
  if (namespaceOf(object) !== '') reference.namespace = namespaceOf(object);
  return reference;
}

/** Returns the file of an item as the runner names it; a definition has its own. */
function fileOf({ source }: Report, item: KubeObject | undefined): ValueMap | undefined {
  if (item === undefined) {
    return source === undefined || source.file === '-'
      ? undefined
      : { path: source.file, index: BigInt(source.document) };
  }
  const at = (key: string): string | undefined =>
    annotationOf(item, `internal.config.kubernetes.io/${key}`) ?? annotationOf(item, `config.kubernetes.io/${key}`);
  const path = at('path');
  if (path === undefined) return undefined;
  const index = at('index') ?? '0';
  return { path, index: /^\d+$/.test(index) ? BigInt(index) : 0n };
}
