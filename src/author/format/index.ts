import { structuredPatch } from 'diff';
import { HIDDEN } from '../../core/diagnostics/index.ts';
import { isKubeObject } from '../../core/model/object.ts';
import { equal, mapItems, sameValue, type Value } from '../../core/model/value.ts';
import { splitDocuments } from '../../core/text/documents.ts';
import { isResourceSet } from '../../flux/index.ts';
import { isRgd } from '../../kro/definition/index.ts';
import { type Edit, lineBreakOf, withEdits } from '../../yaml/edit/index.ts';
import { secretLinesIn } from '../../yaml/locate/index.ts';
import {
  isSyntaxProblem,
  parseTree,
  type SyntaxTree,
  treeValue,
  walkTree,
  type YamlNode,
} from '../../yaml/tree/index.ts';
import { indentEdits } from './indent.ts';
import { orderEdits, orderedMaps } from './order.ts';
import { rgdEdits, setEdits } from './scalars.ts';

/**
 * Formats RGDs and ResourceSets. What they render, comments, blank lines and other documents do not change. `invalid` are
 * the indexes of those that are not formatted, because they are invalid YAML.
 */
export function formatText(text: string): { text: string; invalid: readonly number[] } {
  const invalid: number[] = [];
  let at = 0;
  const parts = splitDocuments(text).map(({ start, end, fault }, index) => {
    const document = text.slice(start, end);
    const before = text.slice(at, start);
    at = end;
    if (fault !== undefined || !KINDS.test(document)) return before + document;
    const formatted = formatDocument(document, end === text.length ? lineBreakOf(text) : '');
    if (formatted === undefined) invalid.push(index);
    return before + (formatted ?? document);
  });
  return { text: parts.join('') + text.slice(at), invalid };
}

const KINDS = /^kind: *["']?(?:ResourceGraphDefinition|ResourceSet)["']?\s*(?:#.*)?$/m;

/** One kind of change, and what it may change of the values. */
interface Pass {
  edits: (text: string, root: YamlNode) => Edit[];
  isSame: (before: Value, after: Value) => boolean;
}

/** Adds the line break if the last line has none. Returns `undefined` for invalid YAML. */
function formatDocument(document: string, lineBreak: string): string | undefined {
  const tree = parseTree(document);
  if (isSyntaxProblem(tree)) return undefined;
  const object = treeValue(document, tree.root);
  if (!isKubeObject(object) || tree.root.kind !== 'map' || tree.root.flow) return document;
  if (!isRgd(object) && !isResourceSet(object)) return document;
  return passesFor(isRgd(object), lineBreak).reduce(changed, { text: document, tree }).text;
}

function passesFor(isOfKro: boolean, lineBreak: string): Pass[] {
  const order = [0, 1, 2].map(
    (level): Pass => ({
      edits: (text, root) =>
        (orderedMaps(root, isOfKro)[level] ?? []).flatMap(([map, fields]) => orderEdits(text, map, fields)),
      isSame: equal,
    }),
  );
  return [
    { edits: indentEdits, isSame: sameValue },
    ...order,
    { edits: isOfKro ? rgdEdits : setEdits, isSame: (before, after) => sameValue(unspaced(before), unspaced(after)) },
    {
      edits: (text) => (/[\n\r]$/.test(text) ? [] : [{ start: text.length, end: text.length, text: lineBreak }]),
      isSame: sameValue,
    },
  ];
}

/** A valid document. */
interface Parsed {
  text: string;
  tree: SyntaxTree;
}

/** Applies a pass, unless it would change more than it may. */
function changed(before: Parsed, { edits, isSame }: Pass): Parsed {
  const { text, tree } = before;
  // An anchor is written before its aliases.
  if (isSame === equal && tree.aliases.length > 0) return before;
  const result = withEdits(text, edits(text, tree.root)).join('');
  if (result === text) return before;
  const after = parseTree(result);
  if (isSyntaxProblem(after) || after.aliases.length !== tree.aliases.length) return before;
  const isAlike =
    isSame(treeValue(text, tree.root), treeValue(result, after.root)) &&
    commentsOf(text, tree.root).join('\n') === commentsOf(result, after.root).join('\n');
  return isAlike ? { text: result, tree: after } : before;
}

const unspaced = (value: Value): Value =>
  typeof value === 'string' ? value.replace(/\s+/g, '') : mapItems(value, unspaced);

function commentsOf(text: string, root: YamlNode): string[] {
  const ranges: { start: number; end: number }[] = [];
  walkTree(root, (node, _, entry) => {
    if (entry !== undefined) ranges.push(entry.key);
    if (node.kind === 'scalar') ranges.push(node);
  });
  const comments: string[] = [];
  let at = 0;
  for (const { start, end } of [
    ...ranges.sort((a, b) => a.start - b.start),
    { start: text.length, end: text.length },
  ]) {
    for (const [, comment = ''] of text.slice(at, start).matchAll(/(?:^|[\s])(#[^\n\r]*)/g))
      comments.push(comment.trimEnd());
    at = Math.max(at, end);
  }
  return comments.sort();
}

/** A text with more changed lines is replaced as a whole. */
const MOST_EDITS = 1000;

/** Returns a patch. Lines that may show a value of a Secret are hidden, so that it does not apply to a Secret. */
export function patchText(file: string, before: string, after: string): string {
  const patch = structuredPatch(file, file, before, after, '', '', { context: 3, maxEditLength: MOST_EDITS });
  const isSecretBefore = secretLinesIn(before);
  const isSecretAfter = secretLinesIn(after);
  const hunks = patch?.hunks ?? [wholeHunk(before, after)];
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: changed }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...withoutSecretLines(changed, { oldStart, newStart }, { before: isSecretBefore, after: isSecretAfter }),
  ]);
  return `--- ${file}\n+++ ${file}\n${lines.join('\n')}\n`;
}

type IsSecretLine = (line: number) => boolean;

function withoutSecretLines(
  lines: readonly string[],
  { oldStart, newStart }: { oldStart: number; newStart: number },
  { before, after }: { before: IsSecretLine; after: IsSecretLine },
): string[] {
  let old = oldStart;
  let now = newStart;
  return lines.map((line) => {
    const sign = line.slice(0, 1);
    if (sign === '\\') return line;
    const isSecret = (sign !== '+' && before(old)) || (sign !== '-' && after(now));
    if (sign !== '+') old += 1;
    if (sign !== '-') now += 1;
    return isSecret ? `${sign}${HIDDEN}` : line;
  });
}

function wholeHunk(before: string, after: string) {
  const [old, now] = [before, after].map((text) => text.replace(/\n$/, '').split('\n')) as [string[], string[]];
  const removed = [
    ...old.map((line) => `-${line}`),
    ...(before.endsWith('\n') ? [] : ['\\ No newline at end of file']),
  ];
  const lines = [...removed, ...now.map((line) => `+${line}`)];
  return { oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length, lines };
}
