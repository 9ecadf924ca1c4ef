import type { Report } from '../diagnostics/diagnostic.ts';
import { reporterFor } from '../diagnostics/reporter.ts';
import { originOf, RENDERED } from '../earlier/stamp.ts';
import { annotationOf, type InputObject, isKubeObject } from '../model/object.ts';
import type { ResourceList } from './read.ts';

export function reportAltered(item: InputObject, reports: Report[]): void {
  reporterFor(item, reports).report({
    code: 'earlier-mismatch',
    message: 'the object is not the one that its annotation names, so it is taken as an object of your own',
    path: ['metadata', 'annotations', RENDERED],
    severity: 'warning',
    hint: 'remove the annotation, or the object',
  });
}

/**
 * The name of a function changes unseen: kpt has one of its own for options that stand in the Kptfile. Then objects
 * collide with their earlier selves.
 */
export function withNameHint(report: Report, list: ResourceList): Report {
  if (report.code !== 'identity-collision') return report;
  const foreign = list.items.filter(isKubeObject).find((object) => originOf(object, list.name) === 'foreign');
  if (foreign === undefined) return report;
  const other = annotationOf(foreign, RENDERED)?.replace(/\/[^/]*$/, '') ?? '';
  const hint = `a function named '${other}' rendered objects here, this one is '${list.name}': keep one name, or remove them`;
  return { ...report, hint };
}

export function reportPart(reports: Report[]): void {
  reports.push({
    code: 'earlier-part',
    message: 'the items hold neither an RGD nor an instance, so what was rendered earlier stays as it is',
    path: [],
    severity: 'warning',
    hint: 'give the function the whole package, without selectors',
  });
}

export function reportEmpty(list: ResourceList, reports: Report[]): void {
  const bare = list.items.length === 0;
  reports.push({
    code: 'empty-output',
    message: 'nothing is left to apply, which would delete everything that was',
    path: [],
    hint: bare
      ? 'there are no items: kustomize gives them to transformers, not to generators'
      : 'add an instance, or set allowEmpty',
  });
}
