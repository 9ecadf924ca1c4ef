import { EVENT_ID, SCALAR_STYLE } from 'js-yaml';
import type { KubeObject } from '../../core/model/object.ts';
import type { ValueMap } from '../../core/model/value.ts';
import { toYaml } from '../emit/index.ts';
import type { Edit } from './edits.ts';
import { flowText } from './flow.ts';
import { columnOf, isLineStart, lineBreakOf, lineStart, nextLine } from './lines.ts';
import type { Nodes, TextEntry, TextNode } from './nodes.ts';

/** Adds entries after the others of a map, in its style. */
export function addEntries(nodes: Nodes, map: TextNode, added: ValueMap): Edit[] {
  const { text } = nodes.document;
  if (!map.flow) {
    const at = isLineStart(text, map.end) ? map.end : nextLine(text, map.end);
    return [{ start: at, end: at, text: blockLines(added, columnOf(text, map.start), lineBreakOf(text)) }];
  }
  const entries = nodes.entries(map);
  const last = entries.at(-1);
  const at = last?.value.end ?? map.start + 1;
  const inner = flowText(added, entries.some(({ key }) => hasQuotes(nodes, key)) || isJson(text)).slice(1, -1);
  return [{ start: at, end: at, text: last === undefined ? inner : `, ${inner}` }];
}

/** Returns entries of a block map in a column, each line with its line break. */
export function blockLines(entries: ValueMap, column: number, lineBreak: string): string {
  const text = toYaml([entries as KubeObject]);
  const indented = column === 0 ? text : text.replace(/^(?=[^\n])/gm, ' '.repeat(column));
  return lineBreak === '\n' ? indented : indented.replaceAll('\n', lineBreak);
}

/**
 * Removes entries of a map that keeps at least one. Returns `undefined` if one of them does not begin its line, because
 * its extent is unclear.
 */
export function removeEntries(
  nodes: Nodes,
  map: TextNode,
  isRemoved: (entry: TextEntry) => boolean,
): Edit[] | undefined {
  const { text } = nodes.document;
  const entries = nodes.entries(map);
  if (map.flow) {
    const parts = entries.map((entry) => ({ start: entry.key.start, end: entry.value.end }));
    return withoutFlowParts(parts, (index) => isRemoved(entries[index] as TextEntry));
  }
  const removed = entries.filter(isRemoved);
  const lines = removed.map(({ key, value }) => {
    const start = lineStart(text, key.start);
    const isBare = /^[ \uFEFF]*$/.test(text.slice(start, key.start));
    const end = isLineStart(text, value.end) ? value.end : nextLine(text, value.end);
    return isBare ? { start, end, text: '' } : undefined;
  });
  return lines.every((edit) => edit !== undefined) ? lines : undefined;
}

/**
 * Removes parts of a flow collection that keeps at least one: with the comma before them, or after them if none is left
 * before.
 */
export function withoutFlowParts(
  parts: readonly { start: number; end: number }[],
  isRemoved: (index: number) => boolean,
): Edit[] {
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
export function fillEmpty(nodes: Nodes, entry: TextEntry, value: ValueMap): Edit[] | undefined {
  const { text } = nodes.document;
  const event = nodes.event(entry.value);
  const { start, end } = entry.value;
  if (event.type !== EVENT_ID.SCALAR) return undefined;
  const written = flowText(value, hasQuotes(nodes, entry.key) || isJson(text));
  if (event.valueStart >= 0) return [{ start, end, text: written }];
  const hasColon = end > entry.key.end && /[:\w>]/.test(text[end - 1] ?? '');
  return hasColon ? [{ start: end, end, text: ` ${written}` }] : undefined;
}

/** Reports whether a scalar is in double quotes. */
export function hasQuotes(nodes: Nodes, node: TextNode): boolean {
  const event = nodes.event(node);
  return event.type === EVENT_ID.SCALAR && event.style === SCALAR_STYLE.DOUBLE_QUOTED;
}

/** Reports whether a text is intended to be JSON. */
export const isJson = (text: string): boolean => /^\s*\{\s*"/.test(text);
