import { readDocuments } from '../../check/documents/index.ts';
import { unreadReports } from '../../check/reports/index.ts';
import { Collector, type Report, titleText, trusted } from '../../core/diagnostics/index.ts';
import { type Entry as AccountedEntry, type Evidence, NO_EVIDENCE, type Outcome } from '../../core/ledger/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { lazily, onceFor } from '../../core/model/lazily.ts';
import {
  annotationOf,
  groupKindOf,
  type InputObject,
  identityOf,
  isKubeObject,
  type KubeObject,
} from '../../core/model/object.ts';
import type { Entry, RenderInput, RenderOptions } from '../../core/model/render.ts';
import { isForCluster, isMarked, refuseIncomplete } from '../../kubernetes/select/index.ts';
import { keptReports, renderingEvidence } from '../../render/evidence/index.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import { type RenderOutput, renderPackage } from '../../render/pipeline.ts';
import { commonTo, keepReasonOf, originOf, stamped } from '../../render/rerender/index.ts';
import { flattenObjects, objectsIn } from '../../yaml/parse/index.ts';
import { digestFor } from '../file-system.ts';
import { layoutIn, type Moves } from './layout.ts';
import {
  itemAt,
  objectOfOther,
  objectsAmong,
  type ResourceList,
  reportAltered,
  reportEmpty,
  reportOthers,
  withNameHint,
} from './report.ts';
import { faultsIn, foreignTest, type KptPackages, packagesIn, settleEarlier } from './settle.ts';
import { itemEdits, listText, reportAfterUpdate } from './write.ts';

export { type ResourceList, readListText } from './report.ts';

export interface RenderedList {
  /** The text of the resulting ResourceList, in pieces; after an error its items are unchanged. */
  text: readonly string[];
  reports: readonly Report[];
  failed: boolean;
  /** What became of each item; of a list that cannot be read it has nothing. */
  evidence: Evidence;
}

/** Renders in place: earlier output is set aside, the rest keeps its text. Rendering the result changes nothing. */
export function renderResourceList(
  list: ResourceList,
  beside: Omit<RenderInput, 'objects'>,
  options: RenderOptions & { allowEmpty: boolean },
): RenderedList {
  const foreign = foreignTest(list, beside.definitions ?? []);
  const reports = new Collector();
  reports.addAll(faultsIn(list, foreign, options.strict));
  const earlier = new Map<number, KubeObject>();
  const items: InputObject[] = [];
  for (const item of objectsAmong(list)) {
    const origin = originOf(item.object, list.name);
    if (origin === 'ours') earlier.set(item.source.item, item.object);
    else items.push(item);
    if (origin === 'altered') reportAltered(item, reports);
  }
  const objects = flattenObjects(items, reports, foreign);
  // Without anything to render, an object that nothing describes is probably an instance whose RGD is missing.
  const isTaken = [...objects, ...objectsIn(beside.definitions ?? [])].some(({ object }) =>
    FRONT_ENDS.some((one) => one.takes(object)),
  );
  const output = renderPackage({ ...beside, objects, ...(!isTaken && { undescribed: 'error' }) }, options);
  const ofOther = objectOfOther(list);
  for (const report of output.reports) reports.add(withNameHint(report, ofOther, list.name));
  refuseIncomplete(output.entries, ITEMS, reports);
  const evidence = evidenceOf({ list, items, objects, earlier }, { ...output, reports: reports.all });
  if (reports.hasErrors) return failedList(list, reports.all, evidence);

  const packages = packagesIn(list.items);
  const common = lazily(() => commonTo(list.items.filter(isKubeObject)));
  const keepReason = onceFor((object: KubeObject) => keepReasonOf(object, packages.names, common));
  // Of several earlier objects of one identity, the first unchanged one counts.
  const replaced = new Map(
    [...groupBy(earlier.values(), identityOf)].map(([identity, objects]) => {
      const certain = objects.length > 1 ? objects.find((object) => keepReason(object) === undefined) : undefined;
      return [identity, certain ?? (objects[0] as KubeObject)];
    }),
  );
  const kept = settleEarlier({ list, earlier, output, options, packages, replaced, keepReasonOf: keepReason }, reports);
  reportOthers(list, output, reports);
  reportAfterUpdate(replaced, output.entries, reports);
  if (!reports.hasErrors && kept.size === 0 && isEmpty(output.entries)) reportEmpty(list, options.allowEmpty, reports);
  if (reports.hasErrors) return failedList(list, withoutRemovals(reports.all), evidence);
  const layout = layoutIn(list);
  const entries = withStamps(output.entries, list.name, packages, replaced);
  const edits = itemEdits(list, layout, entries, placeItems(list, entries, earlier, kept), reports);
  reports.addAll([...unreadReports(evidence.documents, false), ...keptReports(evidence)]);
  if (reports.hasErrors) return failedList(list, withoutRemovals(reports.all), evidence);
  return { text: listText(list, layout, edits, reports.all), reports: reports.all, failed: false, evidence };
}

