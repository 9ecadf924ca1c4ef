import { type Collector, phrase, publicText, type Report, reporterFor, shown } from '../../core/diagnostics/index.ts';
import { LOCAL_CONFIG, MARKED } from '../../core/model/keys.ts';
import type { Entry } from '../../core/model/render.ts';
import { isLocalConfig, isMarked, MARK, UPSTREAM_MARK } from '../../kubernetes/select/index.ts';
import {
  type Edit,
  Entangled,
  removeAnnotations,
  setAnnotations,
  type WrittenObject,
  withEdits,
} from '../../yaml/edit/index.ts';
import { contains, nodeAt } from '../../yaml/tree/index.ts';
import { completeItems, type Layout, type Moves, moveItems, replaceResults, withLastBreak } from './layout.ts';
import { itemAt, type ResourceList } from './read.ts';
import { toResults } from './results.ts';
import { isFetched } from './upstream.ts';

/**
 * Returns the edits of the text of a list; everything else stays byte for byte. What cannot be edited separately is
 * reported.
 */
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
      message: publicText`an item ${error.message}`,
      path: ['items'],
      source: list.source,
    });
    return [];
  }
}

/** Returns the text of a list with edits and with `results`, in pieces. */
export function listText(
  list: ResourceList,
  layout: Layout,
  edits: readonly Edit[],
  reports: readonly Report[],
): string[] {
  const { text } = layout;
  const all = [...edits, ...completeItems(layout), ...replaceResults(layout, toResults(reports, list))];
  return withEdits(text, withLastBreak(text, all));
}

/** The path of an item: `items`, and its index. */
const ITEM_STEPS = 2;

/** Marks input of the rendering, which is for the package only, unless it is left to a controller. */
function markEdits(list: ResourceList, layout: Layout, entry: Entry, moves: Moves, reports: Collector): Edit[] {
  const { role, input, passedThrough } = entry;
  const isInput = role === 'rgd' || role === 'instance' || role === 'observed';
  const isUnmarked = passedThrough && isMarked(input.object);
  const isNew = !passedThrough && isInput && !isLocalConfig(input.object);
  const { source } = input;
  if (!(isUnmarked || isNew) || source?.item === undefined || moves.removed.has(source.item)) return [];
  const item = layout.list?.items[source.item];
  if (item === undefined) return [];
  try {
    const node = nodeAt(item.value, source.path.slice(ITEM_STEPS));
    if (node === undefined) throw new Entangled('is written as an alias');
    const written: WrittenObject = { text: layout.text, node, object: input.object, aliases: list.tree.aliases };
    const mark = role === 'instance' && isFetched(input.object) ? UPSTREAM_MARK : MARK;
    return isNew ? setAnnotations(written, mark) : removeAnnotations(written, [LOCAL_CONFIG, MARKED]);
  } catch (error) {
    if (!(error instanceof Entangled)) throw error;
    const message = phrase`its annotation ${shown(LOCAL_CONFIG)} cannot be changed without changing more: the object ${error.message}`;
    const hint = isNew
      ? phrase`write ${shown(LOCAL_CONFIG)}: "true" into its annotations`
      : phrase`write its annotations out`;
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
