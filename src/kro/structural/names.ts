import { type Problem, phrase } from '../../core/diagnostics/index.ts';
import { isLetterLabel, isProtectedGroup, labelKeyFault, labelValueFault, nameFault } from '../../core/model/names.ts';
import { type KubeObject, nameOf } from '../../core/model/object.ts';
import { get, getAt, isMap, type Path, type Value } from '../../core/model/value.ts';

const LABEL_FORM = 'lower case letters, digits and dashes, a letter first, at most 63';
const MAX_NAMES = 32;

/** Returns what an API server rejects in the names, the metadata and the columns of a CRD. */
export function nameProblems(crd: KubeObject): Problem[] {
  const problems: Problem[] = [];
  const report = (message: string, path: Path, hint?: string): void => {
    problems.push({
      code: 'crd-refused',
      message: phrase`${message}`,
      path,
      ...(hint === undefined ? {} : { hint: phrase`${hint}` }),
    });
  };
  const names = getAt(crd, ['spec', 'names']);
  const plural = String(get(names, 'plural'));
  if (!isLetterLabel(plural)) {
    report(
      `the plural '${plural}' is no name: ${LABEL_FORM}`,
      ['kind'],
      'kinds that are acronyms have odd plurals: set plural, or write Dns',
    );
  } else if (nameFault({ group: '', kind: '' }, nameOf(crd)) !== undefined) {
    report(`the name '${nameOf(crd)}' is longer than 253 characters`, ['group']);
  }
  if (String(get(names, 'listKind')).length > 63) {
    report('the kind has more than 59 characters, and its list would have more than 63', ['kind']);
  }
  for (const key of ['shortNames', 'categories']) {
    const list = get(names, key);
    if (!Array.isArray(list)) continue;
    // The RGD's own CRD has further limits (kro: api/v1alpha1/resourcegraphdefinition_types.go).
    if (list.length > MAX_NAMES) report(`there are more than ${MAX_NAMES} ${key}`, [key]);
    list.forEach((name, index) => {
      if (typeof name !== 'string' || !isLetterLabel(name)) {
        report(`'${String(name)}' is no name: ${LABEL_FORM}`, [key, index]);
      } else if (list.indexOf(name) < index) report(`'${name}' is a duplicate`, [key, index]);
    });
  }
  groupProblems(String(getAt(crd, ['spec', 'group'])), crd, report);
  metadataProblems(crd, report);
  columnProblems(getAt(crd, ['spec', 'versions', 0, 'additionalPrinterColumns']), report);
  return problems;
}

type ReportName = (message: string, path: Path, hint?: string) => void;

function groupProblems(group: string, crd: KubeObject, report: ReportName): void {
  if (!group.includes('.')) report(`the group '${group}' needs a dot: it is a domain`, ['group']);
  const approval = getAt(crd, ['metadata', 'annotations', 'api-approved.kubernetes.io']);
  if (!isProtectedGroup(group) || approval !== undefined) return;
  const hint = 'use your own domain, or set the annotation under metadata';
  report(`the group '${group}' is protected: it needs the annotation api-approved.kubernetes.io`, ['group'], hint);
}

function metadataProblems(crd: KubeObject, report: ReportName): void {
  const labels = getAt(crd, ['metadata', 'labels']);
  for (const [key, value] of Object.entries(isMap(labels) ? labels : {})) {
    const fault = labelKeyFault(key) ?? labelValueFault(String(value));
    if (fault !== undefined) report(`the label ${key}: ${fault}`, ['metadata', 'labels', key]);
  }
  const annotations = getAt(crd, ['metadata', 'annotations']);
  for (const key of Object.keys(isMap(annotations) ? annotations : {})) {
    const fault = labelKeyFault(key.toLowerCase());
    if (fault !== undefined) report(`the annotation ${key}: ${fault}`, ['metadata', 'annotations', key]);
  }
}

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

function columnProblems(columns: Value | undefined, report: ReportName): void {
  if (!Array.isArray(columns)) return;
  columns.forEach((column, index) => {
    const at = (key: string): Path => ['additionalPrinterColumns', index, key];
    const text = (key: string): string => String(get(column, key) ?? '');
    if (text('name') === '') report('a column needs a name', at('name'));
    if (!COLUMN_TYPES.includes(text('type'))) report(`the type is one of ${COLUMN_TYPES.join(', ')}`, at('type'));
    if (text('format') !== '' && !COLUMN_FORMATS.includes(text('format'))) {
      report(`the format is one of ${COLUMN_FORMATS.join(', ')}`, at('format'));
    }
    if (!text('jsonPath').startsWith('.')) report('a JSON path begins with a dot', at('jsonPath'));
  });
}