/** The items of a list. */
interface Items {
  list: ResourceList;
  /** The items that are objects or lists of them, without those of an earlier rendering. */
  items: readonly InputObject[];
  /** The same, with lists flattened. */
  objects: readonly InputObject[];
  earlier: ReadonlyMap<number, KubeObject>;
}

/** Returns what became of each item of a list, and of each item of the lists in it. */
function evidenceOf({ list, items, objects, earlier }: Items, output: RenderOutput): Evidence {
  const strange = list.items.flatMap((item, index) => (isKubeObject(item) ? [] : [itemAt(list, index)]));
  const { others } = readDocuments([...items, ...strange]);
  const rendering = renderingEvidence(objects, output);
  const replaced = [...earlier].map(([index, object]): AccountedEntry => {
    const title = titleText(object, false);
    const kind = trusted.definition(groupKindOf(object));
    return { unit: 'object', file: list.source.file, document: index, title, kind, outcome: REPLACED };
  });
  return { ...rendering, documents: others, given: [...rendering.given, ...replaced] };
}

const REPLACED: Outcome = { is: 'irrelevant', why: 'earlier-output' };

/** Runners identify items by these fields, and so does the next run of this function. */
const ITEMS = {
  code: 'incomplete-object',
  reason: 'an item of a ResourceList has both apiVersion and metadata.name',
  hint: 'complete the template; `render-rgd render` prints the object as it is',
} as const;

/** After an error nothing is removed. */
const withoutRemovals = (reports: readonly Report[]): Report[] =>
  reports.filter(({ code }) => code !== 'earlier-removed');

export const failedList = (
  list: ResourceList,
  reports: readonly Report[],
  evidence: Evidence = NO_EVIDENCE,
): RenderedList => ({
  text: listText(list, layoutIn(list), [], reports),
  reports,
  failed: true,
  evidence,
});

function withStamps(
  entries: readonly Entry[],
  name: string,
  packages: KptPackages,
  earlier: ReadonlyMap<string, KubeObject>,
): Entry[] {
  const digest = digestFor(entries.reduce((sum, { rendered }) => sum + rendered.length, 0));
  return entries.map((entry) => {
    if (entry.rendered.length === 0) return entry;
    const renderer = { name, packageName: packages.nameFor(entry), digest };
    const rendered = entry.rendered.map((one) => ({
      ...one,
      object: stamped(one.object, renderer, earlier.get(identityOf(one.object))),
    }));
    return { ...entry, rendered };
  });
}

/** kpt renders a subpackage separately first: its instances are rendered with their RGDs, in the package above. */
function isEmpty(entries: readonly Entry[]): boolean {
  const isMarkedOne = entries.some(({ role, input }) => role === 'other' && isMarked(input.object));
  const isOfSubpackage = isMarkedOne && !entries.some(({ role }) => role === 'rgd');
  const isOutput = (entry: Entry) => entry.rendered.length > 0 || entry.passedThrough || isForCluster(entry);
  return !isOfSubpackage && !entries.some(isOutput);
}

const KUSTOMIZE_ID = 'kustomize.config.k8s.io/id';

/** Rendered objects come after their instance, earlier ones go unless `kept`, everything else keeps its position. */
function placeItems(
  list: ResourceList,
  entries: readonly Entry[],
  earlier: ReadonlyMap<number, KubeObject>,
  kept: ReadonlySet<number>,
): Moves {
  const rendered = new Set(entries.flatMap((entry) => entry.rendered.map(({ object }) => identityOf(object))));
  const byItem = groupBy(entries, (entry) => entry.input.source?.item);
  const removed = new Set<number>();
  const added = new Map<number, KubeObject[]>();
  list.items.forEach((_, index) => {
    const own = byItem.get(index) ?? [];
    const goes = earlier.has(index) ? !kept.has(index) : own.some((entry) => isTwinInKustomize(entry, rendered));
    const objects = own.flatMap((entry) => entry.rendered.map(({ object }) => object));
    if (goes) removed.add(index);
    else if (objects.length > 0) added.set(index, objects);
  });
  return { removed, added };
}

/** kustomize rejects two items of one identity, and never writes its input back: the live object can go. */
const isTwinInKustomize = ({ role, input: { object } }: Entry, rendered: ReadonlySet<string>): boolean =>
  role === 'observed' && annotationOf(object, KUSTOMIZE_ID) !== undefined && rendered.has(identityOf(object));
