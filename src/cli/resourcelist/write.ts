import {
  type Collector,
  codes,
  composeText,
  condenseByObject,
  phrase,
  type Report,
  reporterFor,
  shown,
  type Text,
  titleText,
  told,
  trusted,
} from '../../core/diagnostics/index.ts';
import { KEPT, LOCAL_CONFIG, MARKED, UPSTREAM_IDENTIFIER } from '../../core/model/keys.ts';
import { annotationOf, isKubeObject, type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import type { Entry } from '../../core/model/render.ts';
import { formatPath, get, getAt, textOf, type ValueMap } from '../../core/model/value.ts';
import { visible } from '../../core/text/visible.ts';
import { isLocalConfig, isMarked, isMarkedUpstream, MARK, UPSTREAM_MARK } from '../../kubernetes/select/index.ts';
import { type Edit, Entangled, removeAnnotations, setAnnotations, withEdits } from '../../yaml/edit/index.ts';
import { shownReports } from '../../yaml/locate/index.ts';
import { contains, nodeAt } from '../../yaml/tree/index.ts';
import { completeItems, type Layout, type Moves, moveItems, replaceResults, withLastBreak } from './layout.ts';
import { itemAt, type ResourceList, updatedInstances } from './report.ts';

const isFetched = (object: KubeObject): boolean => annotationOf(object, UPSTREAM_IDENTIFIER) !== undefined;

/** Instances whose mark made `kpt pkg update` keep them. It ran if rendered objects have its annotations. */
export function reportAfterUpdate(
  replaced: ReadonlyMap<string, KubeObject>,
  entries: readonly Entry[],
  reports: Collector,
): void {
  if (![...replaced.values()].some(isFetched)) return;
  const instances = entries
    .filter(({ role, passedThrough }) => role === 'instance' && !passedThrough)
    .map(({ input }) => input.object)
    .filter((object) => isMarkedUpstream(object) && hasKept(object));
  if (instances.length > 0) reports.add(updatedInstances(instances));
}

const hasKept = (object: KubeObject): boolean => getAt(object, ['metadata', 'annotations', KEPT]) !== undefined;

/** Runners show the first ones: removed objects, then errors, warnings and infos. */
function byWeight(reports: readonly Report[]): Report[] {
  const weight = ({ code, severity = 'error' }: Report): number =>
    code === 'earlier-removed' ? 0 : { error: 1, warning: 2, info: 3 }[severity];
  return [...reports].sort((a, b) => weight(a) - weight(b));
}

/** Returns a report as one of the `results` of a ResourceList, which names the object and the field. */
function toResult(report: Report, list: ResourceList): ValueMap {
  const object = pointedAt(report, list);
  const message = messageOf({ ...report, message: composeText`${report.message}${placesOf(report, list)}` }, object);
  const field = report.field ?? report.path;
  const file = fileOf(report, object);
  const { code, node } = report;
  return {
    severity: report.severity ?? 'error',
    message,
    ...(object !== undefined && { resourceRef: referenceTo(object) }),
    ...(field.length > 0 && { field: { path: formatPath(field) } }),
    ...(file !== undefined && { file }),
    tags: { code, stage: codes[code].stage, ...(node !== undefined && { node }) },
  };
}

type Placed = { source?: Report['source'] | undefined };

/** Returns the object of `report.path`. An expression that fails for an instance is in the RGD. */
function pointedAt({ source }: Placed, list: ResourceList): KubeObject | undefined {
  if (source === undefined || source.text !== list.source.text) return undefined;
  const value = getAt(list.value, source.path);
  return isKubeObject(value) ? value : undefined;
}

function messageOf({ message, hint, object, node }: Report, at: KubeObject | undefined): string {
  const about = object !== undefined && (at === undefined || object !== titleText(at, false)) ? [object] : [];
  const parts = node === undefined ? about : [...about, composeText`node ${trusted.definition(node)}`];
  const subject = parts.length > 0 ? `${parts.join(' ')}: ` : '';
  // Runners print it unchanged.
  return visible(`${subject}${message}${hint === undefined ? '' : ` (hint: ${hint})`}`);
}

function placesOf({ related = [] }: Report, list: ResourceList): Text {
  const files = related.flatMap((one) => textOf(get(fileOf(one, pointedAt(one, list)), 'path')) || []);
  return files.length === 0 ? composeText`` : composeText` (${trusted.file(files.join(', '))})`;
}

function referenceTo(object: KubeObject): ValueMap {
  const namespace = namespaceOf(object);
  const { apiVersion, kind } = object;
  return { apiVersion, kind, name: nameOf(object), ...(namespace !== '' && { namespace }) };
}

function fileOf({ source }: Placed, item: KubeObject | undefined): ValueMap | undefined {
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

/** Everything else stays byte for byte. What cannot be edited separately is reported. */
export function itemEdits(
  list: ResourceList,
  layout: Layout,
  entries: readonly Entry[],
  moves: Moves,
  reports: Collector,
): Edit[] {
  const edits = entries.flatMap((entry) => markEdits(list, layout, entry, moves, reports));
  reportNeeded(list, layout, moves, reports);
  try {
    return [...edits, ...moveItems(layout, moves)];
  } catch (error) {
    if (!(error instanceof Entangled)) throw error;
    reports.add({
      code: 'entangled-item',
      ...told`an item ${{ reason: trusted.error(error.message) }}`,
      path: ['items'],
      source: list.source,
    });
    return [];
  }
}

export function listText(
  list: ResourceList,
  layout: Layout,
  edits: readonly Edit[],
  reports: readonly Report[],
): string[] {
  const { text } = layout;
  const results = shownReports(byWeight(condenseByObject(reports))).map((report) => toResult(report, list));
  const all = [...edits, ...completeItems(layout), ...replaceResults(layout, results)];
  return withEdits(text, withLastBreak(text, all));
}

const ITEM_STEPS = 2;

/** Returns what becomes of the mark of an object; `merge` completes one that kpt merged from the upstream package. */
function markChangeOf({ role, input: { object }, passedThrough }: Entry): 'add' | 'remove' | 'merge' | undefined {
  if (passedThrough) return isMarked(object) ? 'remove' : undefined;
  const isInput = role === 'rgd' || role === 'instance' || role === 'observed';
  if (isInput && !isLocalConfig(object)) return 'add';
  return role === 'instance' && isMarkedUpstream(object) && !hasKept(object) ? 'merge' : undefined;
}

/** Marks input of the rendering, which is for the package only, unless it is left to a controller. */
function markEdits(list: ResourceList, layout: Layout, entry: Entry, moves: Moves, reports: Collector): Edit[] {
  const { role, input } = entry;
  const { source } = input;
  const change = markChangeOf(entry);
  if (change === undefined || source?.item === undefined || moves.removed.has(source.item)) return [];
  const item = layout.list?.items[source.item];
  if (item === undefined) return [];
  try {
    const node = nodeAt(item.value, source.path.slice(ITEM_STEPS));
    if (node === undefined) throw new Entangled('is written as an alias');
    const written = { text: layout.text, node, object: input.object, aliases: list.tree.aliases };
    const mark = role === 'instance' && isFetched(input.object) ? UPSTREAM_MARK : MARK;
    if (change === 'remove') return removeAnnotations(written, [LOCAL_CONFIG, MARKED, KEPT]);
    return setAnnotations(written, change === 'add' ? mark : { [KEPT]: null });
  } catch (error) {
    if (!(error instanceof Entangled)) throw error;
    const message = phrase`its annotation ${{ annotation: shown(LOCAL_CONFIG) }} cannot be changed without changing more: the object ${{ reason: error.message }}`;
    const hint =
      change === 'remove'
        ? phrase`write its annotations out`
        : phrase`write ${shown(LOCAL_CONFIG)}: "true" into its annotations`;
    reporterFor(input, reports).report({ code: 'entangled-item', message, path: ['metadata'], hint });
    return [];
  }
}

/** Reports an item that cannot be removed because an alias elsewhere needs its anchor. */
function reportNeeded(list: ResourceList, layout: Layout, { removed }: Moves, reports: Collector): void {
  const { aliases } = list.tree;
  if (aliases.length === 0) return;
  const items = layout.list?.items ?? [];
  for (const index of removed) {
    const node = items[index]?.value;
    if (node === undefined) continue;
    const isNeeded = aliases.some(
      (alias) =>
        alias.target !== undefined &&
        contains(node, alias.target) &&
        !contains(node, alias) &&
        !items.some(({ value }, at) => removed.has(at) && contains(value, alias)),
    );
    if (!isNeeded) continue;
    const message = phrase`the object must be rewritten, but an alias elsewhere uses an anchor in it`;
    const hint = phrase`replace the alias with its value`;
    reporterFor(itemAt(list, index), reports).report({ code: 'entangled-item', message, path: [], hint });
  }
}
