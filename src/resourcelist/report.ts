import { type Collector, type Report, type Reporter, reporterFor } from '../diagnostics/index.ts';
import { annotationOf, type InputObject, isKubeObject, type KubeObject, titleOf } from '../model/object.ts';
import { type Doubt, originOf, RENDERED } from '../rerender/index.ts';
import type { ResourceList } from './read.ts';

export function reportAltered(item: InputObject, reports: Collector): void {
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

const DOUBTS: Readonly<Record<Doubt | 'no RGD', string>> = {
  'no digest': 'its annotation render-rgd.dev/digest is missing, which says what was rendered',
  'another package': 'it was rendered in another package',
  changed: 'it was changed since it was rendered',
  'no RGD': 'the RGD that it was rendered from is not here',
};

export function reportDoubt(reporter: Reporter, doubt: Doubt | 'no RGD'): void {
  reporter.report({
    code: 'earlier-doubtful',
    message: `is no longer rendered, and stays: ${DOUBTS[doubt]}`,
    path: [],
    severity: 'warning',
    hint: `remove it, or its annotation ${RENDERED} to keep it as an object of your own`,
  });
}

export function reportChanged(changed: readonly KubeObject[], reports: Collector): void {
  reports.add({
    code: 'earlier-changed',
    message: `${named(changed)} changed since rendering, and will be as rendered again`,
    path: [],
    severity: 'warning',
    hint: 'change the instance or its RGD; functions that change objects go before render-rgd',
  });
}

export function reportElsewhere(name: string, objects: readonly KubeObject[], reports: Collector): void {
  reports.add({
    code: 'earlier-elsewhere',
    message: `${named(objects)} rendered by a function named '${name}' and not by this one, and will stay`,
    path: [],
    severity: 'warning',
    hint: 'remove what is left of it, or give the function its name of before',
  });
}

/** `Kind/a, Kind/b and 3 more were`. */
function named(objects: readonly KubeObject[]): string {
  const shown = objects.slice(0, 5).map(titleOf).join(', ');
  const more = objects.length > 5 ? ` and ${objects.length - 5} more` : '';
  return `${shown}${more} ${objects.length === 1 ? 'was' : 'were'}`;
}

export function reportPart(reports: Collector, isSelective: boolean): void {
  reports.add({
    code: 'earlier-part',
    message: isSelective
      ? 'selectors or exclude of the Kptfile may hide items, so what is no longer rendered stays as it is'
      : 'the items hold neither an RGD nor an instance, so what was rendered earlier stays as it is',
    path: [],
    severity: 'warning',
    hint: 'give the function the whole package, without selectors',
  });
}

export function reportEmpty(list: ResourceList, reports: Collector): void {
  const bare = list.items.length === 0;
  reports.add({
    code: 'empty-output',
    message: 'nothing is left to apply, which would delete everything that was',
    path: [],
    hint: bare
      ? 'there are no items: kustomize gives them to transformers, not to generators'
      : 'add an instance, or set allowEmpty',
  });
}
