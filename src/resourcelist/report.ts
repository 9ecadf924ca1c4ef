import type { Report } from '../diagnostics/diagnostic.ts';
import { reporterFor } from '../diagnostics/reporter.ts';
import type { InputObject } from '../model/object.ts';
import { RENDERED } from './earlier.ts';
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
