import { isError, type Report } from '../diagnostics/diagnostic.ts';
import { originOf, stamped } from '../earlier/stamp.ts';
import { type InputObject, identityOf, type KubeObject } from '../model/object.ts';
import type { Entry, RenderInput, RenderOptions, RenderOutput } from '../model/render.ts';
import type { Value, ValueMap } from '../model/value.ts';
import { renderPackage } from '../pipeline.ts';
import { isForCluster } from '../print/index.ts';
import { placeItems } from './place.ts';
import { itemAt, type ResourceList } from './read.ts';
import { reportAltered, reportEmpty, withNameHint } from './report.ts';
import { toResults } from './results.ts';
import { settleEarlier } from './settle.ts';

export { type ResourceList, readResourceList } from './read.ts';

/** What the function reads besides the ResourceList. */
export type Beside = Omit<RenderInput, 'objects'>;

export interface RenderedList {
  /** The ResourceList to answer with; after an error its items are those that came. */
  value: ValueMap;
  reports: Report[];
  failed: boolean;
}

/**
 * Renders a package in place. What an earlier run of this function left is set aside first; RGDs and instances stay,
 * marked local-config; every other item stays as it is. Rendering the result again changes nothing.
 */
export function renderResourceList(
  list: ResourceList,
  beside: Beside,
  options: RenderOptions & { allowEmpty: boolean },
): RenderedList {
  const reports: Report[] = [];
  const earlier = new Map<number, KubeObject>();
  const objects: InputObject[] = [];
  list.items.forEach((_, index) => {
    const item = itemAt(list, index);
    const origin = originOf(item.object, list.name);
    if (origin === 'ours') earlier.set(index, item.object);
    else objects.push(item);
    if (origin === 'altered') reportAltered(item, reports);
  });
  const output = renderPackage({ ...beside, objects }, options);
  for (const report of output.reports) reports.push(withNameHint(report, list));
  if (hasError(reports)) return failedList(list, reports);

  const byIdentity = new Map([...earlier.values()].reverse().map((object) => [identityOf(object), object]));
  const stampedOutput = withStamps(output, list.name, byIdentity);
  const kept = settleEarlier({ list, earlier, output, definitions: beside.definitions ?? [], options }, reports);
  if (!hasError(reports) && !options.allowEmpty && kept.size === 0 && isEmpty(output.entries)) {
    reportEmpty(list, reports);
  }
  if (hasError(reports)) return failedList(list, withoutRemovals(reports));
  const items = placeItems(list, stampedOutput.entries, earlier, kept);
  return { value: answer(list, items, reports), reports, failed: false };
}

/** After an error nothing is taken out. */
const withoutRemovals = (reports: readonly Report[]): Report[] =>
  reports.filter(({ code }) => code !== 'earlier-removed');

/** The list as it came, with what went wrong. */
export const failedList = (list: ResourceList, reports: Report[]): RenderedList => ({
  value: answer(list, list.items, reports),
  reports,
  failed: true,
});

function answer(list: ResourceList, items: readonly Value[], reports: readonly Report[]): ValueMap {
  const { results: _results, ...value } = list.value;
  const results = toResults(reports, list);
  return { ...value, items: [...items], ...(results.length === 0 ? {} : { results }) };
}

function withStamps(output: RenderOutput, name: string, earlier: ReadonlyMap<string, KubeObject>): RenderOutput {
  const entries = output.entries.map((entry) => ({
    ...entry,
    rendered: entry.rendered.map((one) => ({
      ...one,
      object: stamped(one.object, name, earlier.get(identityOf(one.object))),
    })),
  }));
  return { ...output, entries };
}

const isEmpty = (entries: readonly Entry[]): boolean =>
  !entries.some((entry) => entry.rendered.length > 0 || entry.passedThrough || isForCluster(entry));

const hasError = (reports: readonly Report[]): boolean => reports.some(isError);
