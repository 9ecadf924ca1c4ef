import { type Collector, phrase, publicText, type Report, reporterFor, shown } from '../../core/diagnostics/index.ts';
import { LOCAL_CONFIG, MARKED } from '../../core/model/keys.ts';
import type { Entry } from '../../core/model/render.ts';
import { isLocalConfig, isMarked, MARK, UPSTREAM_MARK } from '../../kubernetes/select/index.ts';
import {
  type Edit,
  Entangled,
  Nodes,
  type Reference,
  referencesIn,
  removeAnnotations,
  setAnnotations,
  type WrittenObject,
  withEdits,
} from '../../yaml/edit/index.ts';
import {
  completeItems,
  type Layout,
  layoutOf,
  type Moves,
  moveItems,
  replaceResults,
  withLastBreak,
} from './layout.ts';
import { itemAt, type ResourceList } from './read.ts';
import { toResults } from './results.ts';
import { isFetched } from './upstream.ts';

/** The positions of all parts, and the uses of each anchor. */
interface Sheet {
  list: ResourceList;
  layout: Layout;
  references: readonly Reference[];
}

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
  const sheet = { list, layout, references: referencesIn(list.written) };
  const edits = entries.flatMap((entry) => markEdits(sheet, entry, moves, reports));
  reportNeeded(sheet, moves, reports);
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

/** Returns the positions of the parts of a list. Reads all of it. */
export const layoutIn = (list: ResourceList): Layout => layoutOf(new Nodes(list.written));

/** Returns the text of a list with edits and with `results`, in pieces. */
export function listText(
  list: ResourceList,
  layout: Layout,
  edits: readonly Edit[],
  reports: readonly Report[],
): string[] {
  const { text } = list.written;
  const all = [...edits, ...completeItems(layout), ...replaceResults(layout, toResults(reports, list))];
  return withEdits(text, withLastBreak(text, all));
}

/** The path of an item: `items`, and its index. */
const ITEM_STEPS = 2;

/** Marks input of the rendering, which is for the package only, unless it is left to a controller. */
function markEdits({ layout, references }: Sheet, entry: Entry, moves: Moves, reports: Collector): Edit[] {
  const { role, input, passedThrough } = entry;
  const isInput = role === 'rgd' || role === 'instance' || role === 'observed';
  const isUnmarked = passedThrough && isMarked(input.object);
  const isNew = !passedThrough && isInput && !isLocalConfig(input.object);
  const { source } = input;
  if (!(isUnmarked || isNew) || source?.item === undefined || moves.removed.has(source.item)) return [];
  const item = layout.itemNodes[source.item];
  if (item === undefined) return [];
  try {
    const path = source.path.slice(ITEM_STEPS);
    const node = path.length === 0 ? item : layout.nodes.find(path, item);
    if (node === undefined) throw new Entangled('is written as an alias');
    const written: WrittenObject = { nodes: layout.nodes, node, object: input.object, references };
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
function reportNeeded({ list, layout, references }: Sheet, { removed }: Moves, reports: Collector): void {
  if (references.length === 0) return;
  for (const index of removed) {
    const node = layout.itemNodes[index];
    if (node === undefined) continue;
    const isInside = (event: number): boolean => event >= node.index && event < node.next;
    const isNeeded = references.some(
      ({ alias, anchor }) =>
        isInside(anchor) &&
        !isInside(alias) &&
        !layout.itemNodes.some((other, at) => removed.has(at) && alias >= other.index && alias < other.next),
    );
    if (!isNeeded) continue;
    const message = phrase`the object must be rewritten, but an alias elsewhere uses an anchor in it`;
    const hint = phrase`replace the alias with its value`;
    reporterFor(itemAt(list, index), reports).report({ code: 'entangled-item', message, path: [], hint });
  }
}
