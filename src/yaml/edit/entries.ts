import type { KubeObject } from '../../core/model/object.ts';
import type { ValueMap } from '../../core/model/value.ts';
import { indented, toYaml } from '../emit/index.ts';
import type { Entry, MapNode, Range, ScalarNode } from '../tree/index.ts';
import { behindNode, columnOf, type Edit, flowText, lineBreakOf, lineStart } from './edits.ts';

/** Adds entries after the others of a map, in its style. */
export function addEntries(text: string, map: MapNode, added: ValueMap): Edit[] {
  if (!map.flow) {
    const column = columnOf(text, map.start);
    const at = behindNode(text, map.end, column);
    return [{ start: at, end: at, text: blockLines(added, column, lineBreakOf(text)) }];
  }
  const { entries } = map;
  const last = entries.at(-1);
  const at = last?.value.end ?? map.start + 1;
  const inner = flowText(added, entries.some(({ key }) => hasQuotes(key)) || isJson(text)).slice(1, -1);
  return [{ start: at, end: at, text: last === undefined ? inner : `, ${inner}` }];
}

/** Returns entries of a block map in a column, each line with its line break. */
export function blockLines(entries: ValueMap, column: number, lineBreak: string): string {
  return indented(toYaml([entries as KubeObject]), column, lineBreak);
}

/** Removes entries of a map that keeps at least one; returns `undefined` if one of them does not begin its line. */
export function removeEntries(
  text: string,
  { flow, entries }: MapNode,
  isRemoved: (entry: Entry) => boolean,
): Edit[] | undefined {
  if (flow) {
    const parts = entries.map((entry) => ({ start: entry.key.start, end: entry.value.end }));
    return withoutFlowParts(parts, (index) => isRemoved(entries[index] as Entry));
  }
  const removed = entries.filter(isRemoved);
  const lines = removed.map(({ key, value }) => {
    const start = lineStart(text, key.start);
    const isBare = /^[ \uFEFF]*$/.test(text.slice(start, key.start));
    return isBare ? { start, end: behindNode(text, value.end, columnOf(text, key.start)), text: '' } : undefined;
  });
  return lines.every((edit) => edit !== undefined) ? lines : undefined;
}

/** Removes parts of a flow collection that keeps one, with the comma before them, or after them if none is left. */
export function withoutFlowParts(parts: readonly Range[], isRemoved: (index: number) => boolean): Edit[] {
  let hasKept = false;
  return parts.flatMap(({ start, end }, index) => {
    if (!isRemoved(index)) {
      hasKept = true;
      return [];
    }
    const [before, behind] = [parts[index - 1], parts[index + 1]];
    return [hasKept ? { start: before?.end ?? start, end, text: '' } : { start, end: behind?.start ?? end, text: '' }];
  });
}

/** Sets the value of a key without one. Returns `undefined` if it cannot be written after the key. */
export function fillEmpty(text: string, { key, value }: Entry, filled: ValueMap): Edit[] | undefined {
  const { start, end } = value;
  if (value.kind !== 'scalar') return undefined;
  const written = flowText(filled, hasQuotes(key) || isJson(text));
  if (value.style !== 'empty') return [{ start, end, text: written }];
  const hasColon = end > key.end && /[:\w>]/.test(text[end - 1] ?? '');
  return hasColon ? [{ start: end, end, text: ` ${written}` }] : undefined;
}

const hasQuotes = ({ style }: ScalarNode): boolean => style === 'double';

export const isJson = (text: string): boolean => /^\s*\{\s*"/.test(text);
