import { Collector, type Report } from '../diagnostics/index.ts';
import { groupBy } from '../model/group-by.ts';
import { type InputObject, identityOf, isKubeObject, type KubeObject } from '../model/object.ts';
import type { Entry, RenderInput, RenderOptions } from '../model/render.ts';
import { flattenObjects } from '../parse/index.ts';
import { type RenderOutput, renderPackage } from '../pipeline.ts';
import { type Common, commonTo, type Doubt, doubtAbout, originOf, type Renderer, stamped } from '../rerender/index.ts';
import { isForCluster, isMarked, refuseIncomplete } from '../select/index.ts';
import { tellOthers } from './elsewhere.ts';
import { faultsIn, foreignTest } from './foreign.ts';
import { packageIn } from './kptfile.ts';
import { placeItems } from './place.ts';
import { itemAt, type ResourceList } from './read.ts';
import { reportAltered, reportEmpty, withNameHint } from './report.ts';
import { settleEarlier } from './settle.ts';
import { itemEdits, layoutIn, listText } from './write.ts';

export type { ResourceList } from './read.ts';
export { readListText } from './read-text.ts';

/** What the function reads besides the ResourceList. */
export type Beside = Omit<RenderInput, 'objects'>;

export interface RenderedList {
  /** The text of the ResourceList to answer with, in pieces; after an error its items are those that came. */
  text: readonly string[];
  reports: readonly Report[];
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
  const foreign = foreignTest(list, beside.definitions ?? []);
  const reports = new Collector();
  reports.addAll(faultsIn(list, foreign, options.strict));
  if (reports.hasErrors) return failedList(list, reports.all);
  const earlier = new Map<number, KubeObject>();
  const items: InputObject[] = [];
  list.items.forEach((_, index) => {
    const item = itemAt(list, index);
    const origin = originOf(item.object, list.name);
    if (origin === 'ours') earlier.set(index, item.object);
    else items.push(item);
    if (origin === 'altered') reportAltered(item, reports);
  });
  const objects = flattenObjects(items, reports, foreign);
  const output = renderPackage({ ...beside, objects }, options);
  for (const report of output.reports) reports.add(withNameHint(report, list));
  refuseIncomplete(output.entries, ITEMS, reports);
  if (reports.hasErrors) return failedList(list, reports.all);

  const kptPackage = packageIn(list.items);
  const doubt = doubtTest(list, kptPackage.name);
  const replaced = firstOfEach([...earlier.values()], doubt);
  const stampedOutput = withStamps(output, { name: list.name, packageName: kptPackage.name }, replaced);
  const kept = settleEarlier({ list, earlier, output, options, kptPackage, replaced, doubtAbout: doubt }, reports);
  tellOthers(list, output, reports);
  if (!reports.hasErrors && !options.allowEmpty && kept.size === 0 && isEmpty(output.entries)) {
    reportEmpty(list, reports);
  }
  if (reports.hasErrors) return failedList(list, withoutRemovals(reports.all));
  const layout = layoutIn(list);
  const edits = itemEdits(
    list,
    layout,
    stampedOutput.entries,
    placeItems(list, stampedOutput.entries, earlier, kept),
    reports,
  );
  if (reports.hasErrors) return failedList(list, withoutRemovals(reports.all));
  return { text: listText(list, layout, edits, reports.all), reports: reports.all, failed: false };
}

/** Runners tell items by these fields, and so does the next run of this function. */
const ITEMS = {
  code: 'incomplete-object',
  reason: 'an item of a ResourceList has both apiVersion and metadata.name',
  hint: 'complete the template; `render-rgd render` prints the object as it is',
} as const;

/** After an error nothing is taken out. */
const withoutRemovals = (reports: readonly Report[]): Report[] =>
  reports.filter(({ code }) => code !== 'earlier-removed');

/** The list as it came, with what went wrong. */
export const failedList = (list: ResourceList, reports: readonly Report[]): RenderedList => ({
  text: listText(list, layoutIn(list), [], reports),
  reports,
  failed: true,
});

/** Whether an earlier object is for certain what was rendered here; asked again and again, worked out once. */
function doubtTest(list: ResourceList, packageName: string): (object: KubeObject) => Doubt | undefined {
  const known = new Map<KubeObject, Doubt | undefined>();
  let common: Common | undefined;
  const commonOf = (): Common => {
    common ??= commonTo(list.items.filter(isKubeObject));
    return common;
  };
  return (object) => {
    if (!known.has(object)) known.set(object, doubtAbout(object, packageName, commonOf));
    return known.get(object);
  };
}

/** Of several earlier objects of one identity, the first that is as it was rendered, or else the first. */
function firstOfEach(
  earlier: readonly KubeObject[],
  doubt: (object: KubeObject) => Doubt | undefined,
): Map<string, KubeObject> {
  const groups = groupBy(earlier, identityOf);
  return new Map(
    [...groups].map(([identity, objects]) => {
      const [first] = objects;
      const certain = objects.length > 1 ? objects.find((object) => doubt(object) === undefined) : first;
      return [identity, certain ?? (first as KubeObject)];
    }),
  );
}

function withStamps(output: RenderOutput, renderer: Renderer, earlier: ReadonlyMap<string, KubeObject>): RenderOutput {
  const entries = output.entries.map((entry) => ({
    ...entry,
    rendered: entry.rendered.map((one) => ({
      ...one,
      object: stamped(one.object, renderer, earlier.get(identityOf(one.object))),
    })),
  }));
  return { ...output, entries };
}

const isEmpty = (entries: readonly Entry[]): boolean =>
  !entries.some((entry) => entry.rendered.length > 0 || entry.passedThrough || isForCluster(entry)) &&
  !isOfSubpackage(entries);

/** kpt renders a subpackage on its own first: its instances are rendered with their RGDs, in the package above. */
const isOfSubpackage = (entries: readonly Entry[]): boolean =>
  entries.some(({ role, input }) => role === 'other' && isMarked(input.object)) &&
  !entries.some(({ role }) => role === 'rgd');
